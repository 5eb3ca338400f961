"""A bot in a process of its own, so that it can keep nothing from one game for another.

The processes are forked from one that has loaded this program and no bot, which takes a
few milliseconds where a new interpreter would take half a second.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ensure_running
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

from aboveboard_client.bot import Bot, UnknownBot, ending, load, plays
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.traces import trace_of
from aboveboard_client.wrong_moves import chosen
from aboveboard_referee.match.player import Turn

PATIENCE_S = 1.0
"""How long a bot has to end once its game is over, before it is ended."""

_PRELOADED = ("__main__", "aboveboard_client.measuring.bot_process", "aboveboard_client.bots")


class Failed(Exception):
    """The bot raised, died, took too long, or chose what is no legal move.

    ``trace`` is the traceback of what it raised, for its author; empty where it did not.
    """

    def __init__(self, what: str, trace: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.trace = trace


@dataclass(frozen=True)
class _Answer:
    """``move`` is an index into the legal moves; None: ``failed`` says why not."""

    move: int | None
    thought_ns: int = 0
    failed: str = ""
    trace: str = ""


class BotProcess:
    """The bot that ``spec`` names, fresh; a context, at the end of which it is gone.

    It has ``limit_s`` seconds to begin and for each move. Whatever the bot itself prints
    goes where this process prints.
    """

    def __init__(self, spec: str, seed: bytes, game_name: str, limit_s: float = 60.0) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload(list(_PRELOADED))
        self._pipe, theirs = context.Pipe()
        # Not daemonic: a bot may want processes of its own.
        self._process = context.Process(target=_serve, args=(theirs, spec, seed, game_name))
        sys.stdout.flush()
        with _unbroken():
            self._process.start()
        theirs.close()
        self._ready = False
        self._limit_s = limit_s

    def wait(self) -> None:
        """Until the bot is there. Raises ``UnknownBot`` where ``load`` would, or if it does not
        play the game, and ``Failed`` if it is dead.
        """
        if not self._ready:
            refused = self._receive("to begin")
            if refused is not None:
                raise UnknownBot(refused)
            self._ready = True

    def choose(self, turn: Turn) -> tuple[Any, int]:
        """Its move, and the nanoseconds that it thought. Raises ``Failed``, and what ``wait``
        does.
        """
        self.wait()
        try:
            self._pipe.send(turn)
        except BrokenPipeError:
            raise self._died() from None
        answer: _Answer = self._receive("for a move")
        if answer.move is None:
            raise Failed(answer.failed, answer.trace)
        return turn.legal[answer.move], answer.thought_ns

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pipe.close()  # its end, to a bot that listens
        try:
            if error is None:
                self._process.join(PATIENCE_S)
        finally:  # a second Ctrl-C included: nobody else would end it
            end_group(self._process)
        self._process.close()

    def _receive(self, what_for: str) -> Any:
        try:
            if not self._pipe.poll(self._limit_s):
                raise Failed(f"took more than {self._limit_s:g} s {what_for}")
            return self._pipe.recv()
        except (EOFError, ConnectionResetError):
            raise self._died() from None

    def _died(self) -> Failed:
        self._process.join(PATIENCE_S)
        code = self._process.exitcode
        if code is not None and code < 0:
            return Failed(f"had its process ended by {signal.Signals(-code).name}")
        return Failed(f"ended its process with code {code}")


@contextmanager
def _unbroken() -> Iterator[None]:
    """Signals that end this process wait: a process begun by halves complains of it.

    Blocking them would not do: any other thread of this process would take them.
    """
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


def _serve(pipe: "Connection[Any, Any]", spec: str, seed: bytes, game_name: str) -> None:
    """The process: None once the bot is there, or why it is not; then its answers."""
    os.setsid()  # its group is what is ended with it
    # Ctrl-C reaches every process of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        bot = load(spec, seed)
        refused = None if plays(bot, game_name) else f"{spec} does not play {game_name}"
    except UnknownBot as error:
        refused = str(error)
    try:
        pipe.send(refused)
    except (BrokenPipeError, ConnectionResetError):  # the run is over already
        return
    if refused is None:
        with ending(bot):
            _answer_all(pipe, bot)


def _answer_all(pipe: "Connection[Any, Any]", bot: Bot) -> None:
    while True:
        try:
            turn: Turn = pipe.recv()
        # Reset where whoever asked went away without reading the last answer.
        except (EOFError, ConnectionResetError):
            return
        answer = _answer(bot.choose, turn)
        try:
            pipe.send(answer)
        except (BrokenPipeError, ConnectionResetError):
            return


def _answer(choose: Any, turn: Turn) -> _Answer:
    start = time.perf_counter_ns()
    try:
        move = choose(turn)
        thought = time.perf_counter_ns() - start
        index = _index(turn.legal, move)
    except LineBotFailed as failed:
        return _Answer(None, failed=str(failed))
    # Whatever the bot raises is its own, and Ctrl-C means nothing here.
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001
        return _Answer(None, failed=f"raised {type(error).__name__}", trace=trace_of(error))
    if index is None:
        return _Answer(None, failed=chosen(turn, move))
    return _Answer(index, thought)


def _index(legal: Sequence[Any], move: Any) -> int | None:
    return legal.index(move) if move in legal else None
