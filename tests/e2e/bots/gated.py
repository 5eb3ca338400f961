"""A bot that stops the tournament where a test wants to break it off."""

import threading
from pathlib import Path
from typing import Any


class Waits:
    """Plays, unless a file ``gate`` is in the current folder at its third decision.

    Then it says so on standard output and never answers.
    """

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, turn: Any) -> object:
        self.asked += 1
        if self.asked == 3 and Path("gate").exists():
            print("at the gate", flush=True)
            threading.Event().wait()
        return turn.legal[0]


class Lingers:
    """Plays, but at its third decision says so and goes on when the pipe ``gate`` is written to."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, turn: Any) -> object:
        self.asked += 1
        if self.asked == 3:
            print("at the gate", flush=True)
            Path("gate").read_bytes()
        return turn.legal[0]


class LingersOften:
    """Plays, but as long as there is a file ``hold`` says so at each decision, with how many
    times it has, and goes on when the pipe ``gate`` is written to.
    """

    def __init__(self) -> None:
        self.times = 0

    def choose(self, turn: Any) -> object:
        if Path("hold").exists():
            self.times += 1
            print(f"at the gate {self.times}", flush=True)
            Path("gate").read_bytes()
        return turn.legal[0]
