"""Pairs of games over the same decks, the bots changing seats: luck counts for both alike.

A pair's two games have one opening, byte for byte: their keys and secrets belong to seats and
not to bots, so every deck that both of them shuffle is the same, card for card. Each game has
fresh processes for its bots, which cannot know from the first what comes in the second.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from aboveboard_client.measuring.one_game import Plan, PlayedGame, Setting
from aboveboard_client.measuring.pool import in_order
from aboveboard_client.measuring.tally import Tally
from aboveboard_client.series import play_plan
from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial

LEGS = ((0, 1), (1, 0))
"""The bots by seat in a pair's first and second game."""


@dataclass
class Duplicate:
    """Two bots, and what becomes of their pairs of games."""

    setting: Setting
    processes: int = 1
    tallies: tuple[Tally, Tally] = field(default_factory=lambda: (Tally(), Tally()))
    pairs: Pentanomial = field(default_factory=Pentanomial)  # as the first bot has them

    def play(self, pairs: int) -> Iterator[tuple[PlayedGame, PlayedGame]]:
        """Each pair once it is played and counted, in order.

        Raises ``BotFailed`` where a bot does; earlier pairs have been counted.
        """
        plans = (paired_plan(number) for number in range(1, 2 * pairs + 1))
        games = in_order(partial(play_plan, self.setting), plans, self.processes)
        for first, second in zip(games, games, strict=True):
            first.count_for(self.tallies)
            second.count_for(self.tallies)
            self.pairs = self.pairs.plus(first.half_points(0) + second.half_points(0))
            yield first, second


def paired_plan(number: int) -> Plan:
    """A game of such pairs by its number: 1 and 2 are the first pair."""
    pair, leg = (number + 1) // 2, (number + 1) % 2
    return Plan(number, LEGS[leg], f"p{pair}", (0, 1))
