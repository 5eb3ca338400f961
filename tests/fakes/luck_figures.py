"""How much taking luck out narrows an interval, in each game, between bots of known kinds.

``python -m tests.fakes.luck_figures 200 cribbage allegra`` prints the figures of docs/ratings.md:
matches, then games. Everything follows from the matches' numbers.
"""

import sys
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from random import Random

from aboveboard_client.bot import Bot, load
from aboveboard_client.measuring.luck import REPLAYS, luck, orders_of
from aboveboard_client.measuring.open_decks import OpenDecks
from aboveboard_client.measuring.playout import play_out
from aboveboard_referee.fairplay.bytes import sha256, u32
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.player import Turn
from aboveboard_referee.tournament.history import TABLE_POINT, place_units
from aboveboard_referee.tournament.ratings.control_variate import Sample, variance_left

EVERY = 5
"""Every how many moves a careless bot makes one at random."""

PLAYERS = (("house", "house"), ("house", "careless"), ("careless", "careless"))


class Careless:
    """The house bot with one move of ``EVERY`` made at random."""

    games: tuple[str, ...] = ()

    def __init__(self, seed: bytes) -> None:
        self._house = load("house", seed)
        self._random = Random(seed)

    def choose(self, turn: Turn) -> object:
        if self._random.randrange(EVERY) == 0:
            return self._random.choice(turn.legal)
        return self._house.choose(turn)


@dataclass(frozen=True)
class Figures:
    """Of so many matches: the first bot's mean score, and the variance left of a match."""

    players: tuple[str, str]
    matches: int
    score: float
    left: float | None

    @property
    def narrowing(self) -> float | None:
        return None if self.left is None else 1 - self.left**0.5


def figures(name: str, matches: int, processes: int = 1) -> list[Figures]:
    """A line for each pair of ``PLAYERS``; they take turns at the first seat."""
    one = partial(_match, name)
    if processes > 1:
        with get_context("spawn").Pool(processes) as pool:
            found = pool.map(one, range(matches), chunksize=1)
    else:
        found = list(map(one, range(matches)))
    lines = []
    for index, players in enumerate(PLAYERS):
        groups = [[pair[index][bot] for pair in found] for bot in range(2)]
        score = sum(sample.own for sample in groups[0]) / matches
        lines.append(Figures(players, matches, score, variance_left(groups).get(name)))
    return lines


def _match(name: str, number: int) -> list[tuple[Sample, Sample]]:
    """One match between each pair of players, each over decks of its own."""
    return [_between(name, kinds, 3 * number + i) for i, kinds in enumerate(PLAYERS)]


def _between(name: str, kinds: tuple[str, str], number: int) -> tuple[Sample, Sample]:
    game = registry.game(name)
    head0 = sha256(name.encode(), u32(number))
    deal = orders_of(OpenDecks(head0, game, 2, {}))
    dealt: dict[int, tuple[Card, ...]] = {}

    def orders(k: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        dealt[k] = deal(k, cards)
        return dealt[k]

    bots = [_bot(kind, sha256(head0, bytes([i]))) for i, kind in enumerate(kinds)]
    first = number // 3 % 2  # the bot at the first seat
    over = play_out(game, bots if first == 0 else bots[::-1], orders)
    own = [units / TABLE_POINT for units in place_units(over.rank, game.sides(2))]
    lucks = luck(OpenDecks(head0, game, 2, dealt), REPLAYS)
    seats = (0, 1) if first == 0 else (1, 0)
    one, two = (Sample(name, own[seat], lucks[seat]) for seat in seats)
    return one, two


def _bot(kind: str, seed: bytes) -> Bot:
    return load("house", seed) if kind == "house" else Careless(seed)


if __name__ == "__main__":
    for asked in sys.argv[2:] or registry.names():
        for line in figures(asked, int(sys.argv[1]), processes=2):
            left = "-" if line.left is None else f"{line.left:.2f}"
            gain = "-" if line.narrowing is None else f"{line.narrowing:.0%}"
            print(
                f"{asked:18} {' - '.join(line.players):20} {line.matches} matches, "
                f"score {line.score:.2f}, variance left {left}, narrower by {gain}",
                flush=True,
            )
