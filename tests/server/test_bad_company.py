"""Tournaments full of bots that do whatever they like, under servers that are stopped."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.match.result import BOT
from aboveboard_server.store.book import Book
from tests.fakes.entrants import Entrant, Habit, whole
from tests.fakes.robots import (
    Act,
    after,
    answer,
    hang_up,
    nothing,
    resign,
    sends,
    sign_close,
    up,
    vanish,
)
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Snapshots

PING = up(ping=wire.Ping(number=1))

ACTS: list[Act] = [
    resign,
    vanish,
    hang_up,
    nothing,
    after(3, answer),
    after(12, answer),
    sends(b"\xff\xfe"),
    sends(b""),
    sends(up(answer=b"\xff")),
    sends(*[PING] * 30),
    sends(up(close_signature=bytes(64))),
]

SIGNS: list[Act] = [sign_close, nothing, vanish, sends(up(close_signature=bytes(64)))]

PHASES = [pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_MOVE, pb.PHASE_COMMITMENT, pb.PHASE_OPENING]


def moody(seed: str) -> Habit:
    """Does in every match something else, or nothing bad at all."""

    def habit(ticket: pb.Ticket) -> Mapping[str, Any]:
        chance = Random(f"{seed} {ticket.match} {ticket.attempt} {ticket.seat}")
        phase = chance.choice(PHASES)
        return {
            "instead": chance.choice(ACTS),
            "phase": phase,
            "after": chance.randrange(3) if phase == pb.PHASE_MOVE else 0,
            "sign": chance.choice(SIGNS),
            "comes": chance.choice([0, 0, 1, 25]),
            "stays": chance.choice([1000, 1000, 1000, 4]),
        }

    return habit


def company(seed: int) -> list[Entrant]:
    """Four of that kind, and an honest one among them."""
    others = [Entrant(number, habit=moody(f"{seed} {number}")) for number in range(4)]
    return [*others, Entrant(4, "honest", habit=whole)]


def check_honest(store: Snapshots) -> None:
    """The honest bot was never put out, and never lost to one that was."""
    book = Book().apply_all(store.events())
    honest = book.ledger.field.names.index("honest")
    for pairings in book.ledger.rounds:
        for pairing in pairings.pairings:
            if honest in pairing.entrants:
                close = book.result(pairing.match)
                assert close is not None
                own = close.seats[list(pairing.entrants).index(honest)]
                assert own.reason not in BOT
                if close.reason in BOT:
                    assert own.half_points == 2


def check_bad_company(seed: int, folder: Path) -> None:
    chance = Random(seed)
    games = ("cribbage", "nebraska:family", "allegra")
    store: Snapshots | None = None
    for number in range(3):
        home = folder / str(number)
        home.mkdir(parents=True)
        event = config(home, entrants=5, rounds=3, games=games)
        served = serve(event, *company(seed), store=store)
        assert served.failure is None
        assert served.errors == []
        report = served.report()
        assert report.findings == []
        assert report.counts.rounds == 3
        check_honest(served.store)
        store = served.store.until(chance.choice(served.store.marks[:-1]))


@pytest.mark.parametrize("seed", range(2))
def test_whatever_bots_do_the_tournament_ends_and_verifies(seed: int, tmp_path: Path) -> None:
    check_bad_company(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 16))
def test_whatever_many_bots_do_the_tournament_ends_and_verifies(seed: int, tmp_path: Path) -> None:
    check_bad_company(seed, tmp_path)
