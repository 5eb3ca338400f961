"""Scores are whole numbers of half points of matches, whatever is played."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.tournament.swiss_1.record import Played, Round
from aboveboard_referee.tournament.swiss_1.standings import TIE_BREAKS, Row, table
from aboveboard_referee.verify.archive import points_text
from tests.fakes.swiss_1 import play

SIZES = st.integers(2, 9)
MATCHES = st.sampled_from([1, 2, 4, 6, 12])
CHANCE = st.integers(0, 10**6).map(Random)


def scores(entrants: int, rounds: tuple[Round, ...], per_pairing: int) -> list[Fraction]:
    """Points by the words: a pairing gives the sum of its matches by their number."""
    points = [Fraction(0)] * entrants
    for played in rounds:
        for entrant in played.byes:
            points[entrant] += 1
        for match in played.matches:
            for entrant, half in zip(match.entrants, match.half_points or (), strict=True):
                points[entrant] += Fraction(half, 2 * per_pairing)
    return points


def opponents(entrants: int, rounds: tuple[Round, ...]) -> list[list[int]]:
    met: list[list[int]] = [[] for _ in range(entrants)]
    for played in rounds:
        for a, b in {tuple(sorted(match.entrants)) for match in played.matches}:
            met[a].append(b)
            met[b].append(a)
    return met


@settings(max_examples=60, deadline=None)
@given(SIZES, MATCHES, st.integers(1, 5), CHANCE)
def test_the_table_is_exact(entrants: int, per_pairing: int, number: int, chance: Random) -> None:
    rounds = play(entrants, number, chance, per_pairing=per_pairing)
    rows = table(entrants, rounds, ("buchholz", "direct", "wins"), per_pairing)
    points, met = scores(entrants, rounds, per_pairing), opponents(entrants, rounds)
    unit = 2 * per_pairing
    for row in rows:
        assert Fraction(row.half_points, unit) == points[row.entrant]
        assert Fraction(row.buchholz, unit) == sum(points[other] for other in met[row.entrant])
    assert [row.half_points for row in rows] == sorted(
        (row.half_points for row in rows), reverse=True
    )


@settings(max_examples=40, deadline=None)
@given(SIZES, MATCHES, CHANCE)
def test_a_round_gives_a_point_for_each_pairing_and_bye_less_what_both_lost(
    entrants: int, per_pairing: int, chance: Random
) -> None:
    (played,) = play(entrants, 1, chance, per_pairing=per_pairing)
    rows = table(entrants, [played], (), per_pairing)
    lost = sum(match.half_points == (0, 0) for match in played.matches)
    given_out = Fraction(sum(row.half_points for row in rows), 2 * per_pairing)
    assert given_out == len(played.pairings) + len(played.byes) - Fraction(lost, per_pairing)


@settings(max_examples=40, deadline=None)
@given(SIZES, MATCHES, st.integers(1, 4), CHANCE)
def test_every_rank_is_told_by_points_and_the_values_of_the_tie_breaks(
    entrants: int, per_pairing: int, number: int, chance: Random
) -> None:
    """Nothing but what a row shows decides: rows of one rank show the same."""
    rounds = play(entrants, number, chance, per_pairing=per_pairing)
    breaks = chance.sample(sorted(TIE_BREAKS), 3)

    def shown(row: Row) -> tuple[int, ...]:
        return (row.half_points, *(getattr(row, name) or 0 for name in breaks))

    rows = table(entrants, rounds, breaks, per_pairing)
    assert list(rows) == sorted(rows, key=shown, reverse=True)
    for one, other in pairwise(rows):
        assert (one.rank == other.rank) == (shown(one) == shown(other))


def pairing(a: int, b: int, *half_points: int) -> list[Played]:
    """Matches between ``a`` and ``b`` in which ``a`` has these half points, seats in turn."""
    return [
        Played(f"{a}-{b}-{i}", (a, b), (half, 2 - half))
        if i % 2 == 0
        else Played(f"{a}-{b}-{i}", (b, a), (2 - half, half))
        for i, half in enumerate(half_points)
    ]


def test_direct_encounters_are_those_of_whole_pairings() -> None:
    """Of 0 and 1, who are tied and met, 1 took three half points of the four."""
    rounds = [
        Round(1, (*pairing(0, 1, 1, 0), *pairing(2, 3, 1, 1)), ()),
        Round(2, (*pairing(0, 2, 2, 1), *pairing(1, 3, 1, 0)), ()),
    ]
    rows = table(4, rounds, ("direct",), 2)
    assert {row.entrant: row.half_points for row in rows} == {0: 4, 1: 4, 2: 3, 3: 5}
    assert [(row.rank, row.entrant, row.direct) for row in rows] == [
        (1, 3, None),
        (2, 1, 3),
        (3, 0, 1),
        (4, 2, None),
    ]


def test_an_unfinished_pairing_is_no_encounter_and_makes_no_opponent() -> None:
    one, other = pairing(0, 1, 2, 0)
    rounds = [Round(1, (one, Played(other.match, other.entrants, None)), (2,))]
    rows = {row.entrant: row for row in table(3, rounds, ("buchholz", "direct"), 2)}
    assert [rows[i].half_points for i in range(3)] == [2, 0, 4]
    assert [(rows[i].buchholz, rows[i].direct) for i in range(3)] == [(0, None)] * 3


def test_wins_are_of_matches() -> None:
    rounds = [Round(1, (*pairing(0, 1, 2, 0, 1, 1), *pairing(2, 3, 1, 1, 1, 1)), ())]
    rows = table(4, rounds, ("wins",), 4)
    assert {row.half_points for row in rows} == {4}
    assert [(row.rank, row.entrant, row.wins) for row in rows] == [
        (1, 0, 1),
        (1, 1, 1),
        (3, 2, 0),
        (3, 3, 0),
    ]


# --- As text ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("half_points", "per_pairing", "text"),
    [
        (0, 1, "0.0"),
        (7, 1, "3.5"),
        (2000, 1, "1000.0"),
        (13, 2, "3.25"),
        (5, 4, "0.625"),
        (26, 6, "2.167"),
        (1, 8, "0.063"),
        (1, 200, "0.003"),
        (399, 200, "0.998"),
    ],
)
def test_points_have_as_many_decimals_as_tell_them_apart(
    half_points: int, per_pairing: int, text: str
) -> None:
    assert points_text(half_points, per_pairing) == text


@pytest.mark.parametrize("per_pairing", [1, *range(2, 201, 2)])
def test_two_scores_never_read_alike_and_none_is_off_by_more_than_half_a_digit(
    per_pairing: int,
) -> None:
    texts = [points_text(half_points, per_pairing) for half_points in range(4 * per_pairing + 1)]
    assert len(set(texts)) == len(texts)
    for half_points, text in enumerate(texts):
        error = Fraction(text) - Fraction(half_points, 2 * per_pairing)
        assert abs(error) <= Fraction(1, 2000)
