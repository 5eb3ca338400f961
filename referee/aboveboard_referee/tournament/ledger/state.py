"""What a tournament has come to, leaf by leaf; ``Ledger`` is what changes it."""

from typing import TypeVar

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.tournament.field import Field, Member
from aboveboard_referee.tournament.form import has_form
from aboveboard_referee.tournament.form_rounds import (
    Facts,
    due_matches,
    is_over,
    next_round,
    rows_of,
)
from aboveboard_referee.tournament.history import Table
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.opening import opening_of
from aboveboard_referee.tournament.ledger.opens import Attempt, Attempts
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches, matches_of
from aboveboard_referee.tournament.plan import Draw
from aboveboard_referee.tournament.results import Result, due
from aboveboard_referee.tournament.swiss_1.record import Played, Round
from aboveboard_referee.tournament.swiss_1.rounds import pairings_after, standings_after

T = TypeVar("T", bound=Message)

LEAF_LIMIT = 1 << 26
"""Most bytes of a leaf: the close lists every file of the archive."""


class LedgerState:
    """Read it freely; only the fold writes."""

    def __init__(self) -> None:
        self.size = 0
        self.manifest = pb.TournamentManifest()
        self.signed_manifest = b""
        self.tournament = b""
        self.organiser_owner = b""  # the long-term key that certified the organiser's
        self.field = Field()
        self.referees: set[bytes] = set()
        self.arbiters: dict[bytes, str] = {}  # names, by key
        self.closed = False  # entries
        self.draw: Draw | None = None  # of the round that is paired next
        self.rounds: list[pb.Pairings] = []
        self.tables = 0  # rounds whose standings are out
        self.attempts = Attempts()
        self.rulings: list[pb.Ruling] = []
        self.ruled_by: list[str] = []  # by ruling: the arbiter's name; empty: the organiser
        self.begun_by: str | None = None  # as in `ruled_by`, if it was by somebody's word
        self.objections: list[pb.Objection] = []
        self.objected: dict[tuple[str, int, Seat], list[pb.Objection]] = {}  # by whom to what
        self.close: pb.TournamentClose | None = None
        self.organiser_link = (0, b"")
        self.time_us = 0  # the latest that the organiser signed; times go forward
        self.matches: dict[str, PlannedMatch] = {}  # of all rounds, by name
        self.current: dict[str, PlannedMatch] = {}  # of the newest round that was paired
        self.siblings: dict[str, tuple[PlannedMatch, ...]] = {}  # all of the pairing, by each
        # The leaf after which the next round may be drawn, and its index: everything that
        # the draw is made of was fixed before it.
        self.before_draw: tuple[int, bytes] = (0, b"")
        self.rescored: dict[str, Result] = {}  # by rulings
        self.by_hand: dict[int, tuple[tuple[int, ...], ...]] = {}  # tables that rulings made
        self.paused = False
        self.ended = False  # by a ruling: there is no round after the one under way
        self._next: pb.Pairings | None = None
        self._finished: list[Round] = []  # rounds whose standings are out change no more
        self._settled: dict[int, tuple[Table, ...]] = {}  # as ``Facts`` has it
        self._rows: tuple[int, list[pb.StandingsRow]] = (0, [])  # by how many leaves there were

    # --- What follows from the leaves so far ---------------------------------------------

    @property
    def round(self) -> int:
        """The round that is drawn or played, from 1; the one after the last is none."""
        return self.tables + 1

    def planned(self) -> tuple[PlannedMatch, ...]:
        """The matches of the newest round that was paired."""
        return tuple(self.current.values())

    def opening(self, planned: PlannedMatch, attempt: int) -> pb.MatchOpen:
        """How an attempt at a planned match must open, but for the referee's own part."""
        return opening_of(self.manifest, self.tournament, planned, attempt, self.field.keys)

    def played(self) -> list[Round]:
        """All rounds that were paired with the results there are.

        A result is that of the newest attempt, once it is closed.
        """
        return [*self._finished, *map(self._as_played, self.rounds[len(self._finished) :])]

    def _as_played(self, pairings: pb.Pairings) -> Round:
        return Round(
            pairings.round,
            tuple(
                Played(match.match, match.entrants, self.attempts.half_points(match.match))
                for match in all_matches(pairings)
            ),
            tuple(pairings.byes),
            tuple(pairings.absent),
        )

    def result(self, match: str) -> Result | None:
        """A match's result: what a ruling made of it, else that of its newest attempt."""
        if (ruled := self.rescored.get(match)) is not None:
            return ruled
        return self.attempts.result(match)

    @property
    def facts(self) -> Facts:
        """What rounds and tables follow from. Only where the manifest states a form."""
        return Facts(
            self.manifest,
            self.tournament,
            self.field,
            self.rounds,
            self.tables,
            self.result,
            self.by_hand,
            self.ended,
            self._settled,
        )

    def due(self) -> tuple[PlannedMatch, ...]:
        """The matches of the newest round that are to be played now; none once it is decided."""
        if self.tables == len(self.rounds):
            return ()
        if has_form(self.manifest):
            return due_matches(self.facts, self.rounds[-1])
        return tuple(match for match in self.planned() if self.result(match.match) is None)

    def is_due(self, planned: PlannedMatch) -> bool:
        """Whether a match of the newest round may be begun, as far as results go."""
        if not has_form(self.manifest):
            return True
        matches = self.siblings[planned.match]
        return planned in due(matches, self.result, self.manifest.form.early_stop)

    @property
    def over(self) -> bool:
        """Whether no round follows those whose standings are out."""
        if has_form(self.manifest):
            return self.closed and is_over(self.facts)
        return self.tables >= self.manifest.rounds

    @property
    def free_round(self) -> int:
        """The first round that can still be influenced.

        What a draw is made of was fixed by the table before it, or by the end of entries.
        """
        return self.round + 1 if self.closed else 1

    def next_pairings(self) -> pb.Pairings:
        """The pairings that follow from the draw. Only once that is a leaf."""
        assert self.draw is not None
        if self._next is None:
            if has_form(self.manifest):
                self._next = next_round(self.facts, self.draw)
            else:
                self._next = pairings_after(
                    self.manifest, self.tournament, self.field.entry_keys, self.played(), self.draw
                )
        return self._next

    def rows(self) -> list[pb.StandingsRow]:
        """The table as of the results there are.

        Asked again before there is another leaf, it is not made again.
        """
        if self._rows[0] != self.size:
            self._rows = self.size, self._made_rows()
        return list(self._rows[1])

    def _made_rows(self) -> list[pb.StandingsRow]:
        if has_form(self.manifest):
            return rows_of(self.facts)
        return standings_after(self.manifest, len(self.field), self.played())

    def settled_rows(self) -> list[pb.StandingsRow]:
        """The table of the rounds whose standings are out. Only with a form."""
        return rows_of(self.facts, settled=True)

    def check_draw_link(self, data: bytes) -> pb.DrawLink:
        """An entrant's link for the draw of this round, signed by it and of its chain.

        Raises ``Refused``, ``BadKey`` or ``BadSignature``.
        """
        signed = parse_signed(data, limit=4096)
        body = decode(pb.DrawLink, signed.body)
        if body.tournament != self.tournament or body.round != self.round:
            raise Refused(f"a link for another draw than that of round {self.round}")
        if body.entrant >= len(self.field):
            raise Refused(f"there is no entrant {body.entrant}")
        member = self.field[body.entrant]
        if not member.plays(body.round):
            raise Refused(f"{member.entry.name} does not play in round {body.round}")
        verify_sole(signed, "draw-link", key_of(member))
        member.check_link(self.tournament, body.round, body.link)
        return body

    @property
    def servers_keys(self) -> frozenset[bytes]:
        """Keys that no entrant may have: one key has one role."""
        manifest = self.manifest
        return frozenset((manifest.organiser_key, manifest.log_key, *self.referees, *self.arbiters))

    def verify_office(self, signed: Signed, kind: str) -> str:
        """Who signed what the organiser or an arbiter may, alone: the arbiter's name, or nothing.

        Raises ``Refused``, ``BadKey`` or ``BadSignature``.
        """
        first = signed.signatures[0][0] if signed.signatures else b""
        name = self.arbiters.get(first, "")
        verify_sole(signed, kind, PublicKey.parse(first if name else self.manifest.organiser_key))
        return name

    # --- For the fold --------------------------------------------------------------------

    def by_organiser(self, signed: Signed, kind: str, body: type[T]) -> T:
        """A body signed by the organiser and for this tournament."""
        verify_sole(signed, kind, PublicKey.parse(self.manifest.organiser_key))
        return self.of_here(signed, body)

    def of_here(self, signed: Signed, body: type[T]) -> T:
        """A body for this tournament, whoever signed it."""
        message = decode(body, signed.body, LEAF_LIMIT)
        if getattr(message, "tournament", None) != self.tournament:
            raise Refused("that of another tournament")
        return message

    def finish_round(self) -> None:
        """The standings of the newest round are out."""
        if not has_form(self.manifest):
            self._finished = self.played()
        self.tables += 1

    def take_round(self, pairings: pb.Pairings) -> None:
        """The pairings of the next round are out."""
        self.rounds.append(pairings)
        self.draw = None
        self.current, self.siblings = {}, {}
        for pairing in pairings.pairings:
            matches = matches_of(pairings, pairing)
            self.current.update((match.match, match) for match in matches)
            self.siblings.update((match.match, matches) for match in matches)
        self.matches.update(self.current)

    def rescore(self, match: str, result: Result | None) -> None:
        """Let a ruling's result stand for a match; with ``None`` no ruling's does."""
        if result is None:
            del self.rescored[match]
        else:
            self.rescored[match] = result
        self._settled.clear()

    def end_attempt(self, attempt: Attempt, close: pb.MatchClose) -> None:
        """An attempt has its close."""
        self.attempts.end(attempt, self.size, close)
        if attempt.match not in self.current or self.tables == len(self.rounds):
            # A match can outlast its round, where a ruling decided its pairing meanwhile.
            self._settled.clear()

    def forget_pairings(self) -> None:
        """The draw is another one now, or there is one more who sits it out."""
        self._next = None

    def member(self, entrant: int, tournament: bytes) -> Member:
        if tournament != self.tournament:
            raise Refused("that of another tournament")
        if entrant >= len(self.field):
            raise Refused(f"there is no entrant {entrant}")
        return self.field[entrant]

    @property
    def next_round(self) -> int:
        """The first round that is not drawn yet."""
        return len(self.rounds) + 1 + (self.draw is not None)

    def not_before(self, time_us: int) -> None:
        if time_us < self.time_us:
            raise Illegal("times that go forward", "an earlier one than before")

    def at(self, time_us: int) -> None:
        self.not_before(time_us)
        self.time_us = time_us


def key_of(member: Member) -> PublicKey:
    """The key that speaks for a member. Raises ``Refused`` if there is none any more."""
    if not member.key:
        raise Refused(f"the key of {member.entry.name} was revoked")
    return PublicKey.parse(member.key)
