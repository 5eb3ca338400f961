"""A bot in a process of its own, so that it can keep nothing from one game for another."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from aboveboard_client.bot import LOAD_SECONDS, UnknownBot, ending, load, plays
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.measuring import forked
from aboveboard_client.traces import trace_of
from aboveboard_client.wrong_moves import chosen
from aboveboard_referee.match.player import Turn

Choose = Callable[[Turn], object]


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

    It has ``LOAD_SECONDS`` to begin, and ``move_s`` seconds for each move. Whatever the bot
    itself prints goes where this process prints, before anybody hears what it answered.
    """

    def __init__(self, spec: str, seed: bytes, game_name: str, move_s: float = 60.0) -> None:
        self._pipe, theirs = forked.CONTEXT.Pipe()
        self._process = forked.begin(_serve, theirs, spec, seed, game_name)
        theirs.close()
        self._ready = False
        self._move_s = move_s

    def wait(self) -> None:
        """Until the bot is there. Raises ``UnknownBot`` where ``load`` would, or if it does not
        play the game, and ``Failed`` if it is dead.
        """
        if not self._ready:
            refused = self._receive(LOAD_SECONDS, "to begin")
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
            raise Failed(forked.how_ended(self._process)) from None
        answer: _Answer = self._receive(self._move_s, "for a move")
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
        forked.close(self._process, patiently=error is None)
        self._process.close()

    def _receive(self, seconds: float, what_for: str) -> Any:
        try:
            if not self._pipe.poll(seconds):
                raise Failed(f"took more than {seconds:g} s {what_for}")
            return self._pipe.recv()
        except (EOFError, ConnectionResetError):
            raise Failed(forked.how_ended(self._process)) from None


def _serve(pipe: "Connection[Any, Any]", spec: str, seed: bytes, game_name: str) -> None:
    """The process: None once the bot is there, or why it is not; then its answers."""
    forked.lead_group()
    forked.write_lines_at_once()
    try:
        bot = load(spec, seed)
        refused = None if plays(bot, game_name) else f"{spec} does not play {game_name}"
    except UnknownBot as error:
        refused = str(error)
    forked.flush_outputs()
    with forked.while_heard():
        pipe.send(refused)
    if refused is None:
        with ending(bot):
            forked.answer_all(pipe, partial(_answer_and_flush, bot.choose))


def _answer_and_flush(choose: Choose, turn: Turn) -> _Answer:
    answer = _answer(choose, turn)
    forked.flush_outputs()
    return answer


def _answer(choose: Choose, turn: Turn) -> _Answer:
    try:
        return _Answer(*ask(choose, turn))
    except Failed as failed:
        return _Answer(None, failed=failed.what, trace=failed.trace)
    except KeyboardInterrupt as error:  # of the bot's own: Ctrl-C means nothing here
        return _Answer(None, failed="raised KeyboardInterrupt", trace=trace_of(error))


def ask(choose: Choose, turn: Turn) -> tuple[int, int]:
    """Have a bot choose here: an index into the legal moves, and the nanoseconds it thought.

    Raises ``Failed``.
    """
    start = time.perf_counter_ns()
    try:
        move = choose(turn)
        thought_ns = time.perf_counter_ns() - start
        if move in turn.legal:
            return turn.legal.index(move), thought_ns
        wrong = chosen(turn, move)
    except LineBotFailed as failed:
        raise Failed(str(failed)) from failed
    except (Exception, SystemExit) as error:
        raise Failed(f"raised {type(error).__name__}", trace_of(error)) from error
    raise Failed(wrong)
