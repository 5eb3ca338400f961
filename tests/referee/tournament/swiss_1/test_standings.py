"""The table counts what was played, and says how equals are told apart."""

from random import Random

import pytest

from aboveboard_referee.tournament.swiss_1.record import Played, Round
from aboveboard_referee.tournament.swiss_1.standings import (
    DEFAULT_TIE_BREAKS,
    TIE_BREAKS,
    Row,
    table,
)
from tests.fakes.swiss_1 import play


def _ranks(rows: tuple[Row, ...]) -> list[tuple[int, int]]:
    return [(row.rank, row.entrant) for row in rows]


def test_points_come_before_wins_and_equals_share_a_rank() -> None:
    rounds = [
        Round(1, (Played("a", (0, 1), (2, 0)), Played("b", (2, 3), (1, 1))), ()),
        Round(2, (Played("c", (1, 0), (2, 0)), Played("d", (3, 2), (1, 1))), ()),
        Round(3, (Played("e", (0, 2), (0, 0)), Played("f", (3, 1), (0, 0))), ()),
    ]
    rows = table(4, rounds, DEFAULT_TIE_BREAKS)
    assert _ranks(rows) == [(1, 0), (1, 1), (3, 2), (3, 3)]
    assert [(row.half_points, row.wins, row.matches) for row in rows] == [
        (2, 1, 3),
        (2, 1, 3),
        (2, 0, 3),
        (2, 0, 3),
    ]
    assert _ranks(table(4, rounds, ())) == [(1, 0), (1, 1), (1, 2), (1, 3)]


def test_a_bye_counts_in_full_but_is_no_match_and_no_win() -> None:
    (row,) = table(1, [Round(1, (), (0,))], DEFAULT_TIE_BREAKS)
    assert row == Row(entrant=0, rank=1, half_points=2, wins=0, matches=0, byes=1, buchholz=0)


def test_an_unfinished_match_and_an_absence_count_for_nothing() -> None:
    rounds = [Round(1, (Played("a", (0, 1), None),), (), absent=(2,))]
    assert table(3, rounds, ("buchholz",)) == tuple(Row(i, 1, 0, 0, 0, 0, 0) for i in range(3))


def test_buchholz_sums_the_half_points_of_opponents() -> None:
    rounds = [
        Round(1, (Played("a", (0, 1), (2, 0)), Played("b", (2, 3), (2, 0))), (4,)),
        Round(2, (Played("c", (1, 4), (2, 0)), Played("d", (3, 0), (0, 2))), (2,)),
    ]
    rows = {row.entrant: row for row in table(5, rounds, ("buchholz",))}
    assert {i: row.half_points for i, row in rows.items()} == {0: 4, 1: 2, 2: 4, 3: 0, 4: 2}
    assert {i: row.buchholz for i, row in rows.items()} == {0: 2, 1: 6, 2: 0, 3: 8, 4: 2}
    assert _ranks(table(5, rounds, ("buchholz",))) == [(1, 0), (2, 2), (3, 1), (4, 4), (5, 3)]


def test_direct_encounters_separate_those_tied_if_all_of_them_met() -> None:
    met = [
        Round(1, (Played("a", (0, 1), (0, 2)), Played("b", (2, 3), (2, 0))), ()),
        Round(2, (Played("c", (0, 3), (2, 0)), Played("d", (1, 2), (0, 0))), ()),
    ]
    assert _ranks(table(4, met, ())) == [(1, 0), (1, 1), (1, 2), (4, 3)]
    assert _ranks(table(4, met, ("direct",))) == [(1, 0), (1, 1), (1, 2), (4, 3)]
    all_met = [*met, Round(3, (Played("e", (2, 0), (0, 0)),), ())]
    assert _ranks(table(4, all_met, ("direct",))) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_tie_breaks_are_applied_in_the_order_given() -> None:
    rounds = play(9, 5, Random(3))
    both = {name: _ranks(table(9, rounds, (name, "wins"))) for name in ("buchholz", "direct")}
    assert both["buchholz"] != both["direct"]


def test_every_entrant_has_one_row_and_ranks_count_those_above() -> None:
    for trial in range(20):
        rows = table(10, play(10, 4, Random(trial)), ("wins", "buchholz", "direct"))
        assert sorted(row.entrant for row in rows) == list(range(10))
        assert list(rows) == sorted(rows, key=lambda row: (row.rank, row.entrant))
        for row in rows:
            assert row.rank == 1 + sum(other.rank < row.rank for other in rows)


@pytest.mark.parametrize(
    ("names", "refusal"),
    [(("wins", "luck"), "unknown tie-break luck"), (("wins", "wins"), "named twice")],
)
def test_tie_breaks_outside_the_closed_set_are_refused(
    names: tuple[str, ...], refusal: str
) -> None:
    with pytest.raises(ValueError, match=refusal):
        table(2, (), names)


def test_the_closed_set_holds_the_default() -> None:
    assert set(DEFAULT_TIE_BREAKS) <= TIE_BREAKS
