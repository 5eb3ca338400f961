"""A match driven step by step in memory, where every hop can be intercepted.

The referee and the bots are the real ones. A test stops the script where it likes,
sends what an honest bot would not (``send``), or hands over what an honest referee
would not (``tamper``, ``hand_over``), and looks at who refuses it and why.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.local import CLOCK, certificate
from aboveboard_referee.match.player import Expected, Player, check_close
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from aboveboard_referee.match.terms import read_terms
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.keys import key, secret
from tests.fakes.table import outline

NOW = 1_800_000_000_000_000
"""When every match starts, in microseconds of the Unix epoch."""

Watcher = Seat | None
"""Who is sent something: a seat, or a spectator, who sees the transcript alone."""

Tamper = Callable[[Watcher, Outbox], Outbox]
MakeReferee = Callable[[pb.MatchOpen, Any, bytes], Referee]


def graceful(grace_us: int = 20_000_000, **limits: int) -> pb.Clock:
    """Wide limits but for these, and so much grace for who loses its connection."""
    wide = {field.name: value for field, value in CLOCK.ListFields()}
    return pb.Clock(**{**wide, "grace_us": grace_us, **limits})


@dataclass(frozen=True)
class Setup:
    """Who plays what. Everything secret follows from ``seed``."""

    game: str = "cribbage"
    seats: int = 2
    seed: str = "a"
    clock: pb.Clock = field(default_factory=lambda: CLOCK)
    absent: frozenset[Seat] = frozenset()
    match: str = "m1"

    @property
    def tournament(self) -> bytes:
        return secret(f"{self.seed} tournament")

    @property
    def wire_game(self) -> pb.Game:
        return game_to_wire(registry.game(self.game))

    def entry(self, seat: Seat) -> PrivateKey:
        return key(f"{self.seed} entry {seat}")

    def certifier(self, seat: Seat) -> PrivateKey:
        """Who certifies the seat's match key: its entry key."""
        return self.entry(seat)

    def match_key(self, seat: Seat) -> PrivateKey:
        return key(f"{self.seed} seat {seat}")

    def certificate(self, seat: Seat) -> bytes:
        body = pb.MatchKey(
            tournament=self.tournament,
            match=self.match,
            attempt=1,
            seat=seat,
            key=self.match_key(seat).public.raw,
        )
        return certificate(self.certifier(seat), body)

    def opening(self) -> pb.MatchOpen:
        """All of the opening but what the referee puts in itself."""
        terms = [
            pb.SeatTerms(
                entrant=seat,
                entry_key=self.entry(seat).public.raw,
                certificate=b"" if seat in self.absent else self.certificate(seat),
            )
            for seat in range(self.seats)
        ]
        return pb.MatchOpen(
            tournament=self.tournament,
            match=self.match,
            attempt=1,
            game=self.wire_game,
            seats=terms,
            first=pb.FIRST_SEAT0,
            tier=pb.TIER_SIGNED,
            clock=self.clock,
            # As short as may be, since the links of every chain are hashed for every match.
            chain_length=registry.game(self.game).max_shuffles(self.seats),
            time_us=NOW,
        )

    def player(self, seat: Seat) -> Player:
        referee = key(f"{self.seed} referee").public.raw
        expected = Expected(
            self.tournament, self.match, 1, seat, referee, self.wire_game, self.certificate(seat)
        )
        return Player(expected, self.match_key(seat), secret(f"{self.seed} seat {seat}"))

    def referee(self, make: MakeReferee = Referee) -> Referee:
        return make(
            self.opening(), key(f"{self.seed} referee"), secret(f"{self.seed} referee's links")
        )

    def resumed_referee(self, records: Sequence[bytes]) -> Referee:
        """The referee that another process makes of these records, before it says so."""
        return Referee.resume(
            records, key(f"{self.seed} referee"), secret(f"{self.seed} referee's links")
        )


class Script:
    """One match under way. Whoever refuses a record is in ``refusals`` and gets no more."""

    def __init__(self, setup: Setup | None = None, make: MakeReferee = Referee) -> None:
        self.setup = setup or Setup()
        self.referee = self.setup.referee(make)
        seats = [s for s in range(self.setup.seats) if s not in self.setup.absent]
        self.players = {seat: self.setup.player(seat) for seat in seats}
        self.spectator: Fold | None = None
        self.records: list[bytes] = []
        self.sent: dict[Watcher, list[bytes]] = {watcher: [] for watcher in (None, *seats)}
        self.inputs: list[tuple[Seat, bytes, Measured]] = []
        self.refusals: dict[Watcher, Deviation] = {}
        self.tamper: Tamper | None = None
        self.choose: Callable[[Any], Any] = self._any_move
        self.now = NOW
        self._random = Random(self.setup.seed)
        self._deliver(self.referee.start(self.now))

    def _any_move(self, turn: Any) -> Any:
        return self._random.choice(turn.legal)

    # --- Bots ----------------------------------------------------------------------------

    def honest(self, seat: Seat) -> bytes:
        """What the bot in ``seat`` answers now if it is honest."""
        player = self.players[seat]
        answer = player.protocol_answer()
        return player.decide(self.choose(player.turn)) if answer is None else answer

    def measured(self, wait_us: int = 1_000, round_trip_us: int = 0, lag_us: int = 0) -> Measured:
        """The times of an input after ``wait_us``, which pass by this."""
        self.now += wait_us
        return Measured(self.now, wait_us, round_trip_us, lag_us)

    def send(self, seat: Seat, data: bytes, **times: int) -> tuple[bytes, ...]:
        """Let ``data`` arrive as an answer of ``seat``; the records that come of it."""
        measured = self.measured(**times)
        self.inputs.append((seat, data, measured))
        return self._deliver(self.referee.receive(seat, data, measured))

    def overdue(self, seat: Seat, **times: int) -> tuple[bytes, ...]:
        return self._deliver(self.referee.overdue(seat, self.measured(**times)))

    def lost(self, seat: Seat, **times: int) -> tuple[bytes, ...]:
        return self._deliver(self.referee.lost(seat, self.measured(**times)))

    def came_back(self, seat: Seat, away_us: int, **times: int) -> tuple[bytes, ...]:
        return self._deliver(self.referee.came_back(seat, away_us, self.measured(**times)))

    def stayed_away(self, seat: Seat, away_us: int, **times: int) -> tuple[bytes, ...]:
        return self._deliver(self.referee.stayed_away(seat, away_us, self.measured(**times)))

    def garbage(self, seat: Seat, data: bytes) -> tuple[bytes, ...]:
        return self._deliver(self.referee.garbage(seat, data, "no frame", self.measured()))

    def stop(self, reason: pb.EndReason = pb.END_REASON_INTERRUPTED) -> tuple[bytes, ...]:
        return self._deliver(self.referee.stop(reason, "stopped by the test", self.now))

    def restart(self) -> None:
        """Another process takes over for the referee, from the records alone. Nobody is told."""
        self.referee = self.setup.resumed_referee(self.records)

    def resumed(self, away_us: int = 1_000_000) -> tuple[bytes, ...]:
        """The referee is restarted and says so; nobody is connected."""
        self.restart()
        self.now += away_us
        return self._deliver(self.referee.resumed(away_us, self.now))

    def all_back(self) -> None:
        """Whoever is away comes back at once."""
        for seat in self.players:
            self.came_back(seat, 0)

    def rejoin(self, seat: Seat) -> None:
        """Another process takes over for the bot in ``seat``, which is sent all again."""
        self.players[seat] = player = self.setup.player(seat)
        for part in self.referee.since(seat, 0):
            player.take(part.records, part.shows.get(seat, ()))

    def step(self) -> None:
        """One honest answer, of the lowest seat that owes one."""
        seat = min(self.referee.owed)
        self.send(seat, self.honest(seat))

    def until(self, reached: Callable[["Script"], bool]) -> Self:
        """Honest steps until ``reached``; fails if the match is over before."""
        while not reached(self):
            assert not self.referee.ended, "the match ended before"
            self.step()
        return self

    def play(self) -> Self:
        """Honest steps until only the close is left."""
        return self.until(lambda script: script.referee.ended)

    # --- The referee's hops --------------------------------------------------------------

    def _deliver(self, outbox: Outbox) -> tuple[bytes, ...]:
        if outbox.records or outbox.shows:
            self.records += outbox.records
            self.hand_over(outbox)
            if self.tamper is None and not self.refusals:
                self.agree()
        return outbox.records

    def hand_over(self, outbox: Outbox) -> dict[Watcher, Deviation]:
        """Give everybody these records, tampered with; who refused, and with what."""
        for watcher in self.sent:
            if watcher in self.refusals:
                continue
            mail = outbox if self.tamper is None else self.tamper(watcher, outbox)
            shows = () if watcher is None else mail.shows.get(watcher, ())
            self.sent[watcher] += [*mail.records, *shows]
            try:
                self._take(watcher, mail.records, shows)
            except Deviation as deviation:
                self.refusals[watcher] = deviation
        return self.refusals

    def _take(self, watcher: Watcher, records: Sequence[bytes], shows: Sequence[bytes]) -> None:
        if watcher is not None:
            self.players[watcher].take(records, shows)
            return
        for record in records:
            signed = parse_signed(record)
            if self.spectator is None:
                self.spectator = Fold(read_terms(signed))
            else:
                self.spectator.take(signed)

    # --- What everybody holds ------------------------------------------------------------

    @property
    def folds(self) -> list[Fold]:
        """The referee's, each seat's and the spectator's."""
        assert self.spectator is not None
        return [self.referee.fold, *(p.fold for p in self.players.values()), self.spectator]

    def agree(self) -> None:
        """Look that nobody's fold differs in anything public."""
        first, *others = (public_view(fold) for fold in self.folds)
        for other in others:
            assert other == first

    def events(self) -> list[pb.Event]:
        """All events so far; the close is none."""
        signed = map(parse_signed, self.records)
        return [pb.Event.FromString(s.body) for s in signed if s.type == EVENT]

    def finish(self) -> pb.MatchClose:
        """Close the match with everybody's signature, checked by the spectator too."""
        for seat, player in self.players.items():
            assert self.referee.sign_close(seat, player.sign_close(self.referee.close(self.now)))
        signed = parse_signed(self.referee.close(self.now))
        assert len(signed.signatures) == 1 + len(self.players)
        assert self.spectator is not None
        self.records.append(signed.to_bytes())
        return check_close(self.spectator, signed)


def public_view(fold: Fold) -> dict[str, Any]:
    """All of a fold that must be equal for everybody."""
    seats = range(len(fold.terms.seats))
    return {
        "place": (fold.sequence, fold.head, fold.time_us, fold.shuffle, fold.phase),
        "owed": fold.owed,
        "duty": fold.duty,
        "need": outline(fold.need),
        "ends": (list(fold.outs.items()), fold.stopped, fold.over),
        "clocks": [fold.clocks.left(seat, pb.PHASE_MOVE) for seat in seats],
        "unopened": fold.decks.unopened,
        "presence": [
            (fold.presence.is_away(s), fold.presence.is_excused(s), fold.presence.grace_left(s))
            for s in seats
        ],
    }


def event_of(record: bytes) -> pb.Event:
    return decode(pb.Event, parse_signed(record).body)


def owes(phase: pb.Phase, seat: Seat | None = None, at: int = 1) -> Callable[[Script], bool]:
    """A place to stop: the ``at``-th time that ``seat``, or any, owes an answer of ``phase``."""
    asked: set[int] = set()

    def reached(script: Script) -> bool:
        for owing, owed in script.referee.owed.items():
            if owed.phase == phase and seat in (None, owing):
                asked.add(owed.asked)
        return len(asked) >= at

    return reached
