"""A check from its first case to its last."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from aboveboard_client.bot import UnknownBot
from aboveboard_client.checking.cases import Case, case_named
from aboveboard_client.checking.result import FAILED, Result
from aboveboard_client.checking.worker import BotFault, Worker
from aboveboard_client.measuring.one_game import secret_of
from aboveboard_client.measuring.pool import in_order

HANGS = 3
"""Cases in which a bot runs out of time before the rest is not tried any more."""


@dataclass
class Check:
    """A bot and what came of its cases so far; ``told`` hears of each as it ends."""

    spec: str
    move_s: float
    told: Callable[[Result], None] = lambda _result: None
    results: list[Result] = field(default_factory=list)

    def games(self) -> tuple[str, ...]:
        """The rule sets that the bot plays. Raises ``UnknownBot`` if there is no such bot."""
        with Worker(self.spec, secret_of("check", "trial")) as worker:
            try:
                return worker.games()
            except BotFault as fault:
                raise UnknownBot(f"{self.spec} {fault}") from fault

    def run(self, cases: Sequence[Case], processes: int = 1) -> None:
        """All of them, so many at a time, unless the bot runs out of time again and again.

        What they come to hangs on their number at a time only in so far as time is scarce.
        """
        hung = 0
        names = [case.name for case in cases]
        work = partial(_try, self.spec, self.move_s)
        with closing(in_order(work, names, min(processes, len(names)))) as results:
            for result in results:
                self._take(result)
                hung += result.failure is not None and result.failure.kind == "too-slow"
                if hung >= HANGS:
                    break
        for case in cases[len(self.results) :]:
            self._take(Result(case.name, case.game, tried=False))

    def _take(self, result: Result) -> None:
        self.results.append(result)
        self.told(result)

    @property
    def failed(self) -> list[Result]:
        return [result for result in self.results if result.status == FAILED]

    @property
    def passed(self) -> bool:
        """Whether the bot did all that it was asked. Warnings are no failures."""
        return all(result.tried and result.failure is None for result in self.results)

    @property
    def mean_s(self) -> float:
        """Seconds a move, over all cases."""
        questions = sum(result.questions for result in self.results)
        return sum(result.thought_s for result in self.results) / max(1, questions)


def _try(spec: str, move_s: float, name: str) -> Result:
    return case_named(name).run(spec, move_s)
