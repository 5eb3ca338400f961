"""Many games of the same bots: the core of ``play``.

Everything follows from the seed: every game is a function of it, of the bots and of the
game's number, whatever was played before, and on however many cores.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from aboveboard_client.bot import Bot, UnknownBot
from aboveboard_client.measuring.bot_process import BotProcess, Failed, ask
from aboveboard_client.measuring.one_game import (
    Plan,
    PlayedGame,
    Setting,
    in_processes,
    play_game,
)
from aboveboard_client.measuring.pool import in_order
from aboveboard_client.measuring.tally import Tally
from aboveboard_referee.match.player import Turn


@dataclass
class Series:
    """Bots and what becomes of their games, the seats going round by one each time."""

    setting: Setting
    processes: int = 1
    tallies: tuple[Tally, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.tallies = tuple(Tally() for _ in self.setting.specs)

    def play(self, games: int) -> Iterator[PlayedGame]:
        """Each game once it is over and counted, in order.

        Raises ``BotFailed`` where a bot does; earlier games have been counted.
        """
        plans = (plan_of(number, len(self.tallies)) for number in range(1, games + 1))
        for played in in_order(partial(play_plan, self.setting), plans, self.processes):
            played.count_for(self.tallies)
            yield played


def plan_of(number: int, bots: int) -> Plan:
    """A game of a series: the bots in their order, begun with another one each time."""
    by_seat = tuple((seat + number - 1) % bots for seat in range(bots))
    return Plan(number, by_seat, f"g{number}", by_seat)


def play_plan(setting: Setting, plan: Plan) -> PlayedGame:
    """A game between fresh bots, each in a process of its own. Raises ``BotFailed``."""
    with in_processes(setting, plan) as asked:
        return play_game(setting, plan, asked)


def try_bots(setting: Setting) -> None:
    """Make each bot once, to see whether there is one. Raises ``UnknownBot``."""
    for spec in setting.specs:
        seed = setting.secret("trial")
        with BotProcess(spec, seed, setting.game_name, setting.move_s) as process:
            try:
                process.wait()
            except Failed as failure:
                raise UnknownBot(f"{spec} {failure}") from failure


def play_here(
    game_name: str, bots: Callable[[int], Sequence[Bot]], seed: str, games: int = 1
) -> Iterator[PlayedGame]:
    """The first games of a series between objects of this process.

    ``bots`` gives them for each game's number. Raises ``BotFailed``.
    """
    for number in range(1, games + 1):
        playing = bots(number)
        setting = Setting(game_name, tuple(type(bot).__name__ for bot in playing), seed)
        plan = plan_of(number, len(playing))
        yield play_game(setting, plan, [_Here(playing[bot]) for bot in plan.by_seat])


@dataclass(frozen=True)
class _Here:
    """A bot that is an object of this process, as ``one_game.Asked``."""

    bot: Bot

    def choose(self, turn: Turn) -> tuple[Any, int]:
        index, thought_ns = ask(self.bot.choose, turn)
        return turn.legal[index], thought_ns
