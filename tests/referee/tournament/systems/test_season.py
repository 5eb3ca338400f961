"""From season to season: promotion, relegation, newcomers and who is not seen again."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    Bye,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.systems.league import League
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.season import (
    Season,
    inactive,
    missed,
    next_season,
)
from tests.fakes.seasons_of_systems import play

TABLE = (("a1", "a2", "a3", "a4"), ("b1", "b2", "b3", "b4"), ("c1", "c2", "c3", "c4"))
SIZES = (4, 4, 4)


def test_exchanges_the_last_of_each_division_with_the_first_of_the_next() -> None:
    season = next_season(TABLE, SIZES, 1)
    assert season.divisions == (
        ("a1", "a2", "a3", "b1"),
        ("a4", "b2", "b3", "c1"),
        ("b4", "c2", "c3", "c4"),
    )
    assert season.waiting == ()


def test_counts_who_left_among_the_relegated() -> None:
    season = next_season(TABLE, SIZES, 1, left=["a2"], newcomers=["new"])
    assert season.divisions == (
        ("a1", "a3", "a4", "b1"),
        ("b2", "b3", "c1", "b4"),  # b4 is spared: nobody came down
        ("c2", "c3", "c4", "new"),
    )


def test_sends_the_inactive_down_whatever_their_rank_and_out_of_the_last_division() -> None:
    season = next_season(TABLE, SIZES, 1, inactive=["a1", "c1"], newcomers=["new"])
    assert season.divisions == (
        ("a2", "a3", "a4", "b1"),
        ("b2", "b3", "c2", "a1"),
        ("b4", "c3", "c4", "c1"),
    )
    assert season.waiting == ("new",)


def test_promotes_more_where_more_places_are_vacant() -> None:
    season = next_season(TABLE, SIZES, 1, left=["a1", "a2", "a3"], newcomers=["x", "y", "z"])
    assert season.divisions == (
        ("a4", "b1", "b2", "b3"),
        ("c1", "b4", "c2", "c3"),
        ("c4", "x", "y", "z"),
    )


def test_orders_newcomers_by_rating_and_then_by_key() -> None:
    ratings = {"x": 1500, "y": 1700, "z": 1500}
    season = next_season((), (2, 2), 0, newcomers=["z", "w", "x", "y"], ratings=ratings)
    assert season.divisions == (("y", "x"), ("z", "w"))


def test_lets_divisions_grow_shrink_and_be_founded() -> None:
    season = next_season(TABLE, (5, 2, 4, 4), 0)
    assert season.divisions == (
        ("a1", "a2", "a3", "a4", "b1"),
        ("b2", "b3"),
        ("b4", "c1", "c2", "c3"),
        ("c4",),
    )


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.data())
def test_keeps_everybody_once_and_every_size(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(2, 6), min_size=1, max_size=5))
    table = [[f"{number}.{rank}" for rank in range(size)] for number, size in enumerate(sizes)]
    everybody = [key for division in table for key in division]
    exchanged = data.draw(st.integers(0, min(sizes) // 2))
    left = data.draw(st.sets(st.sampled_from(everybody)))
    idle = data.draw(st.sets(st.sampled_from(everybody)))
    newcomers = [f"new {i}" for i in range(data.draw(st.integers(0, 12)))]
    season = next_season(table, sizes, exchanged, newcomers=newcomers, left=left, inactive=idle)

    placed = [key for division in season.divisions for key in division]
    stay = {key for key in everybody if key not in left} | set(newcomers)
    assert sorted([*placed, *season.waiting]) == sorted(stay)
    assert [len(division) for division in season.divisions] == filled(sizes, len(stay))
    assert not season.waiting or len(placed) == sum(sizes)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.data())
def test_moves_nobody_further_than_a_division_where_all_come_back(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(2, 6), min_size=2, max_size=5))
    table = [[f"{number}.{rank}" for rank in range(size)] for number, size in enumerate(sizes)]
    exchanged = data.draw(st.integers(0, min(sizes) // 2))
    season = next_season(table, sizes, exchanged)
    for number, (before, after) in enumerate(zip(table, season.divisions, strict=True)):
        up = set(before[:exchanged]) if number else set()
        down = set(before[len(before) - exchanged :]) if number + 1 < len(table) else set()
        assert set(before) - up - down <= set(after)
        assert not up or up <= set(season.divisions[number - 1])
        assert not down or down <= set(season.divisions[number + 1])


def filled(sizes: list[int], people: int) -> list[int]:
    """The sizes as so many fill them from the top."""
    found = []
    for size in sizes:
        found.append(min(size, people))
        people -= found[-1]
    return found


def test_counts_the_rounds_that_somebody_missed_without_having_asked() -> None:
    plan = Plan("league", divisions=(4,))
    absent, left = Bye(0, ABSENT_BYE, 0), Round(3, (Table("c", (1, 2), (2, 0)),))
    rounds = (
        Round(1, (Table("a", (1, 2), (0, 2), forfeits=frozenset({1})),), (absent,)),
        Round(2, (Table("b", (1, 2), (2, 0)),), (Bye(0, REQUESTED_BYE, 1), Bye(3, PAIRING_BYE, 2))),
        left,
    )
    history = History(4, 2, (0, 1, 2, 3), rounds)
    assert missed(plan, history) == (2, 1, 0, 2)
    assert inactive(plan, history, 1) == (0, 3)


def test_misses_no_round_that_a_shorter_division_did_not_have() -> None:
    plan = Plan("league", divisions=(2, 6))
    history = play(League(), plan, 8, Random(1)).history
    assert len(history.rounds) == 5
    assert missed(plan, history) == (0,) * 8


@pytest.mark.parametrize(
    ("table", "sizes", "exchanged", "line"),
    [
        ((("a",), ("a",)), (1, 1), 0, "a has two places"),
        ((("a",), ("b",)), (1,), 0, r"2 divisions cannot exchange 0 in \[1\]"),
        ((("a", "b"), ("c", "d"), ("e",)), (2, 2, 2), 2, "division 2 of 2 cannot exchange 2"),
    ],
)
def test_refuses_what_cannot_be(
    table: tuple[tuple[str, ...], ...], sizes: tuple[int, ...], exchanged: int, line: str
) -> None:
    with pytest.raises(ValueError, match=line):
        next_season(table, sizes, exchanged)


def test_founds_a_league_of_nobody() -> None:
    assert next_season((), (4,), 0) == Season(((),), ())
