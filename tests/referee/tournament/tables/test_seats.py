"""Seats are given to who has had them least, exactly, and the lot decides only between equals."""

from itertools import permutations
from random import Random

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import TABLE_POINT, Ask, History
from aboveboard_referee.tournament.tables.seats import least, seated
from aboveboard_referee.tournament.tables.system import Tables
from tests.fakes.table_histories import plan_for, play_round


def test_no_arrangement_of_a_table_costs_less() -> None:
    chance = Random(1)
    for size in (2, 3, 4, 5, 6, 7):
        for _ in range(40 if size < 6 else 4):
            ends = chance.sample(range(20), size)
            seats = [[chance.randint(0, 4) for _ in range(7)] for _ in range(20)]
            seed = chance.randbytes(32)

            def cost(table: tuple[int, ...], seats: list[list[int]] = seats) -> int:
                return sum(seats[end][seat] for seat, end in enumerate(table))

            def lot(table: tuple[int, ...], seed: bytes = seed) -> int:
                return sum(
                    int.from_bytes(tie_hash(seed, end, 2**32 - 2 - seat)[:8], "big")
                    for seat, end in enumerate(table)
                )

            best = min(permutations(ends), key=lambda table: (cost(table), lot(table)))
            assert seated(ends, seats, seed) == best
            assert least([seats[end] for end in ends]) == cost(best)


def test_seats_do_not_depend_on_the_order_in_which_a_table_is_told() -> None:
    seats = [[0] * 7 for _ in range(5)]
    assert len({seated(ends, seats, bytes(32)) for ends in permutations(range(5))}) == 1


def test_where_nobody_has_sat_yet_the_seed_decides() -> None:
    seats = [[0] * 7 for _ in range(4)]
    assert len({seated(range(4), seats, bytes([i] * 32)) for i in range(200)}) == 24


def test_after_as_many_rounds_as_seats_nearly_everybody_has_had_each_once() -> None:
    chance = Random(7)
    history = History(400, TABLE_POINT, tuple(range(400)))
    plan = plan_for(4, (4,))
    for number in range(1, 5):
        ask = Ask(number, history.order, chance.randbytes(32))
        history = play_round(chance, plan, history, ask)
    had = [[0] * 4 for _ in range(400)]
    for drawn in history.rounds:
        for table in drawn.tables:
            for seat, entrant in enumerate(table.entrants):
                had[entrant][seat] += 1
    assert max(map(max, had)) <= 2
    assert sum(row == [1, 1, 1, 1] for row in had) >= 320
    assert Tables().draw(plan, history, Ask(5, history.order, bytes(32))) is not None
