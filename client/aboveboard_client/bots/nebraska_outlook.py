"""How the house bot sees a turned card of Nebraska: how its hand stands, with and without.

It deals the hand to its end in its head, many times: hands that the others may hold, and
cards that the table may come to lack. For each it asks what this seat would come to if
everybody were left with the best of its cards, once with the turned card on the table and
once without, and once more for each card that it might bet away.

What it comes to is the win of the hand, and a part of the lead in points: early in a
hand, when everything is open still, points tell more than the wins of a few samples.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from aboveboard_client.bots.nebraska_bets import Bettor
from aboveboard_client.bots.nebraska_counts import RANK, SUIT, counts
from aboveboard_client.bots.nebraska_poker import poker_worths
from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.nebraska import NebraskaRules, Phase, State

SAMPLES = {"family": 80, "expert": 80, "poker": 48}
"""Sampled deals, divided among the seats of the table."""

LEAD = {"family": 0.12, "expert": 0.15}
"""What a point of lead is worth as a part of a win."""

MORE = 4
"""Times as many samples for a seat that has the say."""

CHOICE = 3
"""Cards turned for each that comes to the table."""

STRENGTHS = 128
"""More than any card's strength: a worth and a strength fit into one number."""

Cards = Sequence[Card]
Worths = Mapping[int | None, float]
"""What a seat comes to, by the position of a card that it bets; ``None``: with them all."""


class Outlook(NamedTuple):
    """The first two in wins of the hand, about."""

    stays: Worths  # if the turned card stays on the table
    goes: Worths  # if it is discarded
    bets: Sequence[int]  # strengths of the highest bet of the others, sampled, ascending


Hand = Mapping[int, Card]
WorthsOf = Callable[[NebraskaRules, Cards, Hand, Iterable[int], Sequence[Cards]], Worths]


def outlook(state: State, seat: Seat, rng: Random) -> Outlook:
    """The view of ``seat`` while a card lies turned."""
    turned = state.turned_card
    assert turned is not None
    table, lacks = state.table_cards, state.keeps_left
    hand = {pos: card for pos, card in state.hand(seat).items() if card is not None}
    sizes = [len(cards) for other, cards in enumerate(state.hands) if other != seat]
    worths_of: WorthsOf = poker_worths if state.rules.scoring == "poker" else _matching
    stays: dict[int | None, float] = dict.fromkeys((None, *hand), 0.0)
    goes = dict(stays)
    unseen = state.unseen
    bettor = Bettor(state) if state.phase is Phase.BET else None
    bets = []
    # A seat that has the say weighs two tables, one that bets all of its cards on both.
    weighed = hand if bettor is not None else {}
    times = 1 if bettor is not None else MORE
    samples = max(times * SAMPLES[state.rules.scoring] // state.seats, 1)
    choice = min(CHOICE, (len(unseen) - sum(sizes)) // lacks)
    for _ in range(samples):
        drawn = rng.sample(unseen, sum(sizes) + lacks * choice)
        others = [[drawn.pop() for _ in range(size)] for size in sizes]
        if bettor is not None:
            bets.append(max(map(bettor.bet, others)))
        rest = _chosen(drawn, choice, (tuple(hand.values()), *others), rng)
        for total, full in ((stays, (*table, turned, *rest[1:])), (goes, (*table, *rest))):
            for pos, worth in worths_of(state.rules, full, hand, weighed, others).items():
                total[pos] += worth / samples
    return Outlook(stays, goes, sorted(bets))


def _chosen(cards: Sequence[Card], choice: int, hands: Sequence[Cards], rng: Random) -> list[Card]:
    """The cards that come to the table: of each ``choice`` of them one seat takes its best.

    Who has the say keeps what meets its own hand and puts the rest out, so that cards of
    one suit or rank in a hand draw more of these to the table.
    """
    chosen = []
    for start in range(0, len(cards), choice):
        ranks, suits = counts(rng.choice(hands))
        chosen.append(
            max(
                cards[start : start + choice],
                key=lambda card: ranks[RANK[card]] + suits[SUIT[card]],
            )
        )
    return chosen


# --- Family and expert ------------------------------------------------------------------


def _matching(
    rules: NebraskaRules,
    table: Cards,
    hand: Hand,
    weighed: Iterable[int],
    others: Sequence[Cards],
) -> Worths:
    ranks, suits = counts(table)
    most = 1 if rules.scoring == "family" else 2 * len(table)
    order, held = rules.orders.card, rules.dealt - rules.keeps

    def key(card: Card) -> int:
        return min(ranks[RANK[card]] + suits[SUIT[card]], most) * STRENGTHS + order[card]

    theirs = [_merit(sorted([key(card) for card in cards])[-held:]) for cards in others]
    best, mean = max(theirs), sum([merit // STRENGTHS for merit in theirs]) / len(theirs)
    lead = LEAD[rules.scoring]

    def worth(keys: list[int]) -> float:
        merit = _merit(keys)
        return (merit > best) + lead * (merit // STRENGTHS - mean)

    keys = {pos: key(card) for pos, card in hand.items()}
    ranked = sorted(keys, key=keys.__getitem__)
    kept = [keys[pos] for pos in ranked[-held:]]
    worths: dict[int | None, float] = dict.fromkeys((None, *weighed), worth(kept))
    for pos in ranked[-held:]:  # to bet any other changes nothing
        if pos in worths:
            worths[pos] = worth([keys[other] for other in ranked if other != pos][-held:])
    return worths


def _merit(keys: Sequence[int]) -> int:
    """The points of the cards that are held at the end, then the highest of them."""
    return sum([key // STRENGTHS for key in keys]) * STRENGTHS + max(
        [key % STRENGTHS for key in keys]
    )
