"""One running program that answers lines with lines, asked under a deadline.

Nothing that it does blocks for longer than that, or takes more memory than is said here.
"""

import codecs
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from aboveboard_client.line_bots import guard
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.lines import QUIT_LINE
from aboveboard_referee.counted import counted

T = TypeVar("T")

MOST_LINE = 4096
"""Bytes that a line of the program's may have."""
MOST_UNASKED = 1 << 18
"""Bytes that it may write to no purpose, between two questions or before an answer."""
KEPT_OUTPUT = 1 << 14
"""The last bytes of its standard error that are kept."""
SHOWN_OUTPUT = 1 << 20
"""Bytes of it that are shown, after which it is only kept."""
ENDING_S = 1.0
"""How long it has to end by itself once it is told to quit."""

_CHUNK = 1 << 16


class LineProcess:
    """A program and its three streams. One thread asks it at a time; any may ``kill`` it.

    What it writes to standard error is handed to ``show`` while it is asked.
    """

    def __init__(self, command: Sequence[str], show: Callable[[str], None]) -> None:
        self._show = show
        self._lifeline, theirs = socket.socketpair()
        with theirs:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, str(theirs.fileno()), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # its group is what is ended, and Ctrl-C is ours
            )
        assert self._guard.stdin is not None
        assert self._guard.stdout is not None
        assert self._guard.stderr is not None
        self._stdin, self._stdout, self._stderr = (
            self._guard.stdin,
            self._guard.stdout,
            self._guard.stderr,
        )
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._read = bytearray()  # of standard output, and not looked at yet
        self._output = bytearray()
        self._shown = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @property
    def output(self) -> str:
        """The end of what it has written to standard error."""
        return bytes(self._output).decode(errors="replace")

    @property
    def ended(self) -> bool:
        """Whether it is known to be gone."""
        return self._guard.poll() is not None

    def ask(self, message: bytes, seconds: float, read: Callable[[bytes], T | None]) -> T:
        """Send it a message, and give its first line in which ``read`` finds an answer.

        Blank lines are passed over. Raises ``LineBotFailed`` if there is none in time, or
        whatever keeps it from answering; then it is of no use any more.
        """
        deadline = time.monotonic() + seconds
        self._discard_unasked()
        unsent = memoryview(message)
        unasked = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            while True:
                ready = {
                    key.fileobj for key, _ in selector.select(max(0.0, deadline - time.monotonic()))
                }
                if self._stderr in ready and not self._take_output():
                    selector.unregister(self._stderr)
                if self._stdout in ready:
                    unasked += self._take_answer_bytes()
                    answer = self._first(read)
                    if answer is not None:
                        return answer
                    if unasked > MOST_UNASKED:
                        raise LineBotFailed(f"wrote {counted(unasked, 'byte')} that are no answer")
                elif self._stdin in ready:
                    if not unsent:
                        raise self._ended("closed its standard input")
                    unsent = unsent[self._send(unsent) :]
                    if not unsent:
                        # From here on it is ready only once nobody can read there any more.
                        selector.modify(self._stdin, selectors.EVENT_READ)
                if time.monotonic() >= deadline:
                    reading = (
                        ", and has not read the question"
                        if unsent
                        else " (does it write a whole line, and flush it?)"
                    )
                    raise LineBotFailed(f"gave no answer within {seconds:.1f} s{reading}")

    def tell(self, message: bytes) -> None:
        """Send it a message that needs no answer. One that it has no room for is dropped."""
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(self._stdin.fileno(), message)

    def kill(self) -> None:
        """End it now, with all that it started. Whoever asks it meanwhile is told so."""
        if not self.ended:
            # Its guard leads the group, and its number is nobody else's before ``wait``.
            with suppress(ProcessLookupError):
                os.killpg(self._guard.pid, signal.SIGKILL)

    def quit(self) -> None:
        """Tell it that this is the end. ``close`` gives it a moment for that."""
        self.tell(QUIT_LINE)
        self._stdin.close()

    def close(self, seconds: float = 0.0) -> None:
        """End it after so many seconds, unless it has ended, and let go of its streams."""
        try:
            self._guard.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self.kill()
            self._guard.wait()
            self._take_output()
            for stream in (self._stdin, self._stdout, self._stderr):
                stream.close()
            self._lifeline.close()

    # --- Its streams ------------------------------------------------------------------------

    def _send(self, message: memoryview) -> int:
        try:
            return os.write(self._stdin.fileno(), message)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise self._ended("closed its standard input") from None

    def _take_answer_bytes(self) -> int:
        data = self._stdout.read(_CHUNK)
        if data == b"":
            raise self._ended("closed its standard output")
        self._read += data or b""
        return len(data or b"")

    def _first(self, read: Callable[[bytes], T | None]) -> T | None:
        """The first answer among the lines that have come whole."""
        while (end := self._read.find(b"\n")) >= 0:
            line = bytes(self._read[:end]).strip()
            del self._read[: end + 1]
            if end > MOST_LINE:
                raise LineBotFailed(f"answered with a line of more than {MOST_LINE} bytes")
            answer = read(line) if line else None
            if answer is not None:
                return answer
        if len(self._read) > MOST_LINE:
            raise LineBotFailed(f"answered with a line of more than {MOST_LINE} bytes")
        return None

    def _discard_unasked(self) -> None:
        """What it wrote since its last answer can be no answer to what it is asked now."""
        unasked = len(self._read)
        self._read.clear()
        while data := self._stdout.read(_CHUNK):
            unasked += len(data)
            if unasked > MOST_UNASKED:
                raise LineBotFailed(f"wrote {counted(unasked, 'byte')} that nobody asked for")

    def _take_output(self) -> bool:
        """Take what it wrote to standard error; whether there may be more."""
        data = self._stderr.read(_CHUNK)
        if data:
            self._output += data
            del self._output[:-KEPT_OUTPUT]
            if self._shown < SHOWN_OUTPUT:
                self._show(self._decoder.decode(data))
                self._shown += len(data)
                if self._shown >= SHOWN_OUTPUT:
                    self._show(f"\n[of {SHOWN_OUTPUT} bytes and more the rest is not shown]\n")
        return data != b""

    def _ended(self, otherwise: str) -> LineBotFailed:
        """How it came to its end, or, if it lives on, what it did."""
        self._lifeline.settimeout(ENDING_S)  # a closed stream and the end are two things
        try:
            what = self._lifeline.recv(200).decode(errors="replace") or "was ended"
        except TimeoutError:
            what = otherwise
        self._take_output()
        return LineBotFailed(what)
