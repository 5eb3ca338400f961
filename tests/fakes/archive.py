"""A whole tournament in memory, by an organiser who holds everybody's keys.

What the organiser may do with so many keys is in ``tests.fakes.forgery``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.swiss_1.record import Round
from aboveboard_referee.verify.archive import (
    LEAVES,
    LOG_FILES,
    MATCHES,
    STANDINGS,
    standings_csv,
)
from tests.fakes.cup import CLOCK, NOON, Cup, Edit, keep, key_of, secret
from tests.fakes.running import Running, Trouble
from tests.fakes.season import Season, Troubles

__all__ = [
    "CLOCK",
    "NOON",
    "Archive",
    "Edit",
    "Organiser",
    "PublishedSeason",
    "Running",
    "Trouble",
    "each",
    "keep",
    "key_of",
    "odd",
    "plain",
    "secret",
]


@dataclass
class Organiser(Cup):
    """Everybody who takes part in a tournament, in one place."""

    def empty_season(self) -> "PublishedSeason":
        """Nobody has entered yet."""
        return PublishedSeason(self)

    def season(self) -> "PublishedSeason":
        """Everybody has entered, and entries are closed."""
        season = self.empty_season()
        for entrant in range(self.entrants):
            season.enter(entrant)
        season.close_entries()
        return season

    def play(self, troubles: Troubles | None = None) -> "Archive":
        """The whole tournament; ``troubles`` by match and attempt."""
        season = self.season()
        for _ in range(self.rounds):
            season.play_round(troubles or {})
        return season.published()


@dataclass(frozen=True)
class Archive:
    """What an organiser published, and what went into it."""

    organiser: Organiser
    files: Mapping[str, bytes]
    shown: tuple[int, ...]  # sizes of the checkpoints that somebody saw
    pairings: tuple[pb.Pairings, ...]
    rounds: tuple[Round, ...]
    standings: tuple[pb.StandingsRow, ...]

    @cached_property
    def leaves(self) -> tuple[bytes, ...]:
        return split(self.files[LEAVES])

    @property
    def transcripts(self) -> dict[str, bytes]:
        return {path: data for path, data in self.files.items() if path.startswith(MATCHES)}

    def leaf(self, kind: str, number: int = 0) -> int:
        """The index of a leaf of this kind, counted from 0 or from the end."""
        return [i for i, leaf in enumerate(self.leaves) if self.kind(i) == kind][number]

    def kind(self, leaf: int) -> str:
        return parse_signed(self.leaves[leaf]).type.split("/")[1]

    def ledger_before(self, index: int) -> Ledger:
        """What had happened before a leaf."""
        ledger = Ledger()
        for leaf in self.leaves[:index]:
            ledger.apply(leaf)
        return ledger

    # --- Other archives ------------------------------------------------------------------

    def sealed(self, changes: Mapping[str, bytes | None], edit: Edit = keep) -> dict[str, bytes]:
        """The archive with other files (None: without one), and a close that fits them.

        The log is signed anew; what is under ``log/`` cannot be changed so.
        """
        files = {**self.files, **changes}
        rest = {
            path: data for path, data in files.items() if data is not None and path not in LOG_FILES
        }
        close = self.organiser.close_leaf(rest, self.standings, edit)
        return self.relogged([*self.leaves[:-1], close], rest)

    def relogged(
        self, leaves: Sequence[bytes], files: Mapping[str, bytes] | None = None
    ) -> dict[str, bytes]:
        """The archive with other leaves under checkpoints that the log's key signs for them."""
        log = self.organiser.log_files(leaves, self.shown)
        return {**(self.files if files is None else files), **log}

    def with_leaf(self, index: int, *leaves: bytes) -> dict[str, bytes]:
        """Other leaves, or none, in the place of one, signed by the log's key."""
        return self.relogged([*self.leaves[:index], *leaves, *self.leaves[index + 1 :]])

    def ending_with(
        self, index: int, leaf: bytes, changes: Mapping[str, bytes] | None = None
    ) -> "Archive":
        """The archive with another last result, and tables that follow from it."""
        ledger = self.ledger_before(index)
        ledger.apply(leaf)
        table = pb.Standings(
            tournament=ledger.tournament, round=len(ledger.rounds), rows=ledger.rows()
        )
        csv = standings_csv(ledger.manifest, ledger.field.names, ledger.rows())
        rest = {**self.transcripts, **(changes or {}), STANDINGS: csv}
        leaves = [
            *self.leaves[:index],
            leaf,
            self.organiser.signed("standings", table),
            self.organiser.close_leaf(rest, ledger.rows()),
        ]
        files = {**rest, **self.organiser.log_files(leaves, self.shown)}
        return replace(self, files=files, standings=tuple(ledger.rows()))

    def edited(self, index: int, body: type, edit: Edit) -> bytes:
        """A leaf of the organiser's with a changed body, signed by it."""
        signed = parse_signed(self.leaves[index])
        message = decode(body, signed.body, 1 << 26)
        edit(message)
        return self.organiser.signed(self.kind(index), message)

    def altered(self, changes: Mapping[str, bytes | None]) -> dict[str, bytes]:
        """The archive as somebody without a key would alter it: the log is as it was."""
        files = {**self.files, **changes}
        return {path: data for path, data in files.items() if data is not None}


class PublishedSeason(Season):
    """A season of which there is an archive in the end."""

    def __init__(self, organiser: Organiser) -> None:
        super().__init__(organiser)
        self._organiser = organiser

    def published(self) -> Archive:
        """End it, and publish what there is."""
        self.end()
        ledger = self.ledger
        return Archive(
            self._organiser,
            {**self.files, **self.cup.log_files(self.leaves, self.shown)},
            tuple(self.shown),
            tuple(ledger.rounds),
            tuple(ledger.played()),
            tuple(ledger.rows()),
        )


@cache
def plain() -> Archive:
    """Four bots over three rounds, one of each game, all of them played out."""
    return Organiser("plain").play()


@cache
def odd() -> Archive:
    """Three bots, so that each of them gets the bye once."""
    return Organiser("odd", entrants=3).play()


@cache
def each() -> Archive:
    """Three bots who play two games from either seat, in a round with two of them each."""
    return Organiser("each", 3, 2, games=("nebraska:family", "allegra"), order="each").play()
