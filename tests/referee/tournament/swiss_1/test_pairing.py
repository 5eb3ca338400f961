"""A round is the best of all possible ones, and everybody finds the same."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.swiss_1.pairing import BYE, SYSTEM, VERSION, Pairs, pair
from aboveboard_referee.tournament.swiss_1.record import Played, Round
from tests.fakes.swiss_1 import all_rounds, any_round, play, seed_of

_DRAW = Played("a", (0, 1), (1, 1))


def _as_matching(paired: Pairs) -> tuple[tuple[int, int], ...]:
    pairs = [(min(ends), max(ends)) for ends in paired.pairs]
    return tuple(sorted(pairs + [(entrant, BYE) for entrant in paired.byes]))


@pytest.mark.parametrize("entrants", range(1, 9))
def test_a_round_is_the_only_optimum_of_the_stated_measures(entrants: int) -> None:
    chance = Random(entrants)
    for trial in range(30):
        rounds = [any_round(chance, n, entrants) for n in range(1, chance.randrange(7) + 1)]
        order = chance.sample(range(entrants), entrants)
        absent = frozenset(i for i in range(entrants) if chance.random() < 0.1)
        seed = seed_of(trial)
        possible = all_rounds(entrants, rounds, seed, order, absent)
        assert _as_matching(pair(entrants, rounds, seed, order, absent)) == possible[0][1]
        assert len(possible) == 1 or possible[0][0] < possible[1][0]


@pytest.mark.parametrize("entrants", range(2, 8))
@pytest.mark.parametrize("per_pairing", [2, 4, 12])
def test_a_round_after_pairings_of_several_matches_is_the_only_optimum_too(
    entrants: int, per_pairing: int
) -> None:
    chance = Random(f"{entrants} {per_pairing}")
    for trial in range(15):
        rounds = [
            any_round(chance, n, entrants, per_pairing=per_pairing)
            for n in range(1, chance.randrange(6) + 1)
        ]
        order = chance.sample(range(entrants), entrants)
        seed = seed_of(trial)
        possible = all_rounds(entrants, rounds, seed, order, frozenset(), per_pairing)
        paired = pair(entrants, rounds, seed, order, per_pairing=per_pairing)
        assert _as_matching(paired) == possible[0][1]
        assert len(possible) == 1 or possible[0][0] < possible[1][0]


def test_who_sits_where_in_a_pairing_of_several_matches_hangs_on_the_seed_alone() -> None:
    for trial in range(20):
        rounds = play(5, 4, Random(trial), per_pairing=2)
        seed = seed_of(trial)
        paired = pair(5, rounds, seed, range(5), per_pairing=2)
        for first, second in paired.pairs:
            assert tie_hash(seed, first, second)[-1] & 1 == (first > second)


def test_half_a_point_of_one_match_tells_scores_apart() -> None:
    """After a round of pairings of four, 8 : 0, 7 : 1, 6 : 2 and 5 : 3 half points."""
    results = [(8, 0), (7, 1), (6, 2), (5, 3)]
    matches = []
    for board, (first, _) in enumerate(results):
        ends = (2 * board, 2 * board + 1)
        for leg in range(4):
            gained = min(2, max(0, first - 2 * leg))
            points = (gained, 2 - gained)
            seats = (ends, points) if leg % 2 == 0 else (ends[::-1], points[::-1])
            matches.append(Played(f"{board}{leg}", *seats))
    rounds = [Round(1, tuple(matches), ())]
    paired = pair(8, rounds, seed_of(1), range(8), per_pairing=4)
    assert {frozenset(ends) for ends in paired.pairs} == {
        frozenset(ends) for ends in ((0, 2), (4, 6), (5, 7), (1, 3))
    }


@pytest.mark.parametrize("entrants", [5, 6, 7, 8])
def test_nobody_meets_again_while_that_can_be_avoided(entrants: int) -> None:
    for trial in range(8):
        rounds = play(entrants, entrants + 1, Random(trial))
        for number, played in enumerate(rounds):
            before = Counter(frozenset(m.entrants) for r in rounds[:number] for m in r.matches)
            again = sum(frozenset(match.entrants) in before for match in played.matches)
            possible = all_rounds(
                entrants, rounds[:number], seed_of(0), range(entrants), frozenset()
            )
            assert again == possible[0][0][0]


@pytest.mark.parametrize("entrants", [9, 11, 13])
def test_byes_go_round(entrants: int) -> None:
    for trial in range(10):
        rounds = play(entrants, 6, Random(trial))
        byes = Counter(entrant for played in rounds for entrant in played.byes)
        assert len(byes) == byes.total() == 6


def test_a_bye_goes_to_the_lowest_score_among_those_without_one() -> None:
    rounds = [Round(1, (Played("a", (0, 1), (2, 0)), Played("b", (2, 3), (1, 1))), (4,))]
    assert pair(5, rounds, seed_of(1), range(5)).byes == (1,)


def test_those_who_sit_out_are_neither_paired_nor_given_a_bye() -> None:
    paired = pair(6, (), seed_of(1), range(6), frozenset({2, 5, 0}))
    assert sorted([*paired.byes, *(i for ends in paired.pairs for i in ends)]) == [1, 3, 4]
    assert pair(3, (), seed_of(1), range(3), frozenset({0, 1})) == Pairs((), (2,))
    assert pair(2, (), seed_of(1), range(2), frozenset({0, 1})) == Pairs((), ())
    assert pair(0, (), seed_of(1), ()) == Pairs((), ())


def test_a_first_round_pairs_the_upper_half_with_the_lower() -> None:
    order = Random(1).sample(range(11), 11)
    paired = pair(11, (), seed_of(1), order)
    upper, lower = set(order[:5]), set(order[5:])
    assert all(len(upper & set(ends)) == len(lower & set(ends)) == 1 for ends in paired.pairs)
    assert set(paired.byes) <= lower


def test_the_seed_decides_a_first_round_within_the_halves() -> None:
    rounds = {pair(8, (), seed_of(number), range(8)) for number in range(20)}
    assert len(rounds) > 15


def test_first_seats_even_out_over_seven_rounds_of_eight() -> None:
    for trial in range(30):
        balance = Counter[int]()
        for played in play(8, 7, Random(trial)):
            for match in played.matches:
                balance.update({match.entrants[0]: 1, match.entrants[1]: -1})
        assert all(abs(value) <= 3 for value in balance.values())
        assert sum(abs(value) > 1 for value in balance.values()) <= 2


def test_the_first_seat_goes_to_who_had_it_less_often_net_of_the_second() -> None:
    one = Played("a", (0, 1), (1, 1))
    assert pair(2, [Round(1, (one,), ())], seed_of(1), (0, 1)).pairs == ((1, 0),)
    never = Round(1, (one,), (), absent=(2,))
    assert pair(3, [never], seed_of(1), range(3), frozenset({0})).pairs == ((1, 2),)
    assert pair(3, [never], seed_of(1), range(3), frozenset({1})).pairs == ((2, 0),)


def test_of_two_who_had_it_as_often_the_first_seat_alternates() -> None:
    rounds = [
        Round(1, (Played("a", (0, 1), (1, 1)), Played("b", (2, 3), (1, 1))), ()),
        Round(2, (Played("c", (3, 0), (1, 1)), Played("d", (2, 1), (1, 1))), ()),
    ]
    assert pair(4, rounds, seed_of(1), range(4), frozenset({1, 2})).pairs == ((0, 3),)


def test_of_two_with_the_same_seats_behind_them_the_seed_decides() -> None:
    first = {pair(2, (), seed_of(number), (0, 1)).pairs[0][0] for number in range(20)}
    assert first == {0, 1}


def test_the_leaders_are_listed_first() -> None:
    rounds = play(12, 4, Random(5))
    paired = pair(12, rounds, seed_of(3), range(12))
    points = Counter[int]()
    for played in rounds:
        for match in played.matches:
            points.update(dict(zip(match.entrants, match.half_points or (), strict=True)))
    best = [max(points[entrant] for entrant in ends) for ends in paired.pairs]
    assert best == sorted(best, reverse=True)


def test_a_field_of_a_hundred_is_paired_completely() -> None:
    rounds = play(100, 8, Random(2))
    met = [frozenset(match.entrants) for played in rounds for match in played.matches]
    assert len(met) == len(set(met)) == 400


def test_the_hash_seed_of_the_process_makes_no_difference() -> None:
    script = (
        "from random import Random\n"
        "from tests.fakes.swiss_1 import play\n"
        "print(play(9, 5, Random(1)))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[4],
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert printed == {f"{play(9, 5, Random(1))}\n".encode()}


@pytest.mark.parametrize(
    ("rounds", "order", "absent", "refusal"),
    [
        ((Round(1, (Played("a", (0, 1), None),), ()),), (0, 1, 2), set(), "not finished"),
        ((Round(1, (Played("a", (0, 0), (1, 1)),), ()),), (0, 1, 2), set(), "two places"),
        ((Round(1, (Played("a", (0, 3), (1, 1)),), ()),), (0, 1, 2), set(), "no entrant 3"),
        ((Round(1, (Played("a", (0, 1, 2), None),), ()),), (0, 1, 2), set(), "not two"),
        ((Round(1, (Played("a", (0, 1), (2, 1)),), ()),), (0, 1, 2), set(), "half points"),
        ((Round(1, (), (1,), absent=(1,)),), (0, 1, 2), set(), "two places"),
        ((Round(1, (_DRAW, _DRAW), ()),), (0, 1, 2), set(), "0 and 1 have 2 matches, not 1"),
        ((Round(2, (), ()), Round(1, (), ())), (0, 1, 2), set(), "follows"),
        ((), (0, 1), set(), "every entrant once"),
        ((), (0, 1, 1), set(), "every entrant once"),
        ((), (0, 1, 2), {7}, "no entrant 7"),
    ],
)
def test_what_is_no_tournament_is_refused(
    rounds: tuple[Round, ...], order: tuple[int, ...], absent: set[int], refusal: str
) -> None:
    with pytest.raises(ValueError, match=refusal):
        pair(3, rounds, seed_of(1), order, frozenset(absent))


def test_the_system_and_its_version_are_named() -> None:
    assert (SYSTEM, VERSION) == ("swiss", 1)
