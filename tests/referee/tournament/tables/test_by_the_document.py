"""A second reading of docs/tables.md for larger fields comes to the same rounds."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, permutations
from random import Random

import pytest

from aboveboard_referee.tournament.history import Ask, Entrant, History
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.tables.system import Tables
from tests.fakes.table_histories import (
    Judge,
    Seating,
    chance_ask,
    chance_history,
    made_by_system,
    plan_for,
    play_round,
)


def words(name: str, seed: bytes) -> Iterator[int]:
    """The words of a stream that docs/tables.md names."""
    inner = hashlib.sha256(b"aboveboard/" + name.encode() + b"/v1\0" + seed).digest()
    stream = hashlib.shake_256(b"aboveboard/draw/v1\0" + inner).digest(1 << 18)
    return (int.from_bytes(stream[i : i + 8], "big") for i in range(0, len(stream), 8))


def in_drawn_order(ends: Sequence[Entrant], seed: bytes) -> list[Entrant]:
    order, drawn = sorted(ends), words("tables", seed)
    for i in range(len(order) - 1, 0, -1):
        word = next(drawn)  # one too large to be fair comes once in 2^57 words
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


class Reader:
    """A larger field's round as the document tells it."""

    def __init__(self, plan: Plan, history: History, ask: Ask) -> None:
        self.judge = Judge(plan, history, ask)
        self.ask = ask
        self.plan = plan

    def round(self) -> Seating:
        shape = self.judge.best_sizes(len(self.judge.free))
        sizes, alone = [size for size in shape if size > 1], shape.count(1)
        order = in_drawn_order(self.judge.free, self.ask.seed)
        claims, tie = self.judge.claims, self.judge.tie
        byes = sorted(order, key=lambda end: (claims[end], tie(end, 2**32 - 1)))[:alone]
        order = [end for end in order if end not in byes]
        order.sort(key=lambda end: -self.judge.scores[end])
        cuts = [0, *accumulate(self.best_order(order, sizes))]
        tables = [order[a:b] for a, b in pairwise(cuts)]
        self.search(tables, order)
        return tuple(sorted([*(tuple(sorted(t)) for t in tables), *((end,) for end in byes)]))

    def best_order(self, order: list[Entrant], sizes: list[int]) -> tuple[int, ...]:
        def cost(sequence: tuple[int, ...]) -> int:
            cuts = [0, *accumulate(sequence)]
            pieces = pairwise(cuts)
            return sum(self.judge.parts(tuple(order[a:b]))[0] for a, b in pieces)

        liked = sorted(set(sizes), key=lambda size: (sizes.count(size), -size))
        every = set(permutations(sizes))
        return min(every, key=lambda s: (cost(s), [liked.index(size) for size in reversed(s)]))

    def search(self, tables: list[list[Entrant]], order: list[Entrant]) -> None:
        judge, drawn = self.judge, words("tablesearch", self.ask.seed)
        steps = max(4_000, 10 * len(order))

        def costs(table: Sequence[Entrant]) -> tuple[int, int]:
            _, repeats, seats, _ = judge.parts(tuple(sorted(table)))
            return repeats, seats

        def faulty(table: Sequence[Entrant]) -> bool:
            repeats, seats = costs(table)
            least = sum(min(judge.seats[e, s] for s in range(len(table))) for e in table)
            return repeats > 0 or seats > least

        while steps and (now := [i for i, table in enumerate(tables) if faulty(table)]):
            for here in now:
                if not steps or not faulty(tables[here]):
                    continue
                steps -= 1
                mine = tables[here]
                met = [a for a in mine if any(judge.met[frozenset((a, b))] for b in mine)]
                choice = met or mine
                a = choice[next(drawn) % len(choice)]
                equals = [e for e in order if judge.scores[e] == judge.scores[a]]
                b = equals[next(drawn) % len(equals)]
                if b in mine:
                    continue
                there = next(i for i, table in enumerate(tables) if b in table)
                swap = {a: b, b: a}
                new = [[swap.get(e, e) for e in tables[i]] for i in (here, there)]
                old = [costs(tables[i]) for i in (here, there)]
                came = [costs(table) for table in new]
                if (came[0][0] + came[1][0], came[0][1] + came[1][1]) <= (
                    old[0][0] + old[1][0],
                    old[0][1] + old[1][1],
                ):
                    tables[here], tables[there] = new


@pytest.mark.parametrize(
    ("number", "entrants", "seats", "sizes"),
    [
        (1, 17, 4, (3, 4)),
        (2, 20, 4, (4,)),
        (3, 22, 3, (2, 3, 4)),
        (4, 23, 5, (4, 5, 6)),
        (5, 27, 5, (5,)),
        (6, 19, 4, (2, 3, 4)),
    ],
)
def test_a_larger_field_is_seated_as_the_document_says(
    number: int, entrants: int, seats: int, sizes: tuple[int, ...]
) -> None:
    chance, plan = Random(number), plan_for(seats, sizes)
    history = chance_history(chance, entrants, number % 2, sizes)
    for _ in range(2):
        history = play_round(chance, plan, history, chance_ask(chance, history, entrants, sizes))
        ask = chance_ask(chance, history, entrants, sizes)
        drawn = Tables().draw(plan, history, ask)
        assert drawn is not None
        assert Reader(plan, history, ask).round() == made_by_system(drawn, ask)
