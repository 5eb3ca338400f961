"""Asking the bot in a case, and keeping the account of it."""

from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from aboveboard_client.checking.result import Failure, Result
from aboveboard_client.checking.worker import BotFault, Worker
from aboveboard_client.measuring.one_game import secret_of
from aboveboard_referee.match.player import Turn


class CaseFailed(Exception):
    """The bot did not answer with a legal move in time; the result says so already."""


class Asker(AbstractContextManager["Asker"]):
    """The bot of one case, in processes of its own, one after the other."""

    def __init__(self, spec: str, result: Result, move_s: float) -> None:
        self.result = result
        self.move_s = move_s
        self.situation = ""  # what a failure from here on is told with
        self._spec = spec
        self._worker = self._start()

    def ask(self, turn: Turn) -> Any:
        """The bot's move, which is a legal one. Raises ``CaseFailed``."""
        turn = replace(turn, left_us=int(self.move_s * 1e6))
        try:
            move, thought_s = self._worker.choose(turn, self.move_s)
        except BotFault as fault:
            self.result.failure = Failure(
                kind=fault.kind,
                what=str(fault),
                turn=turn,
                situation=self.situation,
                sent=fault.sent,
                took_s=fault.seconds,
                allowed_s=self.move_s,
                output=fault.output or self._worker.output.text,
                trace=fault.trace,
            )
            raise CaseFailed(str(fault)) from fault
        self.result.answered(thought_s)
        return move

    def restart(self, seed: str = "") -> None:
        """Kill the bot's process and start it anew, with the same seed or one for ``seed``."""
        self._worker.end()
        self._end()
        self._worker = self._start(seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _start(self, seed: str = "") -> Worker:
        return Worker(self._spec, secret_of("check", f"bot in {self.result.case}{seed}"))

    def _end(self) -> None:
        with self._worker:
            pass
        self.result.written += self._worker.output.written
