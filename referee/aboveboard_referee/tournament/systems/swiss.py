"""The Swiss system as tournaments are played by it, however many or few their entrants are.

Its rounds are those of ``swiss.pairing``, but where few entrants play many rounds: there a
schedule, or looking ahead, sees to it that no two meet again who need not; ``small_fields``
says when and how.
"""

from collections.abc import Callable, Iterable

from aboveboard_referee.tournament.history import Ask, Drawn, History
from aboveboard_referee.tournament.swiss.costs import cost_of
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair, field_of
from aboveboard_referee.tournament.swiss.pairing import Swiss
from aboveboard_referee.tournament.swiss.seating import round_of
from aboveboard_referee.tournament.swiss.solving import solve
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.small_fields import (
    Outlook,
    Pairs,
    Price,
    Solve,
    scheduled,
    with_future,
)

LookAhead = Callable[[Outlook, Solve, Price], Pairs | None]


class SwissOfAnySize(Swiss):
    """The pairing system ``swiss`` with schedules and looking ahead."""

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The round that ``ask`` is for; ``None`` after the last one or if none are two.

        Raises ValueError for what ``check_asked`` refuses, and for tables made by hand
        that have other than two entrants who are present.
        """
        field = field_of(plan, history, ask)
        if ask.number > plan.rounds or len(ask.present) < 2:
            return None
        by_schedule = scheduled(plan, history, ask)
        again = 0 if by_schedule is None else _rematches(field, by_schedule.tables)
        if by_schedule is not None and not again:
            return by_schedule
        pairs = pairs_of(plan, field, ask, self.look_ahead)
        if by_schedule is not None and again == _rematches(field, pairs):
            # Everybody has met everybody, so that the schedule goes round once more.
            return by_schedule
        return round_of(plan, field, ask, pairs)

    def look_ahead(self, outlook: Outlook, solve: Solve, price: Price) -> Pairs | None:
        """The best round that later ones can follow; each version has its own way to find it."""
        return with_future(outlook, solve, price)


def _rematches(field: Field, pairs: Iterable[tuple[int, ...]]) -> int:
    return sum(field.met(*pair) > 0 for pair in pairs)


def pairs_of(plan: Plan, field: Field, ask: Ask, look_ahead: LookAhead) -> Pairs:
    """The pairs of a round that is on no schedule, a bye being a pair with ``BYE``."""

    def solved(forbidden: Pairs) -> Pairs | None:
        solution = solve(field, forbidden)
        return None if solution is None else solution.pairs

    def price(pairs: Pairs) -> tuple[int, ...]:
        costs = zip(*(cost_of(field, *pair) for pair in pairs), strict=True)
        return (*map(sum, costs), sum(field.tie(*pair) for pair in pairs))

    outlook = Outlook(
        present=ask.present,
        fixed=[_sorted(table) for table in ask.by_hand],
        met=field.past.met,
        byes={entrant: field.past.byes[entrant] for entrant in ask.present},
        bye=BYE,
        rounds=plan.rounds - ask.number,
    )
    pairs = look_ahead(outlook, solved, price)
    assert pairs is not None  # everybody can be paired if rematches may be
    return pairs


def _sorted(table: tuple[int, ...]) -> Pair:
    a, b = sorted(table)
    return a, b
