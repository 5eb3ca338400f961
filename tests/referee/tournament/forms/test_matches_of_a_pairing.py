"""A pairing of several matches: which of them are due, and what they come to."""

import itertools

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.history import TABLE_POINT
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.results import Result, due, units_of, wins_of
from tests.fakes.leaves import Leaves, signed
from tests.fakes.pairings import DRAWN, LOST, WON, planned, results_of


def test_all_matches_are_due_at_once_where_each_counts() -> None:
    matches = planned(4)
    assert due(matches, results_of({}), early_stop=False) == matches
    left = due(matches, results_of({"m-2": WON}), early_stop=False)
    assert [match.match for match in left] == ["m-1", "m-3", "m-4"]


def test_with_an_early_stop_one_match_is_due_after_the_other() -> None:
    matches = planned(3)
    assert due(matches, results_of({}), early_stop=True) == matches[:1]
    assert due(matches, results_of({"m-1": WON}), early_stop=True) == matches[1:2]


@pytest.mark.parametrize("matches", [1, 2, 3, 4, 5])
def test_an_early_stop_never_changes_who_wins(matches: int) -> None:
    given = planned(matches)
    for outcome in itertools.product((WON, DRAWN, LOST), repeat=matches):
        every = {match.match: result for match, result in zip(given, outcome, strict=True)}
        # Results are of the pairing's first entrant, whichever seat it has.
        turned = {
            match.match: every[match.match]
            if match.entrants[0] == 0
            else _turned(every[match.match])
            for match in given
        }
        played: dict[str, Result] = {}
        while open_now := due(given, results_of(played), early_stop=True):
            played[open_now[0].match] = turned[open_now[0].match]
        whole = units_of(given, results_of(turned), True, lambda *_: ())
        assert units_of(given, results_of(played), True, lambda *_: ()) == whole


def _turned(result: Result) -> Result:
    return Result(result.half_points[::-1], result.ranks[::-1], result.forfeits)


def test_a_decider_is_due_only_while_everything_before_it_leaves_a_tie() -> None:
    matches = planned(2, deciders=2)
    tied = {"m-1": DRAWN, "m-2": DRAWN}
    assert [m.match for m in due(matches, results_of(tied), early_stop=False)] == ["m-d1"]
    still = {**tied, "m-d1": DRAWN}
    assert [m.match for m in due(matches, results_of(still), early_stop=False)] == ["m-d2"]
    assert due(matches, results_of({**tied, "m-d1": WON}), early_stop=False) == ()
    assert due(matches, results_of({**still, "m-d2": DRAWN}), early_stop=False) == ()
    assert due(matches, results_of({"m-1": WON, "m-2": WON}), early_stop=False)[0].decider
    assert due(matches, results_of({"m-1": WON, "m-2": LOST}), early_stop=False) == ()


def test_a_majority_gives_a_point_or_half_of_one_or_nothing() -> None:
    matches = planned(3)

    def units(*results: Result) -> tuple[int, ...]:
        found = {match.match: result for match, result in zip(matches, results, strict=True)}
        return units_of(matches, results_of(found), True, lambda *_: ())

    nobody = Result((0, 0), (2, 2), frozenset())
    assert units(WON, LOST, WON) == (2, 0)  # seats are exchanged in the second
    assert units(DRAWN, DRAWN, DRAWN) == (1, 1)
    assert units(nobody, nobody, nobody) == (0, 0)
    assert units(nobody, nobody, DRAWN) == (1, 1)


def test_without_a_majority_every_match_counts() -> None:
    matches = planned(3)
    found = {"m-1": WON, "m-2": WON, "m-3": DRAWN}
    assert units_of(matches, results_of(found), False, lambda *_: ()) == (3, 3)
    assert wins_of(matches, results_of(found)) == (1, 1)


def test_places_at_a_table_count_by_its_size_and_who_never_came_has_nothing() -> None:
    matches = planned(1, entrants=(4, 7, 9))
    ranks = Result((2, 0, 0), (1, 2, 3), frozenset())
    alone = [(seat,) for seat in range(3)]
    assert units_of(matches, results_of({"m-1": ranks}), False, lambda *_: alone) == (
        TABLE_POINT,
        TABLE_POINT // 2,
        0,
    )
    gone = ranks._replace(forfeits=frozenset({1, 2}))
    assert units_of(matches, results_of({"m-1": gone}), False, lambda *_: alone) == (
        TABLE_POINT,
        0,
        0,
    )


def test_nobody_wins_a_match_against_somebody_who_never_came() -> None:
    matches = planned(1)
    walkover = WON._replace(forfeits=frozenset({1}))
    assert wins_of(matches, results_of({"m-1": walkover})) == (0, 0)
    assert units_of(matches, results_of({"m-1": walkover}), False, lambda *_: ()) == (2, 0)


def test_a_match_out_of_turn_is_refused_and_one_of_a_decided_pairing_as_well() -> None:
    form = pb.Form(games=3, majority=True, early_stop=True, bye=2)
    home = Leaves(2, rounds=1, name="turns", form=form)
    home.close_entries()
    first, second, third = home.draw()
    for early in (second, third):
        with pytest.raises(Illegal, match="out of turn"):
            home.add(signed("match-open", home.opening(early), home.referee))
    for match in (first, second):
        home.open(match)
        winner = match.entrants.index(first.entrants[0])
        home.close(match.match, (2, 0) if winner == 0 else (0, 2))
    with pytest.raises(Illegal, match="decided"):
        home.add(signed("match-open", home.opening(third), home.referee))
    home.standings()
    home.end()
    assert [row.units for row in home.ledger.rows()] == [2, 0]


def test_a_round_has_no_table_while_a_decider_is_due() -> None:
    form = pb.Form(games=2, majority=True, deciders=1, bye=2)
    home = Leaves(2, rounds=1, name="deciders", form=form)
    home.close_entries()
    first, second, decider = home.draw()
    for match in (first, second):
        home.open(match)
        home.close(match.match, (1, 1))
    with pytest.raises(Illegal, match=decider.match):
        home.standings()
    home.open(decider)
    home.close(decider.match, (0, 2))
    home.standings()
    won = decider.entrants[1]
    assert home.ledger.rows()[0].entrant == won
