"""All that a bot is tried in, case by case; each is the same at every run."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from aboveboard_client.checking.asking import Asker, CaseFailed
from aboveboard_client.checking.positions import POSITIONS
from aboveboard_client.checking.rejoin import Rejoining
from aboveboard_client.checking.result import Result
from aboveboard_client.checking.table import Match, Table
from aboveboard_client.checking.two_matches import TwoMatches
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import AnyGame

QUESTIONS = 8
"""What is asked from a moment on, the moment's own question included."""

AFTER_A_LOSS = 20
"""What is asked of a bot beside which a seat goes out."""

SEED = 1
"""Of tables that lead to no moment in particular."""


@dataclass(frozen=True)
class Case:
    """``name`` is ``game/seats/moment``; ``play`` raises ``CaseFailed``."""

    name: str
    game: str
    seats: int
    moment: str
    play: Callable[[Asker], None]

    def run(self, spec: str, move_s: float) -> Result:
        """What comes of it for the bot that ``spec`` names. Raises ``UnknownBot``."""
        result = Result(self.name, self.game)
        with Asker(spec, result, move_s) as asker:
            try:
                self.play(asker)
            except CaseFailed:
                return result
        if not result.met[self.moment]:
            result.warnings.append(
                f"{self.moment} did not come about: a mistake of this program, please report it"
            )
        return result


def all_cases(games: Collection[str]) -> list[Case]:
    """Every case of these rule sets, those of a game together."""
    return [case for name in games for case in _of(registry.game(name))]


def case_named(name: str) -> Case:
    """The case of this name, which is there."""
    return next(case for case in all_cases([name.partition("/")[0]]) if case.name == name)


def _of(game: AnyGame) -> Iterator[Case]:
    for seats in game.seats:
        yield _at(Table(game, seats, seats - 1, "by-lot", SEED), "whole-match")
        for moment, name, of_seats, seat, style, seed, before in POSITIONS:
            if (name, of_seats) == (game.name, seats):
                yield _at(Table(game, seats, seat, style, seed, before, QUESTIONS), moment)
        table = Table(game, seats, seats - 1, "by-lot", SEED, most=AFTER_A_LOSS, fails=0)
        if _asks_all_first(game):
            yield _at(table, "seat-fails-beside")
        if len(game.sides(seats)) > 2:  # with two sides it is the end of the match
            yield _at(_later(table), "seat-out")
    fewest = game.seats[0]
    table = Table(game, fewest, fewest - 1, "by-lot", SEED, most=QUESTIONS)
    yield _case(table, "reconnected", lambda asker: Rejoining(table, asker, anew=False).play())
    yield _case(table, "restarted", lambda asker: Rejoining(table, asker, anew=True).play())
    yield _case(table, "two-matches", lambda asker: TwoMatches(table, asker).play())


def _at(table: Table, moment: str) -> Case:
    return _case(table, moment, lambda asker: Match(table, asker).play())


def _case(table: Table, moment: str, play: Callable[[Asker], None]) -> Case:
    name = table.game.name
    return Case(f"{name}/{table.seats}/{moment}", name, table.seats, moment, play)


def _asks_all_first(game: AnyGame) -> bool:
    """Whether a match begins with a question to every seat at once."""
    return game.name.split(":")[0] in ("cribbage", "nebraska")


def _later(table: Table) -> Table:
    """The same table, where the seat that fails answers its first two questions."""
    return replace(table, fails_after=2)
