"""Whole tournaments on a bad network, with bots that crash, hang, stall, flood and talk nonsense.

The client's own sessions play, the whole server runs, and only the network, the disk and the
time are made up, by a plan that follows from a seed.
"""

import gc
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
import trio

from aboveboard_protos.bridge import Broken, Overflow
from aboveboard_protos.bridge._buffers import Inbox, Outbox
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.host.table import Table
from aboveboard_referee.match.result import BOT, SERVICE
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.outdoors import Outdoor
from tests.fakes.robots import CLOCK, Robot, sends, up
from tests.fakes.serving import Served, config, serve
from tests.fakes.weather import Toll

PING = up(ping=wire.Ping(number=1))

T = TypeVar("T")

MOST_TABLES = 16
"""Matches at once."""

MOST_WAITING = 300_000
"""Bytes for one peer that does not read. Its line holds 64 messages, its buffer 256."""


# --- Bad bots ------------------------------------------------------------------------------------


async def stall(_: Robot) -> None:
    """Reads nothing from here on, and says nothing."""
    await trio.sleep_forever()


async def flood(robot: Robot) -> None:
    """Sends as much as the stream takes, for a while."""
    for _ in range(200):
        try:
            for _ in range(100):
                robot.stream.send(PING)
        except Overflow:
            await trio.sleep(0.01)
        except Broken:
            return
        await trio.lowlevel.checkpoint()


def once_in_a_match(act: Any, seed: str) -> Any:
    def habit(ticket: pb.Ticket) -> Mapping[str, Any]:
        chance = Random(f"{seed} {ticket.match} {ticket.seat}")
        return {"instead": act, "phase": pb.PHASE_MOVE, "after": chance.randrange(4)}

    return habit


Anybody = Outdoor | Entrant


def bad_bots(first: int, seed: str, toll: Toll) -> list[Anybody]:
    """One of each kind."""
    return [
        Outdoor(first, seed, toll, crashes=2, stays_down=True),
        Outdoor(first + 1, seed, toll, hangs_after=5),
        Entrant(first + 2, habit=once_in_a_match(stall, seed)),
        Entrant(first + 3, habit=once_in_a_match(flood, seed)),
        Entrant(first + 4, habit=once_in_a_match(sends(b"\xff\xfe"), seed)),
        Entrant(first + 5, habit=once_in_a_match(sends(up(answer=bytes(4000))), seed)),
    ]


# --- The run -------------------------------------------------------------------------------------


class Watch:
    """Looks at what takes memory: now and then at matches, always at streams."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._others = _all(Table)  # which other tests of this process still hold
        self.tables: set[int] = set()
        self.most = {Inbox: 0, Outbox: 0}  # bytes that have waited in one
        for kind in self.most:
            patch.setattr(kind, "put", self._measured(kind, kind.put))

    async def look(self, _: Network) -> None:
        while True:
            self.tables.add(self.open())
            await trio.sleep(30)

    def open(self) -> int:
        """How many tables of this run are in memory."""
        return len(_all(Table)) - len(self._others)

    def _measured(self, kind: type, put: Any) -> Any:
        def measured(waiting: Any, message: bytes) -> None:
            put(waiting, message)
            self.most[kind] = max(self.most[kind], waiting._size)

        return measured


def _all(kind: type[T]) -> list[T]:
    gc.collect()
    return [thing for thing in gc.get_objects() if isinstance(thing, kind)]


def chaos(
    folder: Path, seed: str, honest: int, bad: int, **fields: Any
) -> tuple[Served, Sequence[Anybody], Toll, Watch]:
    toll = Toll()
    good = [Outdoor(number, seed, toll, crashes=number % 10 == 3) for number in range(honest)]
    bots: list[Anybody] = [*good, *bad_bots(honest, seed, toll)[:bad]]
    clock = pb.Clock()
    clock.CopyFrom(CLOCK)
    # What the network does to anybody stays within these.
    clock.move_us, clock.bank_us, clock.protocol_us = 60_000_000, 0, 60_000_000
    clock.grace_us, clock.start_us = 120_000_000, 90_000_000
    event = config(
        folder, entrants=honest + bad, clock=clock, matches_at_once=MOST_TABLES, **fields
    )
    with pytest.MonkeyPatch.context() as patch:
        watch = Watch(patch)
        served = serve(event, *bots, beside=watch.look, seconds=3000)  # type: ignore[arg-type]
    for bot in bots:
        if isinstance(bot, Entrant):
            bot.robots.clear()  # their streams, of whose other ends matches are told
    return served, bots, toll, watch


def check(served: Served, bots: Sequence[Anybody], honest: int, watch: Watch) -> Counter[str]:
    """What must be so however bad it was; how matches ended."""
    assert served.failure is None, served.failure
    assert served.errors == []
    report = served.report()
    assert report.findings == []
    ledger = served.ledger
    ends: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for (match, attempt), close in served.closes.items():
        entrants = ledger.matches[match].entrants
        ends[pb.EndReason.Name(close.reason)] += 1
        played[match] += close.reason not in SERVICE
        for entrant, seat in zip(entrants, close.seats, strict=True):
            name = ledger.field.names[entrant]
            if int(name.removeprefix("bot-")) < honest:
                assert seat.reason not in BOT, (match, attempt, name, close)
    # Every match that was paired has one result.
    assert set(played) == set(ledger.matches)
    assert set(played.values()) == {1}
    # No match is kept after its end, and nobody's outbound messages without bounds.
    # (Whoever is still connected to a match that is over holds it until the line is down.)
    assert 0 < max(watch.tables) <= 2 * MOST_TABLES
    assert watch.open() == 0
    assert max(watch.most.values()) < MOST_WAITING
    for bot in bots:
        if isinstance(bot, Outdoor) and bot.number < honest:
            assert bot.outcome is not None, (bot.name, bot.failures)
            assert not any(end.deviated for end in bot.outcome.ends)
    return ends


def run_and_check(folder: Path, seed: str, honest: int, bad: int, **fields: Any) -> None:
    served, bots, toll, watch = chaos(folder, seed, honest, bad, **fields)
    ends = check(served, bots, honest, watch)
    print(
        f"\n{dict(ends)}; {toll}; {served.seconds:.0f} s; {max(watch.most.values())} bytes waited"
    )


def test_no_honest_bot_loses_by_a_bad_network_in_bad_company(tmp_path: Path) -> None:
    run_and_check(tmp_path, "few", honest=10, bad=6, rounds=2, games=("nebraska:family",))


def test_sixty_bots_come_to_an_end_on_a_bad_network(tmp_path: Path) -> None:
    run_and_check(tmp_path, "sixty", honest=54, bad=6, rounds=2, games=("nebraska:family",))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_sixty_bots_come_to_an_end_in_every_game_on_a_bad_network(
    seed: int, tmp_path: Path
) -> None:
    games = ("cribbage", "nebraska:expert", "allegra")
    run_and_check(tmp_path, f"{seed}", honest=54, bad=6, rounds=3, games=games)
