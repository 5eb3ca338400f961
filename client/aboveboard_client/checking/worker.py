"""A bot in a process that can be ended: whatever it does there, its check goes on.

It leads a process group of its own, so that whatever the bot started ends with it, and both
its outputs go to a pipe that is read here.
"""

import faulthandler
import os
import sys
import time
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, Self

from aboveboard_client.bot import LOAD_SECONDS, Bot, UnknownBot, ending, load, plays
from aboveboard_client.checking.output import Output
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_client.measuring import forked
from aboveboard_client.traces import trace_of
from aboveboard_client.wrong_moves import described
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn

MARGIN_SECONDS = 0.2
"""Beyond the time allowed: whoever answers just too late is told how late, not ended."""

_CHUNK = 1 << 16
_LAST_READS = 16  # more than a pipe holds


class BotFault(Exception):
    """What the bot did in place of a legal move; ``str()`` is the line that tells it.

    ``kind`` is one of ``raised``, ``illegal``, ``too-slow``, ``ended`` and ``program``, the
    last for a program that talks lines and did so wrongly. ``sent`` shows what was returned,
    ``trace`` is the traceback, both empty where there is none. ``seconds`` is what it had
    taken by then, and ``output`` the end of what such a program wrote.
    """

    def __init__(
        self,
        kind: str,
        what: str,
        seconds: float,
        sent: str = "",
        trace: str = "",
        output: str = "",
    ) -> None:
        super().__init__(what)
        self.output = output
        self.kind = kind
        self.seconds = seconds
        self.sent = sent
        self.trace = trace


@dataclass(frozen=True)
class _Made:
    """The bot is there and plays these rule sets; or ``refused`` says why it is not."""

    games: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class _Answer:
    """``move`` is an index into the legal moves; None: the other fields say why not."""

    move: int | None
    thought_s: float
    kind: str = ""
    what: str = ""
    sent: str = ""
    trace: str = ""
    output: str = ""


class Worker:
    """The bot that ``spec`` names, fresh; a context, at the end of which it is gone."""

    def __init__(self, spec: str, seed: bytes) -> None:
        self._pipe, theirs = forked.CONTEXT.Pipe()
        self._written, writes = forked.CONTEXT.Pipe(duplex=False)
        os.set_blocking(self._written.fileno(), False)
        self.output = Output()
        self._writes = True  # as long as anybody can write to that pipe
        self._made: _Made | None = None
        self._process = forked.begin(_serve, theirs, writes, spec, seed, os.getcwd())
        theirs.close()
        writes.close()

    def games(self) -> tuple[str, ...]:
        """The rule sets that the bot plays. Raises ``UnknownBot`` where ``load`` would, and
        ``BotFault`` for one that cannot be loaded in time or dies of it.
        """
        if self._made is None:
            self._made = self._receive(LOAD_SECONDS, f"was not loaded within {LOAD_SECONDS:g} s")
        if self._made.refused:
            raise UnknownBot(self._made.refused)
        return self._made.games

    def choose(self, turn: Turn, seconds: float) -> tuple[Any, float]:
        """Its move, and the seconds that it thought. Raises ``BotFault``, and what ``games``
        does. A bot without an answer by then is ended.
        """
        self.games()
        try:
            self._pipe.send(turn)
        except BrokenPipeError:
            raise self._ended(0.0) from None
        answer: _Answer = self._receive(
            seconds + MARGIN_SECONDS, f"gave no answer within {seconds:g} s, and was ended"
        )
        if answer.move is None:
            raise BotFault(
                answer.kind,
                answer.what,
                answer.thought_s,
                answer.sent,
                answer.trace,
                answer.output,
            )
        if answer.thought_s > seconds:
            raise BotFault("too-slow", f"took {answer.thought_s:.2f} s", answer.thought_s)
        return turn.legal[answer.move], answer.thought_s

    def end(self) -> None:
        """Kill the bot and all that it started; more than once is no harm."""
        forked.end_group(self._process)
        self._drain()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pipe.close()  # its end, to a bot that listens
        forked.close(self._process, patiently=error is None)
        self._drain()
        self._written.close()
        self._process.close()

    # --- Waiting for it ------------------------------------------------------------------

    def _receive(self, seconds: float, too_slow: str) -> Any:
        """What it sends next; meanwhile its output is read, so that it never waits for us."""
        begun = time.monotonic()
        while True:
            left = begun + seconds - time.monotonic()
            sources = [self._pipe, self._written] if self._writes else [self._pipe]
            ready = wait(sources, max(0.0, left))
            if self._written in ready:
                self._read_output()
            if self._pipe in ready:
                self._drain()  # what it wrote before it answered is there already
                try:
                    return self._pipe.recv()
                except (EOFError, ConnectionResetError):
                    raise self._ended(time.monotonic() - begun) from None
            if left <= 0:
                self.end()
                raise BotFault("too-slow", too_slow, time.monotonic() - begun)

    def _drain(self) -> None:
        for _ in range(_LAST_READS):
            self._read_output()

    def _read_output(self) -> None:
        try:
            data = os.read(self._written.fileno(), _CHUNK)
        except BlockingIOError:
            return
        self.output.add(data)
        self._writes = bool(data)

    def _ended(self, seconds: float) -> BotFault:
        how = forked.how_ended(self._process)
        self.end()
        return BotFault("ended", how, seconds)


# --- The process ---------------------------------------------------------------------------


def _serve(
    pipe: "Connection[Any, Any]",
    writes: "Connection[Any, Any]",
    spec: str,
    seed: bytes,
    folder: str,
) -> None:
    """Make the bot and say what it plays; then answer."""
    forked.lead_group()
    for descriptor in (1, 2):
        os.dup2(writes.fileno(), descriptor)
    writes.close()
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115  # it stays open
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115  # the same
    faulthandler.enable()
    os.chdir(folder)
    try:
        bot = load(spec, seed)
        made = _Made(tuple(name for name in registry.names() if plays(bot, name)))
    except UnknownBot as error:
        made = _Made(refused=str(error))
    with forked.while_heard():
        pipe.send(made)
    if not made.refused:
        with ending(bot):
            forked.answer_all(pipe, partial(_answer_and_flush, bot))


def _answer_and_flush(bot: Bot, turn: Turn) -> _Answer:
    answer = _answer(bot, turn)
    forked.flush_outputs()
    return answer


def _answer(bot: Bot, turn: Turn) -> _Answer:
    begun = time.perf_counter()
    try:
        move = bot.choose(turn)
        thought = time.perf_counter() - begun
        for index, legal in enumerate(turn.legal):
            if legal == move:
                return _Answer(index, thought)
        return _Answer(None, thought, "illegal", *described(turn, move))
    except LineBotFailed as failed:
        thought = time.perf_counter() - begun
        kind = "too-slow" if thought >= turn.left_us / 1e6 else "program"
        output = bot.output if isinstance(bot, LineBot) else ""
        return _Answer(None, thought, kind, str(failed), output=output)
    except (Exception, SystemExit, KeyboardInterrupt) as error:  # noqa: BLE001  # a stranger's code
        thought = time.perf_counter() - begun
        what = f"raised {type(error).__name__}"
        return _Answer(None, thought, "raised", what, trace=trace_of(error))
