"""Questions to the Swiss system, asked after tournaments made by chance."""

from random import Random
from typing import NamedTuple

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History
from aboveboard_referee.tournament.swiss.field import BYE
from aboveboard_referee.tournament.swiss.measures import Measures, measures
from aboveboard_referee.tournament.swiss.pairing import Swiss
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.histories import random_history, seed_of


class Question(NamedTuple):
    """Everything that a round follows from."""

    plan: Plan
    history: History
    ask: Ask

    def drawn(self) -> Drawn:
        """The answer, of a field that can be paired."""
        drawn = Swiss().draw(*self)
        assert drawn is not None
        return drawn

    def measured(self) -> Measures:
        """The measures of the answer."""
        return measures(*self, self.drawn())

    def without(self, entrant: Entrant) -> "Question":
        """The same with one entrant away."""
        present = tuple(e for e in self.ask.present if e != entrant)
        ask = Ask(self.ask.number, present, self.ask.seed, self.ask.by_hand)
        return self._replace(ask=ask)


def any_question(
    chance: Random,
    least: int,
    most: int,
    *,
    rounds: int = 8,
    point: int | None = None,
    by_hand: bool = True,
    by_score: bool | None = None,
) -> Question:
    """A question after up to so many rounds, sometimes with acceleration or tables by hand.

    Two entrants at least are present.
    """
    entrants = chance.randint(least, most)
    before = chance.randint(0, rounds)
    point = point or chance.choice((2, 2, 2, 4, 6, 400))
    history, present = random_history(
        chance,
        entrants,
        before,
        point=point,
        byes=chance.choice((0, 0.1)),
        forfeits=chance.choice((0, 0.1)),
        withdrawals=chance.choice((0, 0.03)),
        late=chance.choice((0, 0.1)),
        by_score=chance.random() < 0.7 if by_score is None else by_score,
    )
    if len(present) < 2:
        return any_question(
            chance, least, most, rounds=rounds, point=point, by_hand=by_hand, by_score=by_score
        )
    fixed: tuple[tuple[Entrant, ...], ...] = ()
    if by_hand and len(present) > 3 and chance.random() < 0.1:
        fixed = (tuple(chance.sample(present, 2)),)
    plan = Plan(
        "swiss",
        rounds=before + 1,
        point=point,
        bye=point,
        accelerated=chance.choice((0, 0, 0, before // 2, before + 1)),
    )
    return Question(plan, history, Ask(before + 1, present, seed_of(chance.getrandbits(64)), fixed))


def as_matching(question: Question, drawn: Drawn) -> frozenset[tuple[Entrant, Entrant]]:
    """A round without tables made by hand, its bye being a pair with BYE."""
    return frozenset(
        (min(table), max(table)) for table in drawn.tables if table not in question.ask.by_hand
    ) | frozenset((bye.entrant, BYE) for bye in drawn.byes)
