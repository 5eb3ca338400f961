"""How much memory a call takes at its height."""

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def peak_of(call: Callable[[], object], *expected: type[Exception]) -> int:
    """The most bytes that were held at one time for a call, which may raise what is expected."""
    tracemalloc.start()
    try:
        with suppress(*expected):
            call()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak


def hollow(path: Path, size: int) -> Path:
    """Make a file of so many zero bytes, which has them by name alone."""
    with path.open("wb") as file:
        file.truncate(size)
    return path
