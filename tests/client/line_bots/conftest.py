"""Bots that are the program ``tests/fakes/line_peer.py``, with one of its manners."""

import os
import select
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn
from tests.fakes.table import Dealer, Holder, Table

PEER = Path(__file__).parents[2] / "fakes" / "line_peer.py"
LONG_US = 60_000_000
"""So long that no test ever waits for it."""


def command(manner: str, *more: object) -> str:
    """The command line of a peer; without site packages it starts sooner."""
    return shlex.join([sys.executable, "-I", "-S", str(PEER), manner, *map(str, more)])


@pytest.fixture
def started() -> Iterator[Callable[..., LineBot]]:
    """Starts bots with a manner, and ends them with the test."""
    bots = []

    def start(manner: str, *more: object) -> LineBot:
        bots.append(LineBot(command(manner, *more), seed="7"))
        return bots[-1]

    yield start
    for bot in bots:
        bot.close()


def a_turn(match: str = "m", left_us: int = LONG_US) -> Turn:
    """The first decision of a match of cribbage, which is what to lay away."""
    table = Table(registry.game("cribbage"), 2, Dealer(seed=1), (Holder(0),))
    legal = table.deal().of(0)
    return Turn(table.game, table.states[Holder(0)], 0, legal, left_us, asked=4, match=match)


class Lifeline:
    """A FIFO of which the test reads the end when nobody holds it open any more."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "lifeline"
        os.mkfifo(self.path)
        self._end = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def all_gone(self, seconds: float = 60.0) -> bool:
        """Wait until every process is gone that had opened it; at most so long."""
        ready, _, _ = select.select([self._end], [], [], seconds)
        return bool(ready) and os.read(self._end, 1) == b""

    def close(self) -> None:
        os.close(self._end)


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    line = Lifeline(tmp_path)
    yield line
    line.close()
