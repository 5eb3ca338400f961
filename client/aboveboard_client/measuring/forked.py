"""Processes that are forked from one which has loaded this program and no bot.

That takes a few milliseconds where a new interpreter would take half a second, and a fork of a
process with threads can hang, which that one has none of.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from multiprocessing.process import BaseProcess
from typing import Any

PATIENCE_S = 1.0
"""How long a process that nobody asks any more has to end by itself, before it is ended."""

CONTEXT = get_context("forkserver")
"""Where the pipes to them are from."""

_PRELOADED = (
    "__main__",
    "aboveboard_client.bots",
    "aboveboard_client.checking.worker",
    "aboveboard_client.measuring.bot_process",
)


def begin(serve: Callable[..., None], *arguments: Any) -> BaseProcess:
    """A new process that runs ``serve``, a function of a module's, and ends with it.

    Signals that end this process wait until that one is begun: one that is begun by halves
    complains of it.
    """
    CONTEXT.set_forkserver_preload(list(_PRELOADED))
    # Not daemonic: a bot may want processes of its own.
    process = CONTEXT.Process(target=serve, args=arguments)
    sys.stdout.flush()
    with _unbroken():
        process.start()
    return process


@contextmanager
def _unbroken() -> Iterator[None]:
    """Blocking the signals would not do: any other thread of this process would take them."""
    ensure_running()
    if threading.current_thread() is not threading.main_thread():
        yield  # it is the main thread alone that signals break into
        return
    came: list[int] = []

    def wait(number: int, _frame: object) -> None:
        came.append(number)

    before = {number: signal.signal(number, wait) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for again in came:
            signal.raise_signal(again)


# --- Their end -----------------------------------------------------------------------------------


def close(process: BaseProcess, *, patiently: bool) -> None:
    """End one that leads a group; ``patiently`` only once it has had time to end by itself."""
    try:
        if patiently:
            process.join(PATIENCE_S)
    finally:  # a second Ctrl-C included: nobody else would end it
        end_group(process)


def end_group(process: BaseProcess) -> None:
    """Kill a process that leads a group of its own, and all that is left of that group."""
    assert process.pid is not None
    # Its group keeps the number from others for as long as anybody is left in it.
    # Nobody is (macOS: nobody but dead ones), or it leads no group yet.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.is_alive():
        process.kill()
    process.join()


def how_ended(process: BaseProcess) -> str:
    """Of one that has closed its pipe: what it did, after "the bot" and the like."""
    process.join(PATIENCE_S)  # closing its end and being gone are two things
    code = process.exitcode
    if code is None:
        return "closed its connection to this program"
    if code < 0:
        return f"was ended by {_signal_name(-code)}"
    return f"ended its process with code {code}"


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


# --- Inside one ----------------------------------------------------------------------------------


def lead_group() -> None:
    """Have a group of its own, for ``end_group``, and leave Ctrl-C to whoever began it."""
    os.setsid()
    ignore_interrupts()


def ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def write_lines_at_once() -> None:
    """Have each line go out when it is written: a process that is killed has no time for it."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file


def flush_outputs() -> None:
    """Have all go out that was written, before anybody hears what came of it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # a bot may have closed them
            stream.flush()


def while_heard() -> AbstractContextManager[None]:
    """Ends what is said and heard over a pipe once nobody is at its other end."""
    # Reset where whoever asked went away without reading the last answer.
    return suppress(EOFError, BrokenPipeError, ConnectionResetError)


def answer_all(pipe: "Connection[Any, Any]", answer: Callable[[Any], Any]) -> None:
    """Answer whatever is asked, for as long as somebody asks. ``answer`` raises nothing."""
    with while_heard():
        while True:
            pipe.send(answer(pipe.recv()))
