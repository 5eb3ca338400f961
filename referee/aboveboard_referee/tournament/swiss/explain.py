"""Why a round is as it is: its measures, and what the next best choice would have cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair, field_of
from aboveboard_referee.tournament.swiss.measures import Measures, measures
from aboveboard_referee.tournament.swiss.seating import round_of
from aboveboard_referee.tournament.swiss.solving import solve
from aboveboard_referee.tournament.systems.plan import Plan

PAIRS_TRIED = 32
"""In a round of no more pairs the next best round of all is looked for."""

WORDS: Mapping[str, str] = {
    "rematches": "pairs that have played each other before",
    "meetings": "times that they have",
    "bye_byes": "byes so far of who has the bye",
    "bye_score": "units so far of who has the bye",
    "bye_unplayed": "unplayed rounds of who has the bye",
    "downfloats": "pairs of different scores",
    "gap": "sum of squared score differences, in units",
    "floats": "floats in a direction of the last two rounds",
    "seats": "sum of squared balances of first seats",
    "halves": "pairs within one half of their score group",
}
"""What each measure counts, for who reads it."""


@dataclass(frozen=True, slots=True)
class Price:
    """The most important measure by which a round is worse than another one.

    ``measure`` is "" where they are equally good, so that the tie alone decided.
    """

    measure: str
    value: int
    instead_of: int

    @property
    def line(self) -> str:
        """In a few words."""
        if not self.measure:
            return "as good by every measure: the round's seed decided"
        return f"{WORDS[self.measure]}: {self.value} instead of {self.instead_of}"


@dataclass(frozen=True, slots=True)
class RoundExplained:
    """A round's measures, whether they are proven to be the best, and what the next best costs.

    ``next_best`` is None where there is no other round, or the round is too large to look.
    """

    number: int
    measures: Measures
    proven: bool
    next_best: Price | None

    @property
    def lines(self) -> tuple[str, ...]:
        """What the round comes to, a line each."""
        proof = "proven to be the best" if self.proven else "not proven to be the best"
        values = zip(WORDS.values(), self.measures, strict=True)
        told = [f"round {self.number}: {proof}"]
        told += [f"  {value:>6}  {words}" for words, value in values]
        if self.next_best:
            told.append(f"the next best round: {self.next_best.line}")
        return tuple(told)


@dataclass(frozen=True, slots=True)
class EntrantExplained:
    """Whom an entrant got, and whom it would have got in the best round without that.

    Opponents are BYE where it sits out. ``next_best`` and ``price`` are None where every round
    that is found gives it the same. Points include virtual ones.
    """

    entrant: Entrant
    points: Fraction
    opponent: Entrant
    opponent_points: Fraction | None
    by_hand: bool
    next_best: Entrant | None
    price: Price | None

    def lines(self, names: Sequence[str]) -> tuple[str, ...]:
        """What happened to it, a line each; ``names`` are everybody's, by entrant."""
        name = names[self.entrant]
        if self.opponent_points is None:
            first = f"{name} ({said(self.points)}) has the bye"
        else:
            other = f"{names[self.opponent]} ({said(self.opponent_points)})"
            first = f"{name} ({said(self.points)}) plays {other}"
        if self.by_hand:
            return (f"{first}, by hand",)
        if self.next_best is None or self.price is None:
            return (first, "no other choice was found")
        other = "the bye" if self.next_best == BYE else names[self.next_best]
        return (first, f"the next best choice was {other}: {self.price.line}")


def explain_round(plan: Plan, history: History, ask: Ask) -> RoundExplained:
    """Why the round that the system draws is as it is. Raises ValueError as ``draw`` does."""
    field = field_of(plan, history, ask)
    solution = solve(field)
    assert solution is not None
    value = measures(plan, history, ask, round_of(plan, field, ask, solution.pairs))
    others = [
        other
        for pair in (solution.pairs if len(solution.pairs) <= PAIRS_TRIED else ())
        if (other := _without(plan, history, ask, field, pair)) is not None
    ]
    # Every other round is without one of the pairs.
    best = min((measures(plan, history, ask, other) for other, _ in others), default=None)
    next_best = None if best is None else _price(best, value)
    return RoundExplained(ask.number, value, solution.proven, next_best)


def explain_entrant(plan: Plan, history: History, ask: Ask, entrant: Entrant) -> EntrantExplained:
    """Why an entrant got whom it got. Raises ValueError if it has no place in the round."""
    field = field_of(plan, history, ask)

    def points(of: Entrant) -> Fraction:
        return Fraction(field.past.score[of], history.point)

    for table in ask.by_hand:
        if entrant in table:
            (other,) = set(table) - {entrant}
            return EntrantExplained(
                entrant, points(entrant), other, points(other), True, None, None
            )
    if entrant not in field.free:
        raise ValueError(f"entrant {entrant} has no place in round {ask.number}")
    solution = solve(field)
    assert solution is not None
    pair = next(pair for pair in solution.pairs if entrant in pair)
    opponent = _other(pair, entrant)
    found = _without(plan, history, ask, field, pair)
    next_best, price = None, None
    if found is not None:
        drawn, pairs = found
        value = measures(plan, history, ask, round_of(plan, field, ask, solution.pairs))
        next_best = next(_other(other, entrant) for other in pairs if entrant in other)
        price = _price(measures(plan, history, ask, drawn), value)
    return EntrantExplained(
        entrant,
        points(entrant),
        opponent,
        None if opponent == BYE else points(opponent),
        False,
        next_best,
        price,
    )


def said(points: Fraction) -> str:
    """Points as people write them: halves as .5, other parts as a fraction."""
    if points.denominator == 1:
        return str(points.numerator)
    return f"{points.numerator // 2}.5" if points.denominator == 2 else str(points)


def _other(pair: Pair, entrant: Entrant) -> Entrant:
    return pair[1] if pair[0] == entrant else pair[0]


def _without(
    plan: Plan, history: History, ask: Ask, field: Field, pair: Pair
) -> tuple[Drawn, frozenset[Pair]] | None:
    """The best round without a pair, as a round and as pairs."""
    solution = solve(field, frozenset({pair}))
    if solution is None:
        return None
    return round_of(plan, field, ask, solution.pairs), solution.pairs


def _price(worse: Measures, better: Measures) -> Price:
    for name, value, instead_of in zip(Measures._fields, worse, better, strict=True):
        if value != instead_of:
            return Price(name, value, instead_of)
    return Price("", 0, 0)
