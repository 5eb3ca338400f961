"""What points are worth at cribbage: as many points, and near the end the chance to win.

While no side can be home within the deal, the lead over the others is what counts. Else
hands and crib are counted in their order, which decides many a game, and what is left
then is told by the distance that each side still has to go.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import erf, sqrt
from random import Random

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.cribbage import CribbageRules, CribbageState, score_hand

WITHIN_REACH = 40
"""A side that has further to go is not home within one deal, or hardly ever."""

CRIBS = (1, 2, 4, 4, 6, 9)
HANDS = (2, 4, 4, 6, 7, 8, 8, 10, 12, 16)
PEGS = (0, 0, 1, 1, 2, 2, 3, 3, 4, 6)
DEALER_PEGS = (1, 1, 2, 2, 3, 3, 4, 5, 6, 8)
"""What cribs, hands and plays bring, each entry equally likely, about."""

DEALS = 24
"""Sampled rests of a deal, by which its hands are weighed near the end."""

DEALER_AHEAD = 3.0
"""Points by which the next dealer is better off than the scores say."""

DEAL, SPREAD = 13.0, 8.0
"""Points that a side makes in a deal, and the standard deviation of the lead it brings."""


@dataclass(frozen=True)
class Worth:
    """What the end of a deal's play is worth to one side; more is better."""

    point: float
    """What one point is worth, about."""
    of: Callable[[list[int], tuple[tuple[Card, ...], ...]], float]
    """By each side's points and the cards that each other seat holds unplayed."""


def lead(scores: list[int], side: int) -> float:
    """Points of ``side`` above the mean of the others."""
    return scores[side] - (sum(scores) - scores[side]) / (len(scores) - 1)


def chance(rules: CribbageRules, scores: list[int], side: int, dealer: int) -> float:
    """The chance that ``side`` wins from these scores when side ``dealer`` deals next."""
    best = max(scores)
    if best >= rules.target:
        return float(scores[side] == best)
    product = 1.0
    for other, score in enumerate(scores):
        if other != side:
            ahead = scores[side] - score + DEALER_AHEAD * ((dealer == side) - (dealer == other))
            deals = max(rules.target - max(scores[side], score), 4) / DEAL
            product *= (1 + erf(ahead / (SPREAD * sqrt(2 * deals)))) / 2
    return product


def is_near(rules: CribbageRules, state: CribbageState) -> bool:
    """Whether some side may be home within this deal."""
    return max(state.scores) >= rules.target - WITHIN_REACH


def worth_of_play(rules: CribbageRules, state: CribbageState, seat: Seat) -> Worth:
    """What the end of this deal's play is worth to the side of ``seat``."""
    side = state.side_of[seat]
    if not is_near(rules, state):
        return Worth(1.0, lambda scores, _: lead(scores, side))
    return Worth(0.02, lambda scores, others: _after_show(rules, state, seat, scores, others))


def _after_show(
    rules: CribbageRules,
    state: CribbageState,
    seat: Seat,
    scores: list[int],
    others: tuple[tuple[Card, ...], ...],
) -> float:
    """The chance to win once the hands have been counted, the crib being anybody's guess."""
    side, starter = state.side_of[seat], state.starter
    assert starter is not None
    scores = list(scores)
    for shower in state.from_eldest:
        if max(scores) >= rules.target:
            break
        hand = [face for p in state.hands[shower] if (face := state.faces[p]) is not None]
        if shower != seat:
            hand += others[shower]
        scores[state.side_of[shower]] += score_hand(rules, tuple(hand), starter)
    following = state.side_of[(state.dealer + 1) % state.seats]
    if max(scores) >= rules.target:
        return chance(rules, scores, side, following)
    total = 0.0
    for crib in CRIBS:
        scores[state.side_of[state.dealer]] += crib
        total += chance(rules, scores, side, following)
        scores[state.side_of[state.dealer]] -= crib
    return total / len(CRIBS)


# --- Before the play ----------------------------------------------------------------------


def chance_with_hand(
    rules: CribbageRules, state: CribbageState, seat: Seat, hands: Counter[int], crib: float
) -> float:
    """The chance to win with a hand that counts so much, so often, before the play.

    ``crib`` is the mean of the crib to which ``seat`` has added. Everything else of the
    deal is sampled, always alike, so that hands are weighed against each other.
    """
    rng = Random(0)  # no secret
    side, dealer = state.side_of[seat], state.dealer
    following = state.side_of[(dealer + 1) % state.seats]
    total = 0.0
    for _ in range(DEALS):
        pegs = [(s, rng.choice(DEALER_PEGS if s == dealer else PEGS)) for s in state.from_eldest]
        shows = [(s, rng.choice(HANDS)) for s in state.from_eldest]
        counted = rng.choice(CRIBS) * crib * len(CRIBS) / sum(CRIBS)
        for points, times in hands.items():
            scores = list(state.scores)
            own = [(s, points if s == seat else other) for s, other in shows]
            for scorer, gain in (*pegs, *own, (dealer, round(counted))):
                scores[state.side_of[scorer]] += gain
                if scores[state.side_of[scorer]] >= rules.target:
                    break
            total += times * chance(rules, scores, side, following)
    return total / (DEALS * hands.total())
