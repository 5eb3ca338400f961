"""A check from its first case to its last."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aboveboard_client.bot import UnknownBot
from aboveboard_client.checking.cases import Case
from aboveboard_client.checking.result import FAILED, Result
from aboveboard_client.checking.worker import BotFault, Worker
from aboveboard_client.series import secret_of

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

    def run(self, cases: Sequence[Case]) -> None:
        """All of them, unless the bot runs out of time again and again."""
        hung = 0
        for case in cases:
            if hung >= HANGS:
                result = Result(case.name, case.game, tried=False)
            else:
                result = case.run(self.spec, self.move_s)
                hung += result.failure is not None and result.failure.kind == "too-slow"
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
