"""Matches whose terms somebody has tampered with before they begin."""

from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.local import CLOCK, certificate
from aboveboard_referee.match.player import Expected, Player
from tests.fakes.attack_matches import must_deviate
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Setup


def opened_all_the_same(setup: Setup) -> bytes:
    """The opening of a match by a referee who does not look at its terms."""
    wire = setup.opening()
    referee = key(f"{setup.seed} referee")
    wire.referee_key, wire.referee_tip = referee.public.raw, secret("a tip")
    return sign(type_of("match-open"), encode(wire), referee).to_bytes()


def with_grace(grace_us: int = 10_000_000) -> pb.Clock:
    """The usual clock, with so much grace for lost connections."""
    clock = pb.Clock()
    clock.CopyFrom(CLOCK)
    clock.grace_us = grace_us
    return clock


@dataclass(frozen=True)
class Attempt(Setup):
    """A further attempt, by the same keys; ``certified``: what the certificates are for."""

    attempt: int = 2
    certified: int = 0  # 0: this attempt

    def certificate(self, seat: Seat) -> bytes:
        body = pb.MatchKey(
            tournament=self.tournament,
            match=self.match,
            attempt=self.certified or self.attempt,
            seat=seat,
            key=key(f"{self.seed} seat {seat}").public.raw,
        )
        return certificate(key(f"{self.seed} entry {seat}"), body)

    def opening(self) -> pb.MatchOpen:
        opening = super().opening()
        opening.attempt = self.attempt
        return opening

    def player(self, seat: Seat) -> Player:
        expected = Expected(
            self.tournament,
            self.match,
            self.attempt,
            seat,
            key(f"{self.seed} referee").public.raw,
            self.wire_game,
            self.certificate(seat),
        )
        return Player(expected, key(f"{self.seed} seat {seat}"), secret(f"{self.seed} seat {seat}"))


@dataclass(frozen=True)
class WithMatchKey(Setup):
    """Seat 0's entry key has certified these bytes as its match key."""

    raw: bytes = b""

    def certificate(self, seat: Seat) -> bytes:
        if seat != 0:
            return super().certificate(seat)
        body = pb.MatchKey(
            tournament=self.tournament, match=self.match, attempt=1, seat=seat, key=self.raw
        )
        return certificate(key(f"{self.seed} entry {seat}"), body)


def must_be_refused(setup: Setup) -> None:
    """No referee opens this match, and if one does no other seat's bot plays in it."""
    must_deviate(setup.referee, Step.OPENING)
    must_deviate(lambda: setup.player(1).take([opened_all_the_same(setup)]), Step.OPENING)
