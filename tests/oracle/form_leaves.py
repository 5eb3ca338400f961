"""What the leaves of a tournament with a form say, one after the other (section 29).

Who may say what and when is for the product to judge.
"""

from tests.oracle import form_tables
from tests.oracle.draw import pairing_seed
from tests.oracle.envelope import Envelope, unseal
from tests.oracle.form_field import Member, member
from tests.oracle.form_tables import Result, matches_of
from tests.oracle.match import heads, tournament_id
from tests.oracle.wire import Values


class FormLeaves:
    """Takes leaf after leaf."""

    def __init__(self) -> None:
        self.size = 0
        self.manifest: Values = {}
        self.members: list[Member] = []
        self.seeds: dict[int, bytes] = {}
        self.present: dict[int, frozenset[int]] = {}
        self.rounds: list[Values] = []
        self.left_by: list[frozenset[int]] = []
        self.tables_out = 0
        self.opened: dict[bytes, str] = {}
        self.playing: dict[str, tuple[int, ...]] = {}
        self.closed: dict[str, Result] = {}
        self.rescored: dict[str, Result] = {}
        self.seats: dict[str, int] = {}
        self.by_hand: dict[int, list[tuple[int, ...]]] = {}
        self.entries_closed = False
        self.ended = False

    def take(self, leaf: bytes) -> str:
        """The next leaf; its kind."""
        envelope = unseal(leaf, 1 << 26)
        kind, content = envelope.type.split("/")[1], envelope.content()
        if take := getattr(self, "_" + kind.replace("-", "_"), None):
            take(envelope, content)
        self.size += 1
        return kind

    # --- Entrants ------------------------------------------------------------------------

    def _tournament_manifest(self, envelope: Envelope, manifest: Values) -> None:
        self.manifest, self.form = manifest, manifest["form"]
        self.tournament = tournament_id(envelope.body)

    def _entry(self, envelope: Envelope, _: Values) -> None:
        self.members.append(member(envelope, self.members, 1))

    def _entries_closed(self, _: Envelope, __: Values) -> None:
        self.entries_closed = True

    def _late_entry(self, _: Envelope, late: Values) -> None:
        self.members.append(member(unseal(late["entry"]), self.members, late["round"]))

    def _withdraw(self, _: Envelope, body: Values) -> None:
        self.members[body["entrant"]].left = body["round"]

    def _return(self, _: Envelope, body: Values) -> None:
        back = self.members[body["entrant"]]
        assert back.left is not None
        back.away.append((back.left, body["round"]))
        back.left = None

    def _bye_request(self, _: Envelope, body: Values) -> None:
        self.members[body["entrant"]].asked[body["round"]] = body["half_points"]

    def _key_revoke(self, _: Envelope, body: Values) -> None:
        self.members[body["entrant"]].revoked = len(self.seeds) + 1

    # --- Rounds --------------------------------------------------------------------------

    def _draw_reveal(self, _: Envelope, reveal: Values) -> None:
        links: list[bytes | None] = [None] * len(self.members)
        for link in reveal["links"]:
            said = unseal(link).content()
            links[said["entrant"]] = said["link"]
        number, organiser = reveal["round"], reveal["organiser_link"]
        self.seeds[number] = pairing_seed(self.tournament, organiser, links, number)
        self.present[number] = frozenset(e for e, link in enumerate(links) if link is not None)

    def _pairings(self, _: Envelope, pairings: Values) -> None:
        self.left_by.append(self._left(pairings["round"]))
        self.rounds.append(pairings)
        for pairing in pairings["pairings"]:
            for match in matches_of(pairings, pairing):
                self.seats[match.name] = len(match.entrants)
                self.playing[match.name] = match.entrants

    def _match_open(self, envelope: Envelope, opening: Values) -> None:
        (head,) = heads([(envelope.type, envelope.body)])
        self.opened[head] = opening["match"]
        self.closed.pop(opening["match"], None)

    def _match_close(self, _: Envelope, close: Values) -> None:
        match = self.opened[close["match"]]
        self.closed[match] = form_tables.result_of_close(close)
        if close["reason"] in (32, 33):
            return
        for entrant, seat in zip(self.playing[match], close["seats"], strict=True):
            each = self.members[entrant]
            if 16 <= seat["reason"] < 32:
                each.failures += 1
            elif each not in self._failing:
                each.failures = 0

    @property
    def _failing(self) -> list[Member]:
        limit = self.form["suspend_after"]
        return [each for each in self.members if limit and each.failures >= limit]

    def _standings(self, _: Envelope, __: Values) -> None:
        last = len(self.rounds) if self.ended else self.manifest["rounds"] or 1000
        if self.tables_out + 2 <= last:
            for each in self._failing:
                assert each.suspended is not None or each.disqualified or each.revoked
        self.tables_out += 1

    def _ruling(self, _: Envelope, ruling: Values) -> None:
        free = self.tables_out + 2 if self.entries_closed else 1
        if ruling["rescore"] is not None:
            match = ruling["match"]
            seats = self.seats[match]
            self.rescored[match] = form_tables.result_of_rescore(ruling["rescore"], seats)
        if ruling["disqualified"] is not None:
            out = self.members[ruling["disqualified"]["entrant"]]
            out.disqualified = True
            out.left = free if out.left is None else min(out.left, free)
        if ruling["suspended"] is not None:
            failed = self.members[ruling["suspended"]["entrant"]]
            assert failed in self._failing
            assert failed.failures == ruling["suspended"]["failures"]
            assert failed.suspended is None
            failed.suspended = free
        if ruling["readmitted"] is not None:
            back = self.members[ruling["readmitted"]["entrant"]]
            assert back.suspended is not None
            back.away.append((back.suspended, free))
            back.suspended, back.failures = None, 0
        if ruling["by_hand"] is not None:
            tables = [tuple(each["entrants"]) for each in ruling["by_hand"]["pairings"]]
            self.by_hand[ruling["by_hand"]["round"]] = tables
        self.ended |= ruling["ended"] is not None

    def _left(self, round_: int) -> frozenset[int]:
        return frozenset(e for e, each in enumerate(self.members) if not each.stays(round_))
