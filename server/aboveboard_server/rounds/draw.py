"""The draw of a round: everybody's links are asked for, and what is drawn from them follows."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.keys import BadKey, BadSignature
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.ledger import Ledger


class LinkRefused(Exception):
    """What an entrant sent as its link for a draw is none; the text says why."""


class LinkCall:
    """Collects the links of the draw that entrants are asked for now, if there is one."""

    def __init__(self, ledger: Ledger) -> None:
        self.round = 0  # that is being drawn; 0: none
        self._ledger = ledger
        self._links: dict[Entrant, bytes] = {}

    def begin(self) -> int:
        """Ask for the links of the next round; which one that is."""
        self.round = self._ledger.round
        self._links = {}
        return self.round

    def end(self) -> list[bytes]:
        """Ask no further; the links that hold, in Entry order."""
        self.round = 0
        return [data for _, data in sorted(self._links.items()) if self._check(data) is not None]

    def owes(self, entrant: Entrant) -> bool:
        """Whether this entrant is to be asked."""
        draws = bool(self.round) and self._ledger.field[entrant].draws(self.round)
        return draws and entrant not in self._links

    def missing(self) -> list[Entrant]:
        """Everybody who is to be asked."""
        return [entrant for entrant in range(len(self._ledger.field)) if self.owes(entrant)]

    def take(self, data: bytes) -> None:
        """Take a link from whoever brings it. Raises ``LinkRefused``.

        The first one that holds counts, and the same again changes nothing.
        """
        if not self.round:
            raise LinkRefused("no link for a draw is asked for now")
        try:
            link = self._ledger.check_draw_link(data)
        except (Refused, BadKey, BadSignature) as error:
            raise LinkRefused(f"the link for the draw of round {self.round}: {error}") from error
        self._links.setdefault(link.entrant, data)

    def _check(self, data: bytes) -> pb.DrawLink | None:
        """A link once more: its key can have been rotated or revoked since it came."""
        try:
            return self._ledger.check_draw_link(data)
        except (Refused, BadKey, BadSignature):
            return None
