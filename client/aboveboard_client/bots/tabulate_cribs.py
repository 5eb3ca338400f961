"""Makes ``cribbage_crib_table``: what cards bring to a crib, when all choose by that.

    python -m aboveboard_client.bots.tabulate_cribs > cribbage_crib_table.py

It begins with a table in which every crib is worth the same, samples what seats lay
away by it, and counts the next table from these discards; three times over. So the
model of the others is that they keep the best hand by the same means as the bot itself,
with an eye on whose the crib is. Sampled cards that meet the counted ones are left out,
starters are random, and the seed is fixed, so that it prints the same each time. It
takes a quarter of an hour.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from aboveboard_client.bots.cribbage_discard import Hand, Table, worths
from aboveboard_referee.games.cribbage import ACC, score_hand
from aboveboard_referee.games.cribbage.cards import DECK, RANKS
from aboveboard_referee.games.cribbage.rules import HAND, SEATS

TIMES = 3
HANDS = 6_000
"""Sampled hands whose discards model a role."""
CRIBS = 20_000
"""Sampled cribs for one entry; those that hold its cards do not count."""

Discards = dict[bool, list[Hand]]
"""What was laid away into a crib of the own side, and into another's."""


def flat(seats: int) -> Table:
    """Every crib is worth the same."""
    each = ACC.crib_each[SEATS.index(seats)]
    return [[0.0] * len(RANKS)] * (len(RANKS) if each == 2 else 1)


def discards(seats: int, tables: dict[bool, Table], rng: Random) -> Discards:
    """What seats lay away by these tables."""
    dealt = ACC.dealt[SEATS.index(seats)]
    found: Discards = {True: [], False: []}
    for own, laid in found.items():
        for _ in range(HANDS):
            hand = rng.sample(DECK, dealt)
            choices = {
                away: tuple(card for card in hand if card not in away)
                for away in combinations(hand, dealt - HAND)
            }
            points = worths(ACC, choices, tables[own], 1.0 if own else -1.0)
            laid.append(max(points, key=points.__getitem__))
    return found


def others(seats: int, laid: Discards, rng: Random, *, own: bool) -> Iterator[tuple[Hand, int]]:
    """The rest of a crib to which a seat adds, and the starter; cards may be there twice."""
    if seats == 2:
        by_own, by_others = (0, 1) if own else (1, 0)
    elif seats == 3:
        by_own, by_others = (0, 2) if own else (1, 1)
    else:
        by_own, by_others = (1, 2) if own else (2, 1)
    stock = ACC.crib_stock[SEATS.index(seats)]
    while True:
        rest = [
            *(card for _ in range(by_own) for card in rng.choice(laid[True])),
            *(card for _ in range(by_others) for card in rng.choice(laid[False])),
            *rng.sample(DECK, stock),
        ]
        yield tuple(rest), rng.choice(DECK)


def counted(seats: int, laid: Discards, rng: Random, *, own: bool) -> Table:
    """The mean crib by what a seat adds to it."""
    rest_of_cribs = others(seats, laid, rng, own=own)
    cribs = [next(rest_of_cribs) for _ in range(CRIBS)]
    table = [list(row) for row in flat(seats)]
    for first, row in enumerate(table):
        for second in range(len(row)):
            if len(table) == 1:
                away: Hand = (second,)
            else:  # of one suit where the higher comes first
                away = (first, second if first > second else second + len(RANKS))
            row[second] = _mean(away, cribs)
    return table


def _mean(away: Hand, cribs: list[tuple[Hand, int]]) -> float:
    points = number = 0
    for rest, starter in cribs:
        crib = (*away, *rest)
        if len({*crib, starter}) == len(crib) + 1:
            points += score_hand(ACC, crib, starter, crib=True)
            number += 1
    return points / number


def main() -> None:
    print('"""What cards bring to a crib; made by ``tabulate_cribs``, which tells how."""\n')
    print("from aboveboard_client.bots.cribbage_discard import Table\n")
    print("TABLES: dict[tuple[int, bool], Table] = {")
    for seats in SEATS:
        rng = Random(seats)
        tables = dict.fromkeys((True, False), flat(seats))
        for _ in range(TIMES):
            laid = discards(seats, tables, rng)
            tables = {own: counted(seats, laid, rng, own=own) for own in (True, False)}
        for own, table in tables.items():
            print(f"    ({seats}, {own}): (")
            for row in table:
                print(f"        ({', '.join(f'{mean:.2f}' for mean in row)}),")
            print("    ),", flush=True)
    print("}")
    print('"""By the number of seats, and whether the crib is that of the own side."""')


if __name__ == "__main__":
    main()
