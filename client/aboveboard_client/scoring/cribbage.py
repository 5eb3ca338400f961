"""Cribbage: each fifteen, pair, run, flush and nobs of a hand; what each card would peg."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.cribbage import CribbageRules, count_hand, score_play
from aboveboard_referee.games.cribbage.cards import JACK, RANK, SUIT, VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT
from aboveboard_referee.games.cribbage.show import SHORTEST_RUN


@dataclass(frozen=True)
class Item:
    """Points and what they are for: ``fifteen``, ``pair``, ``run``, ``flush`` or ``nobs``."""

    what: str
    cards: tuple[Card, ...]
    points: int


def hand_items(
    rules: CribbageRules, hand: tuple[Card, ...], starter: Card, crib: bool = False
) -> tuple[Item, ...]:
    """Everything that a hand scores, whose points are together those of ``score_hand``."""
    cards = (*hand, starter)
    counted = count_hand(rules, hand, starter, crib)
    items = [
        *(Item("fifteen", chosen, rules.show_fifteen) for chosen in _fifteens(cards)),
        *(Item("pair", chosen, rules.pair) for chosen in _pairs(cards)),
        *(Item("run", chosen, len(chosen)) for chosen in _runs(rules, cards)),
    ]
    if counted.flush:
        items.append(Item("flush", _flush(rules, hand, starter), counted.flush))
    if counted.nobs:
        jack = next(card for card in hand if RANK[card] == JACK and SUIT[card] == SUIT[starter])
        items.append(Item("nobs", (jack,), counted.nobs))
    assert sum(item.points for item in items) == sum(counted), "the items are not the hand's"
    return tuple(item for item in items if item.points)


def _fifteens(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for size in range(2, len(cards) + 1):
        for chosen in combinations(cards, size):
            if sum(VALUE[card] for card in chosen) == 15:
                yield chosen


def _pairs(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for chosen in combinations(cards, 2):
        if RANK[chosen[0]] == RANK[chosen[1]]:
            yield chosen


def _runs(rules: CribbageRules, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """The longest runs; where they must be suited, of each suit by itself."""
    if not rules.show_run_suited:
        yield from _longest_runs(cards)
        return
    for suit in sorted({SUIT[card] for card in cards}):
        yield from _longest_runs([card for card in cards if SUIT[card] == suit])


def _longest_runs(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    run: list[list[Card]] = []  # by rank, the cards of each
    for rank in range(max(RANK) + 2):
        here = [card for card in cards if RANK[card] == rank]
        if here:
            run.append(here)
            continue
        if len(run) >= SHORTEST_RUN:
            yield from product(*run)
        run = []


def _flush(rules: CribbageRules, hand: tuple[Card, ...], starter: Card) -> tuple[Card, ...]:
    cards = (*hand, starter)
    suits = [SUIT[card] for card in cards]
    suit = max(suits, key=suits.count) if rules.flush_any else SUIT[hand[0]]
    return tuple(card for card in cards if SUIT[card] == suit)


# --- Pegging --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Peg:
    """What playing a card would make: the count after it, and its points and what for.

    ``points`` is None where the card does not fit. A go and the last card are not in it.
    """

    card: Card
    count: int
    points: int | None
    what: tuple[str, ...]


def pegs(rules: CribbageRules, table: tuple[Card, ...], hand: tuple[Card, ...]) -> tuple[Peg, ...]:
    """What each card of a hand would peg on these cards, all since the count last started."""
    return tuple(_peg(rules, table, card) for card in hand)


def _peg(rules: CribbageRules, table: tuple[Card, ...], card: Card) -> Peg:
    pile = (*table, card)
    count = sum(VALUE[each] for each in pile)
    if count > LIMIT:
        return Peg(card, count, None, ())
    points = score_play(rules, pile)
    what = []
    rest = points
    if count in (15, LIMIT):
        worth = rules.play_fifteen if count == 15 else rules.play_thirty_one
        if worth:
            what.append(f"{'fifteen' if count == 15 else 'thirty-one'} {worth}")
            rest -= worth
    if rest:
        paired = bool(table) and RANK[table[-1]] == RANK[card]
        name = "pair" if rest == rules.pair else "pairs"
        what.append(f"{name if paired else 'run'} {rest}")
    return Peg(card, count, points, tuple(what))
