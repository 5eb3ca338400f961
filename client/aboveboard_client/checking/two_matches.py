"""A bot in two matches by turns: does it answer as it does in each of them alone?

That it may well not is told as a warning: a tournament asks one bot in several matches by
turns where its capacity is above 1, and what a bot keeps from one question to the next then
comes from another match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aboveboard_client.checking.asking import Asker
from aboveboard_client.checking.table import Match, Table
from aboveboard_referee.match.player import Turn

Account = Sequence[tuple[Turn, str]]
"""Questions, and the answers to them as text."""


@dataclass
class TwoMatches:
    """One case. ``table`` is the first match's; the other one differs by its cards."""

    table: Table
    asker: Asker

    def play(self) -> None:
        """Raises ``CaseFailed``."""
        alone = [self._alone(self.table, "check"), self._other()]
        self.asker.restart()
        self.asker.situation = "the bot plays two matches by turns, a question of each at a time"
        by_turns = [pair for pairs in zip(*alone, strict=False) for pair in pairs]
        self.asker.result.met["two-matches"] += len(by_turns)
        different = self._difference(by_turns)
        if different is None:
            return
        self.asker.restart()
        if self._difference(alone[0]) is not None:
            self.asker.result.warnings.append(
                "answers the same questions otherwise when it is started again with the same "
                "seed: with random numbers from its `rng` every game could be repeated"
            )
            return
        self.asker.restart(" by another seed")
        if self._difference(alone[0]) is None:
            self.asker.result.warnings.append(
                f"keeps something from one match for another: {different}"
            )

    def _other(self) -> Account:
        self.asker.restart()
        return self._alone(replace(self.table, seed=self.table.seed + 1), "check-2")

    def _alone(self, table: Table, name: str) -> Account:
        match = Match(replace(table, name=name), self.asker)
        match.play()
        return match.asked

    def _difference(self, account: Account) -> str | None:
        """The first of these questions that is answered otherwise now, in words."""
        for number, (turn, before) in enumerate(account, start=1):
            now = turn.game.encode(self.asker.ask(turn))
            if now != before:
                return (
                    f"alone it answered `{before}`, and by turns with another match `{now}` "
                    f"(question {number})"
                )
        return None
