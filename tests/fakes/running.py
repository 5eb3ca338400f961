"""A match that is played between bots who move at random, in one place and at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.player import Expected, Player
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.tournament.plan import game_named
from tests.fakes.cup import NOON, Cup, Edit, keep, secret


class Log(Protocol):
    """Where a match is opened."""

    def opened(self, record: bytes) -> bytes:
        """The note of a checkpoint over the opening, which is a leaf from now on."""
        ...


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
class Running:
    """A match that is being played, between bots who move at random."""

    organiser: Cup
    referee: Referee
    players: list[Player]
    keys: list[PrivateKey]
    trouble: Trouble | None = None
    log: Log | None = None
    records: list[bytes] = field(default_factory=list)
    answers: int = 0
    now_us: int = NOON + 1_000
    close: pb.MatchClose = field(default_factory=pb.MatchClose)

    @classmethod
    def of(
        cls,
        organiser: Cup,
        match: PlannedMatch,
        attempt: int = 1,
        trouble: Trouble | None = None,
        edit: Edit = keep,
        key: PrivateKey | None = None,
        log: Log | None = None,
        entry_keys: Sequence[PrivateKey] = (),
    ) -> "Running":
        """A planned match; ``edit`` changes its terms, ``key`` is another referee's.

        ``entry_keys`` are those in force by seat, if they are others than were entered with.
        """
        manifest = organiser.manifest
        holders = entry_keys or [organiser.entry_key(entrant) for entrant in match.entrants]
        opening = pb.MatchOpen(
            tournament=organiser.tournament,
            match=match.match,
            attempt=attempt,
            game=game_named(manifest, match.game),
            seats=[
                pb.SeatTerms(entrant=entrant, entry_key=holder.public.raw)
                for entrant, holder in zip(match.entrants, holders, strict=True)
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
        for seat, holder in enumerate(holders):
            match_key = organiser.match_key(opening.match, opening.attempt, seat)
            body = pb.MatchKey(
                tournament=opening.tournament,
                match=opening.match,
                attempt=opening.attempt,
                seat=seat,
                key=match_key.public.raw,
            )
            certificate = sign(type_of("match-key"), encode(body), holder).to_bytes()
            if trouble is None or seat not in trouble.absent:
                opening.seats[seat].certificate = certificate
            expected = Expected(
                *place,
                seat,
                referee_key.public.raw,
                opening.game,
                certificate,
                in_log=log is not None,
            )
            players.append(Player(expected, match_key, secret(organiser.label, place, seat)))
            keys.append(match_key)
        referee = Referee(opening, referee_key, secret(organiser.label, place, "referee"))
        return cls(organiser, referee, players, keys, trouble, log)

    def play(self) -> list[bytes]:
        """To the end; the records are the whole transcript's."""
        terms = self.referee.fold.terms
        chance = Random(f"{self.organiser.label} {terms.wire.match} {terms.wire.attempt}")
        self.deliver(self.referee.start(self.now_us))
        if self.log is not None:
            note = self.log.opened(self.records[0])
            for player in self.players:
                player.logged(note)
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
