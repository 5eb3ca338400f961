"""Nebraska: hands over a table by each of the three scorings, and bets by their strength."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.nebraska import (
    NebraskaRules,
    card_matches,
    category_points,
    score_hands,
    winner,
)

CATEGORIES = ("rank", "suit", "straight")


@dataclass(frozen=True)
class HandsScore:
    """What hands are worth by one rule set. ``parts`` say what for, by seat.

    A part is a card's text or a poker category, with its points.
    """

    points: tuple[int, ...]
    parts: tuple[Mapping[str, int], ...]
    winner: Seat


def score_by(
    rules: NebraskaRules,
    table: Sequence[Card],
    hands: Sequence[Sequence[Card]],
    text: Sequence[str],
) -> HandsScore:
    """The points of each hand, and who takes the win. ``text`` names cards by id."""
    points = score_hands(rules, table, hands)
    if rules.scoring == "poker":
        parts = [
            dict(zip(CATEGORIES, each, strict=True))
            for each in category_points(rules, table, hands)
        ]
    else:
        most = 1 if rules.scoring == "family" else len(table) * 2
        parts = [
            {text[card]: min(card_matches(table, card), most) for card in hand} for hand in hands
        ]
    assert points == tuple(sum(part.values()) for part in parts), "the parts are not the hand's"
    return HandsScore(points, tuple(parts), winner(rules, table, hands))


def by_strength(rules: NebraskaRules, bets: Sequence[Card]) -> list[int]:
    """The places of the bets, the one that wins first."""
    order = rules.orders.card
    return sorted(range(len(bets)), key=lambda place: order[bets[place]], reverse=True)
