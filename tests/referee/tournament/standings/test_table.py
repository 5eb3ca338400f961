"""The table ranks by what it says, and by nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    REQUESTED_BYE,
    Bye,
    History,
    Round,
    Table,
    scores,
)
from aboveboard_referee.tournament.standings.table import Row, table
from aboveboard_referee.tournament.standings.tie_breaks import (
    DEFAULT_TIE_BREAKS,
    DIRECT,
    TABLE_DEFAULT,
    TIE_BREAKS,
    scale,
    shown,
)
from tests.fakes.histories import random_history
from tests.fakes.relabelling import relabelled

CHOICES = ((), DEFAULT_TIE_BREAKS, TABLE_DEFAULT, TIE_BREAKS, (DIRECT, "median-buchholz"))


def _histories(count: int = 60) -> Iterator[History]:
    """Of two seats, of pairings of three matches, and of tables of up to five."""
    for seed in range(count):
        chance = Random(seed)
        seats, point = ((2, 2), (2, 6), (chance.randint(3, 5), 120))[seed % 3]
        entrants, rounds = chance.randint(2, 20), chance.randint(0, 7)
        yield random_history(
            chance, entrants, rounds, seats=seats, point=point, withdrawals=0.05, late=0.1
        )[0]


def test_an_empty_history_has_everybody_first() -> None:
    rows = table(History(3, 2, (2, 0, 1)), DEFAULT_TIE_BREAKS)
    assert rows == tuple(Row(one, 1, 0, 0, 0, 0, 0, (0, 0, 0, 0, 0)) for one in (2, 0, 1))
    assert table(History(0, 2, ()), DEFAULT_TIE_BREAKS) == ()


def test_a_rank_is_one_more_than_the_number_of_those_before() -> None:
    for history in _histories():
        for names in CHOICES:
            rows = table(history, names)
            assert sorted(row.entrant for row in rows) == list(range(history.entrants))
            keys = [(row.units, *row.tie_breaks) for row in rows]
            assert keys == sorted(keys, reverse=True)
            assert [row.rank for row in rows] == [1 + sum(k > key for k in keys) for key in keys]
            for earlier, later in pairwise(rows):
                if earlier.rank == later.rank:
                    order = history.order
                    assert order.index(earlier.entrant) < order.index(later.entrant)


def test_tie_breaks_never_change_anybodys_points_or_each_other() -> None:
    for history in _histories():
        total = scores(history)
        whole = {row.entrant: row for row in table(history, TIE_BREAKS)}
        for names in CHOICES:
            for row in table(history, names):
                full = whole[row.entrant]
                assert row.units == full.units == total[row.entrant]
                for name, value in zip(names, row.tie_breaks, strict=True):
                    if name != DIRECT:
                        assert value == full.tie_breaks[TIE_BREAKS.index(name)]


def test_an_entrants_number_means_nothing() -> None:
    for seed, history in enumerate(_histories()):
        label = list(range(history.entrants))
        Random(seed).shuffle(label)
        rows = table(history, TIE_BREAKS)
        assert table(relabelled(history, label), TIE_BREAKS) == tuple(
            replace(row, entrant=label[row.entrant]) for row in rows
        )


def test_a_tables_place_in_its_round_and_a_seat_at_it_mean_nothing() -> None:
    for seed, history in enumerate(_histories()):
        chance = Random(seed)
        rounds = []
        for drawn in history.rounds:
            tables = [_reseated(chance, pairing) for pairing in drawn.tables]
            byes = list(drawn.byes)
            chance.shuffle(tables)
            chance.shuffle(byes)
            rounds.append(Round(drawn.number, tuple(tables), tuple(byes)))
        other = replace(history, rounds=tuple(rounds))
        assert table(other, TIE_BREAKS) == table(history, TIE_BREAKS)


def _reseated(chance: Random, pairing: Table) -> Table:
    assert pairing.units is not None
    seats = list(range(len(pairing.entrants)))
    chance.shuffle(seats)
    return replace(
        pairing,
        entrants=tuple(pairing.entrants[i] for i in seats),
        units=tuple(pairing.units[i] for i in seats),
        wins=tuple(pairing.wins[i] for i in seats),
    )


def test_finer_units_change_no_rank_and_scale_every_tie_break() -> None:
    for history in _histories():
        finer = replace(history, point=history.point * 7, rounds=tuple(map(_finer, history.rounds)))
        for row, other in zip(table(history, TIE_BREAKS), table(finer, TIE_BREAKS), strict=True):
            assert (row.entrant, row.rank) == (other.entrant, other.rank)
            for name, value, larger in zip(
                TIE_BREAKS, row.tie_breaks, other.tie_breaks, strict=True
            ):
                assert value * scale(name, finer.point) == larger * scale(name, history.point)


def _finer(drawn: Round) -> Round:
    return Round(
        drawn.number,
        tuple(
            replace(pairing, units=tuple(7 * units for units in pairing.units or ()))
            for pairing in drawn.tables
        ),
        tuple(replace(bye, units=7 * bye.units) for bye in drawn.byes),
    )


def test_a_finished_round_takes_no_points_wins_or_byes_away() -> None:
    never_less = ("wins", "full-points", "progressive")
    for history in _histories():
        for rounds in range(len(history.rounds)):
            before, after = (
                {
                    row.entrant: (row.units, row.wins, row.matches, row.byes, *row.tie_breaks)
                    for row in table(replace(history, rounds=history.rounds[:i]), never_less)
                }
                for i in (rounds, rounds + 1)
            )
            for one in before:
                assert all(a <= b for a, b in zip(before[one], after[one], strict=True))


def test_a_round_of_which_nothing_is_decided_changes_nothing() -> None:
    for history in _histories():
        if history.entrants % 2:
            continue
        places = range(0, history.entrants, 2)
        drawn = Round(
            len(history.rounds) + 1,
            tuple(Table(f"t{i}", (i, i + 1), None) for i in places),
        )
        longer = replace(history, rounds=(*history.rounds, drawn))
        assert table(longer, TIE_BREAKS) == table(history, TIE_BREAKS)


def test_an_undecided_table_counts_for_nobody_and_a_bye_counts_at_once() -> None:
    drawn = Round(1, (Table("a", (0, 1), None),), (Bye(2, PAIRING_BYE, 2),))
    rows = table(History(3, 2, (0, 1, 2), (drawn,)), DEFAULT_TIE_BREAKS)
    assert rows == (
        Row(2, 1, 2, 0, 0, 0, 1, (0, 60, 120, 0, 0)),
        Row(0, 2, 0, 0, 0, 0, 0, (0, 0, 0, 0, 0)),
        Row(1, 2, 0, 0, 0, 0, 0, (0, 0, 0, 0, 0)),
    )


def test_wins_and_matches_are_of_what_was_played() -> None:
    rounds = (
        Round(1, (Table("a", (0, 1), (5, 1), (2, 0), seatings=((0, 1), (1, 0), (0, 1))),)),
        Round(2, (Table("b", (0, 1), (6, 0), (3, 0), frozenset({1}), ((0, 1),)),)),
        Round(3, (), (Bye(0, PAIRING_BYE, 6), Bye(1, REQUESTED_BYE, 3))),
    )
    first, second = table(History(2, 6, (0, 1), rounds), ("wins", "full-points"))
    assert first == Row(0, 1, 17, 2, 3, 1, 1, (2, 2))
    assert second == Row(1, 2, 4, 0, 3, 1, 1, (0, 0))


def test_levels_rank_before_points_and_the_disqualified_last() -> None:
    history = History(3, 2, (0, 1, 2), (Round(1, (Table("a", (0, 1), (2, 0), (1, 0)),)),))
    ranks = [(row.entrant, row.rank, row.out) for row in table(history, (), (0, 1, 1))]
    assert ranks == [(1, 1, False), (2, 1, False), (0, 3, False)]
    rows = table(history, ("buchholz",), (0, 1, 1), out=frozenset({1}))
    assert [(row.entrant, row.rank, row.out) for row in rows] == [
        (2, 1, False),
        (0, 2, False),
        (1, 3, True),
    ]
    without = {row.entrant: row.tie_breaks for row in table(history, ("buchholz",))}
    assert {row.entrant: row.tie_breaks for row in rows} == without


def test_the_disqualified_separate_nobody_by_direct_encounter() -> None:
    rounds = (
        Round(1, (Table("a", (0, 1), (2, 0), (1, 0)), Table("b", (2, 3), (2, 0), (1, 0)))),
        Round(2, (Table("c", (2, 0), (2, 0), (1, 0)), Table("d", (1, 3), (2, 0), (1, 0)))),
        Round(3, (Table("e", (1, 2), (2, 0), (1, 0)), Table("f", (0, 3), (2, 0), (1, 0)))),
    )
    history = History(4, 2, (0, 1, 2, 3), rounds)
    assert [row.rank for row in table(history, (DIRECT,))] == [1, 1, 1, 4]
    rows = table(history, (DIRECT,), out=frozenset({2}))
    assert [(row.entrant, row.rank) for row in rows] == [(0, 1), (1, 2), (3, 3), (2, 4)]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"tie_breaks": ("luck",)}, "unknown tie-break luck; known are buchholz, "),
        ({"tie_breaks": ("wins", "wins")}, "a tie-break is named twice"),
        ({"levels": (1,)}, "1 levels for 2 entrants"),
        ({"out": frozenset({7})}, "there is no entrant 7 to be disqualified"),
        ({"history": History(2, 3, (0, 1))}, "a point of 3 units cannot be halved"),
        ({"history": History(2, 2, (0, 0))}, "the initial order does not name every entrant once"),
    ],
)
def test_what_cannot_be_ranked_is_refused_in_one_line(
    arguments: dict[str, object], line: str
) -> None:
    with pytest.raises(ValueError, match=line):
        table(**{"history": History(2, 2, (0, 1)), "tie_breaks": (), **arguments})  # type: ignore[arg-type]


def test_values_are_shown_with_three_decimals_at_most() -> None:
    assert [shown(value, 120) for value in (0, 60, 120, 40, 80, 1260)] == [
        "0",
        "0.5",
        "1",
        "0.333",
        "0.667",
        "10.5",
    ]
    assert shown(19999, 2000) == "10"
    assert shown(10, 1) == "10"
    assert scale("buchholz", 2) == 120
    assert scale("sonneborn-berger", 2) == 240
    assert (scale("progressive", 2), scale("wins", 2), scale(DIRECT, 2)) == (2, 1, 1)
