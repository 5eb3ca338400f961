"""What places at a table are worth: fair whatever its size is."""

from itertools import pairwise, permutations, product

import pytest

from aboveboard_referee.tournament.history import TABLE_POINT, place_units

ALONE = {size: [(seat,) for seat in range(size)] for size in range(2, 8)}
PARTNERS = [(0, 2), (1, 3)]


def all_ranks(size: int) -> list[tuple[int, ...]]:
    """Every way for so many sides to share places or not, as ranks."""
    found = {
        tuple(1 + sum(other < mark for other in marks) for mark in marks)
        for marks in product(range(size), repeat=size)
    }
    return sorted(found)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_table_gives_half_a_point_for_each_side_however_places_are_shared(size: int) -> None:
    for ranks in all_ranks(size):
        assert 2 * sum(place_units(ranks, ALONE[size])) == size * TABLE_POINT


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_better_place_is_worth_more_and_an_equal_one_as_much(size: int) -> None:
    for ranks in all_ranks(size):
        units = place_units(ranks, ALONE[size])
        for a, b in product(range(size), repeat=2):
            assert (ranks[a] < ranks[b]) == (units[a] > units[b])


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_the_first_of_a_table_has_a_point_and_the_last_nothing_and_steps_are_equal(
    size: int,
) -> None:
    units = place_units(range(1, size + 1), ALONE[size])
    assert units[0] == TABLE_POINT
    assert units[-1] == 0
    assert {a - b for a, b in pairwise(units)} == {TABLE_POINT // (size - 1)}


@pytest.mark.parametrize("size", [3, 4, 5])
def test_who_share_places_have_the_mean_of_what_those_are_worth(size: int) -> None:
    worth = place_units(range(1, size + 1), ALONE[size])
    for ranks in all_ranks(size):
        units = place_units(ranks, ALONE[size])
        for rank in set(ranks):
            level = ranks.count(rank)
            assert units[ranks.index(rank)] * level == sum(worth[rank - 1 : rank - 1 + level])


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_equals_expect_half_a_point_at_a_table_of_any_size(size: int) -> None:
    """Every order of equals is as likely as every other."""
    gained = [place_units(ranks, ALONE[size])[0] for ranks in permutations(range(1, size + 1))]
    assert 2 * sum(gained) == len(gained) * TABLE_POINT


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_a_table_where_all_are_level_gives_each_half_a_point(size: int) -> None:
    assert place_units([1] * size, ALONE[size]) == (TABLE_POINT // 2,) * size


def test_partners_have_what_their_side_has_and_sides_share_as_two_seats_do() -> None:
    assert place_units([1, 3, 1, 3], PARTNERS) == (TABLE_POINT, 0, TABLE_POINT, 0)
    assert place_units([3, 1, 3, 1], PARTNERS) == (0, TABLE_POINT, 0, TABLE_POINT)
    assert place_units([1, 1, 1, 1], PARTNERS) == (TABLE_POINT // 2,) * 4


def test_sides_of_partners_count_as_one_each_among_others() -> None:
    sides = [(0, 3), (1, 4), (2, 5)]
    assert place_units([3, 1, 5, 3, 1, 5], sides) == (60, 120, 0, 60, 120, 0)
    assert place_units([1, 1, 5, 1, 1, 5], sides) == (90, 90, 0, 90, 90, 0)


def test_two_who_were_out_rank_behind_all_others_and_the_later_one_ahead() -> None:
    assert place_units([2, 4, 1, 3], ALONE[4]) == (80, 0, 120, 40)
