"""Bots that are the program ``line_peer.py``, with one of its manners, and what to ask them."""

import os
import select
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn
from tests.fakes.table import Dealer, Holder, Table

PEER = Path(__file__).with_name("line_peer.py")
LONG_US = 60_000_000
"""So long that no test ever waits for it."""

Start = Callable[..., LineBot]
"""Starts a bot with a manner."""


def command(manner: str, *more: object) -> str:
    """The command line of a peer; without site packages it starts sooner."""
    return shlex.join([sys.executable, "-I", "-S", str(PEER), manner, *map(str, more)])


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
