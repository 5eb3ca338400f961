"""Whole matches to hold disturbed ones against."""

from functools import cache

from tests.fakes.scripted import Script, Setup, graceful
from tests.fakes.steady import steady


@cache
def undisturbed(game: str, seats: int) -> Script:
    script = Script(Setup(game, seats, seed="resumed", clock=graceful()))
    script.choose = steady
    script.play()
    return script


def some(number: int, of: int) -> list[int]:
    """Up to ``number`` places, spread evenly from the first to the last one of ``of``."""
    return sorted({round(i * (of - 1) / max(1, number - 1)) for i in range(number)})
