"""What a bot in this process prints while it is asked, kept beside being shown.

``hearing`` puts itself before standard output and standard error for as long as bots play;
``heard_by`` says, in the thread that asks one, whose words are said there.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from aboveboard_client.checking.output import Output

_asking = threading.local()


class _Ear:
    """A stream that everything goes through; all but ``write`` is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        output: Output | None = getattr(_asking, "output", None)
        if output is not None:
            output.add(text.encode(errors="replace"))
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def hearing() -> Iterator[None]:
    """Hear what bots print."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", _Ear(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextmanager
def heard_by(output: Output | None) -> Iterator[None]:
    """In this thread, until the end of the block."""
    _asking.output = output
    try:
        yield
    finally:
        _asking.output = None
