"""A whole tournament in memory, by an organiser who holds everybody's keys.

Every key is derived from a label, so that an archive is the same at each run. What the
organiser may do with so many keys is in ``tests.fakes.forgery``.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from random import Random
from typing import Any

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.player import Expected, Player
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from aboveboard_referee.match.result import SERVICE
from aboveboard_referee.match.transcript import join
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.entries import entry_digest
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches
from aboveboard_referee.tournament.plan import game_named, pairings_after, standings_after
from aboveboard_referee.tournament.record import Played, Round
from aboveboard_referee.verify.archive import (
    CLOSE,
    ENTRIES,
    MANIFEST,
    STANDINGS,
    match_file,
    round_file,
    standings_csv,
)

NOON = 1_700_000_000_000_000
CLOCK = pb.Clock(
    move_us=10_000_000,
    bank_us=5_000_000,
    increment_us=1_000,
    protocol_us=5_000_000,
    refund_cap_us=500,
    refund_budget_us=3_000,
    start_us=60_000_000,
    lag_us=10_000,
)

Edit = Callable[[Any], None]
"""Changes a message in place before it is signed."""


def secret(*parts: object) -> bytes:
    """32 bytes that are the same for the same parts."""
    return hashlib.sha256(repr(parts).encode()).digest()


@cache
def key_of(*parts: object) -> PrivateKey:
    return PrivateKey(secret(*parts))


def keep(_: Any) -> None:
    """The edit that changes nothing."""


@dataclass(frozen=True)
class Trouble:
    """What goes wrong in a match: ``act`` upon the first question of ``phase`` to one of
    ``seats`` after so many answers. Seats of ``absent`` never come.
    """

    act: "Callable[[Running, Seat], Outbox]"
    phase: pb.Phase = pb.PHASE_MOVE
    seats: tuple[Seat, ...] = (0,)
    after: int = 0
    absent: tuple[Seat, ...] = ()


@dataclass
class Organiser:
    """Everybody who takes part in a tournament, in one place."""

    label: str
    entrants: int = 4
    rounds: int = 3
    games: tuple[str, ...] = ("cribbage", "nebraska:family", "allegra")
    order: str = "rotate"
    edit_manifest: Edit = keep

    @property
    def key(self) -> PrivateKey:
        return key_of(self.label, "organiser")

    @property
    def referee(self) -> PrivateKey:
        return key_of(self.label, "referee")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"Bot-{chr(ord('A') + number)}" for number in range(self.entrants))

    def entry_key(self, entrant: int) -> PrivateKey:
        return key_of(self.label, "entry", entrant)

    def match_key(self, match: str, attempt: int, seat: Seat) -> PrivateKey:
        return key_of(self.label, "match", match, attempt, seat)

    @cached_property
    def manifest(self) -> pb.TournamentManifest:
        manifest = pb.TournamentManifest(
            title=f"The {self.label} Cup",
            created_us=NOON,
            salt=secret(self.label, "salt"),
            organiser_key=self.key.public.raw,
            referees=[pb.RefereeKey(key=self.referee.public.raw)],
            games=[game_to_wire(registry.game(name)) for name in self.games],
            order=self.order,
            system="swiss",
            system_version=1,
            rounds=self.rounds,
            table_seats=2,
            tie_breaks=["wins", "buchholz"],
            clock=CLOCK,
            first=pb.FIRST_SEAT0,
            tier=pb.TIER_SIGNED,
            chain_length=256,
        )
        self.edit_manifest(manifest)
        return manifest

    @cached_property
    def tournament(self) -> bytes:
        return tournament_id(encode(self.manifest))

    # --- Signing -------------------------------------------------------------------------

    def signed(self, kind: str, message: Message) -> bytes:
        return sign(type_of(kind), encode(message), self.key).to_bytes()

    def entry(self, entrant: int, edit: Edit = keep) -> pb.Entry:
        entry = pb.Entry(
            tournament=self.tournament,
            name=self.names[entrant] if entrant < self.entrants else f"More-{entrant}",
            key=self.entry_key(entrant).public.raw,
            software="random",
        )
        edit(entry)
        return entry

    def entries_file(
        self, entries: Sequence[tuple[pb.Entry, PrivateKey]], edit: Edit = keep
    ) -> bytes:
        """Entries, each signed by the key beside it, and their closing."""
        signed = [sign(type_of("entry"), encode(entry), key) for entry, key in entries]
        closed = pb.EntriesClosed(
            tournament=self.tournament,
            entries=[entry_digest(entry) for entry in signed],
            time_us=NOON + 1,
        )
        edit(closed)
        return join([*(s.to_bytes() for s in signed), self.signed("entries-closed", closed)])

    def all_entries(self) -> list[tuple[pb.Entry, PrivateKey]]:
        return [(self.entry(number), self.entry_key(number)) for number in range(self.entrants)]

    def seal(
        self,
        files: Mapping[str, bytes],
        standings: Sequence[pb.StandingsRow],
        edit: Edit = keep,
    ) -> dict[str, bytes]:
        """The files with a close that fits them, whatever is in them."""
        rest = {path: files[path] for path in sorted(files) if path != CLOSE}
        close = pb.TournamentClose(
            tournament=self.tournament,
            standings=standings,
            files=[
                pb.ArchiveFile(path=path, sha256=hashlib.sha256(data).digest(), size=len(data))
                for path, data in rest.items()
            ],
            time_us=NOON + 10**10,
        )
        edit(close)
        return {**rest, CLOSE: self.signed("tournament-close", close)}

    # --- Playing -------------------------------------------------------------------------

    def play(self, troubles: Mapping[tuple[str, int], Trouble] | None = None) -> "Archive":
        """The whole tournament; ``troubles`` by match and attempt."""
        files = {
            MANIFEST: self.signed("tournament-manifest", self.manifest),
            ENTRIES: self.entries_file(self.all_entries()),
        }
        rounds: list[Round] = []
        pairings: list[pb.Pairings] = []
        keys = [self.entry_key(number).public.raw for number in range(self.entrants)]
        for number in range(1, self.rounds + 1):
            drawn = pairings_after(self.manifest, self.tournament, keys, rounds)
            pairings.append(drawn)
            files[round_file(number)] = self.signed("pairings", drawn)
            played = []
            for match in all_matches(drawn):
                for attempt in (1, 2, 3):
                    trouble = (troubles or {}).get((match.match, attempt))
                    running = Running.of(self, match, attempt, trouble)
                    running.play()
                    files[match_file(match.match, attempt)] = join(running.records)
                    if running.close.reason not in SERVICE or running.referee.fold.entropy_asked:
                        break
                half_points = tuple(seat.half_points for seat in running.close.seats)
                played.append(Played(match.match, match.entrants, half_points))
            rounds.append(Round(number, tuple(played), tuple(drawn.byes)))
        standings = standings_after(self.manifest, self.entrants, rounds)
        files[STANDINGS] = standings_csv(self.manifest, self.names, standings)
        sealed = self.seal(files, standings)
        return Archive(self, sealed, tuple(pairings), tuple(rounds), tuple(standings))


@dataclass(frozen=True)
class Archive:
    """What an organiser published, and what went into it."""

    organiser: Organiser
    files: Mapping[str, bytes]
    pairings: tuple[pb.Pairings, ...]
    rounds: tuple[Round, ...]
    standings: tuple[pb.StandingsRow, ...]

    def sealed(self, changes: Mapping[str, bytes | None], edit: Edit = keep) -> dict[str, bytes]:
        """The archive with other files (None: without one), and a close that fits them."""
        files = {**self.files, **changes}
        there = {path: data for path, data in files.items() if data is not None}
        return self.organiser.seal(there, self.standings, edit)

    def altered(self, changes: Mapping[str, bytes | None]) -> dict[str, bytes]:
        """The archive as somebody without a key would alter it: the close is as it was."""
        files = {**self.files, **changes}
        return {path: data for path, data in files.items() if data is not None}


@dataclass
class Running:
    """A match that is being played, between bots who move at random."""

    organiser: Organiser
    referee: Referee
    players: list[Player]
    keys: list[PrivateKey]
    trouble: Trouble | None = None
    records: list[bytes] = field(default_factory=list)
    answers: int = 0
    now_us: int = NOON + 1_000
    close: pb.MatchClose = field(default_factory=pb.MatchClose)

    @classmethod
    def of(
        cls,
        organiser: Organiser,
        match: PlannedMatch,
        attempt: int = 1,
        trouble: Trouble | None = None,
        edit: Edit = keep,
        key: PrivateKey | None = None,
    ) -> "Running":
        """A planned match; ``edit`` changes its terms, ``key`` is another referee's."""
        manifest = organiser.manifest
        opening = pb.MatchOpen(
            tournament=organiser.tournament,
            match=match.match,
            attempt=attempt,
            game=game_named(manifest, match.game),
            seats=[
                pb.SeatTerms(entrant=entrant, entry_key=organiser.entry_key(entrant).public.raw)
                for entrant in match.entrants
            ],
            first=manifest.first,
            tier=manifest.tier,
            clock=manifest.clock,
            chain_length=manifest.chain_length,
            time_us=NOON + 1_000,
        )
        edit(opening)
        place = (opening.tournament, opening.match, opening.attempt)
        referee_key = key or organiser.referee
        players, keys = [], []
        for seat, entrant in enumerate(match.entrants):
            match_key = organiser.match_key(opening.match, opening.attempt, seat)
            body = pb.MatchKey(
                tournament=opening.tournament,
                match=opening.match,
                attempt=opening.attempt,
                seat=seat,
                key=match_key.public.raw,
            )
            certificate = sign(
                type_of("match-key"), encode(body), organiser.entry_key(entrant)
            ).to_bytes()
            if trouble is None or seat not in trouble.absent:
                opening.seats[seat].certificate = certificate
            expected = Expected(*place, seat, referee_key.public.raw, opening.game, certificate)
            players.append(Player(expected, match_key, secret(organiser.label, place, seat)))
            keys.append(match_key)
        referee = Referee(opening, referee_key, secret(organiser.label, place, "referee"))
        return cls(organiser, referee, players, keys, trouble)

    def play(self) -> list[bytes]:
        """To the end; the records are the whole transcript's."""
        terms = self.referee.fold.terms
        chance = Random(f"{self.organiser.label} {terms.wire.match} {terms.wire.attempt}")
        self.deliver(self.referee.start(self.now_us))
        while not self.referee.ended:
            seat = min(self.referee.owed)
            if (trouble := self._trouble_now(seat)) is not None:
                self.deliver(trouble.act(self, seat))
                continue
            player = self.players[seat]
            data = player.protocol_answer()
            if data is None:
                assert player.turn is not None
                data = player.decide(chance.choice(player.turn.legal), thought_us=700)
            self.deliver(self.referee.receive(seat, data, self.measured(1_000 + self.answers)))
            self.answers += 1
        close = self.referee.close(self.now_us)
        for seat, player in enumerate(self.players):
            if seat not in self.referee.fold.outs:
                assert self.referee.sign_close(seat, player.sign_close(close))
        self.records.append(self.referee.close(self.now_us))
        self.close = self.referee.fold.close_body(self.now_us)
        return self.records

    def measured(self, wait_us: int, lag_us: int = 50) -> Measured:
        self.now_us += wait_us
        return Measured(self.now_us, wait_us=wait_us, round_trip_us=300, lag_us=lag_us)

    def deliver(self, outbox: Outbox) -> None:
        self.records.extend(outbox.records)
        for seat, player in enumerate(self.players):
            if self.referee.fold.terms.seats[seat] is not None:
                player.take(outbox.records, outbox.shows.get(seat, ()))

    def answer(self, seat: Seat, key: PrivateKey | None = None, **payload: Any) -> bytes:
        """An answer to what ``seat`` owes, whatever it says."""
        owed = self.referee.owed[seat]
        answer = pb.Answer(
            match=self.referee.fold.terms.head0,
            seat=seat,
            asked=owed.asked,
            head=owed.head,
            **payload,
        )
        return sign(type_of("answer"), encode(answer), key or self.keys[seat]).to_bytes()

    def _trouble_now(self, seat: Seat) -> Trouble | None:
        trouble = self.trouble
        if trouble is None or self.answers < trouble.after or seat not in trouble.seats:
            return None
        return trouble if self.referee.owed[seat].phase == trouble.phase else None


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
