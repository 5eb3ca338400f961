"""Bots that fail, each in its own way."""

import os
import signal
import threading
from typing import Any, NoReturn


class Exits:
    """Its process ends in its first match, at its third decision."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, turn: Any) -> object:
        self.asked += 1
        if self.asked == 3:
            os._exit(9)
        return turn.legal[0]


class Hangs:
    """Never gives an answer."""

    def choose(self, turn: Any) -> object:
        threading.Event().wait()
        return turn.legal[0]


class Stops:
    """Its process is stopped, so that nothing of it answers any more."""

    def choose(self, turn: Any) -> object:
        os.kill(os.getpid(), signal.SIGSTOP)
        return turn.legal[0]


class Cheats:
    """Wants what is not legal."""

    def choose(self, turn: Any) -> object:
        return "all the points"


class Raises:
    """Has a mistake in it."""

    def choose(self, turn: Any) -> NoReturn:
        raise RuntimeError("I did not think of this")


class Tells:
    """Plays, and tells of each of its decisions, so that a test knows when it thinks."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, turn: Any) -> object:
        self.asked += 1
        print(f"decision {self.asked}", flush=True)
        return turn.legal[0]
