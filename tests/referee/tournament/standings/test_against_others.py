"""Tie-breaks equal those of two other programs, with every kind of bye and forfeit."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    SEED_BYE,
    Bye,
    Entrant,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.standings.tie_breaks import (
    DEFAULT_TIE_BREAKS,
    DIRECT,
    TIE_BREAKS,
)
from tests.fakes.histories import random_history
from tests.fakes.round_robins import round_robin_of_chance
from tests.fakes.tie_break_oracles import core_order, core_values, gacrux_values

ALONE = tuple(name for name in TIE_BREAKS if name != DIRECT)
"""Tie-breaks that an entrant has by itself."""


def _histories(first: int, count: int) -> Iterator[History]:
    """Of 4 to 40 entrants, even and odd, in 3 to 9 rounds."""
    for seed in range(first, first + count):
        chance = Random(seed)
        rounds = chance.randint(3, 9)
        yield random_history(chance, 4 + seed % 37, rounds, withdrawals=0.05, late=0.1)[0]


def _values(history: History, predetermined: bool = False) -> list[tuple[int, ...]]:
    rows = table(history, ALONE, predetermined=predetermined)
    return [row.tie_breaks for row in sorted(rows, key=lambda row: row.entrant)]


def _ranks(
    history: History, names: Sequence[str], predetermined: bool = False
) -> dict[Entrant, int]:
    rows = table(history, names, predetermined=predetermined)
    return {row.entrant: row.rank for row in rows}


def _kinds(history: History) -> set[tuple[str, int]]:
    """The kinds of byes and forfeits that it holds."""
    found = {(bye.kind, bye.units) for drawn in history.rounds for bye in drawn.byes} | {
        ("forfeit", len(table.forfeits))
        for drawn in history.rounds
        for table in drawn.tables
        if table.forfeits
    }
    for drawn in history.rounds:
        named = sum(len(table.entrants) for table in drawn.tables) + len(drawn.byes)
        if named < history.entrants:
            found.add(("nowhere", 0))
    return found


def _check_values(histories: Iterator[History]) -> set[tuple[str, int]]:
    seen: set[tuple[str, int]] = set()
    for history in histories:
        seen |= _kinds(history)
        ours = _values(history)
        core = core_values(history, ALONE)
        gacrux, ranks = gacrux_values(history, ALONE)
        assert ours == [tuple(own[name] for name in ALONE) for own in core]
        assert ours == [tuple(own[name] for name in ALONE) for own in gacrux]
        assert _ranks(history, ALONE) == dict(enumerate(ranks))
    return seen


EVERY_KIND = {
    (PAIRING_BYE, 2),
    (REQUESTED_BYE, 0),
    (REQUESTED_BYE, 1),
    (REQUESTED_BYE, 2),
    (ABSENT_BYE, 0),
    (LATE_BYE, 0),
    (LATE_BYE, 1),
    ("nowhere", 0),
    ("forfeit", 1),
    ("forfeit", 2),
}


def test_every_tie_break_equals_that_of_tiebreak_core_and_of_gacrux() -> None:
    assert _check_values(_histories(0, 370)) == EVERY_KIND


@pytest.mark.slow
def test_every_tie_break_equals_that_of_both_in_a_thousand_histories() -> None:
    assert _check_values(_histories(1000, 1110)) == EVERY_KIND


LISTS = (
    (DIRECT,),
    ("buchholz", DIRECT),
    ("wins", DIRECT, "buchholz"),
    DEFAULT_TIE_BREAKS,
)


def _small(first: int, count: int, trouble: Sequence[float]) -> Iterator[History]:
    """Of few entrants and many rounds, so that many of those tied have met, and some often."""
    for seed in range(first, first + count):
        chance = Random(seed)
        likely = chance.choice(trouble)
        yield random_history(
            chance,
            chance.randint(4, 14),
            chance.randint(2, 9),
            byes=likely,
            forfeits=likely,
            draws=chance.choice((0.2, 0.6)),
        )[0]


def _check_ranks(histories: Iterator[History]) -> None:
    for history in histories:
        for names in LISTS:
            _, ranks = gacrux_values(history, names)
            assert _ranks(history, names) == dict(enumerate(ranks))


def test_ranks_with_direct_encounters_equal_those_of_gacrux() -> None:
    _check_ranks(_small(0, 120, (0, 0.1, 0.3)))


@pytest.mark.slow
def test_ranks_with_direct_encounters_equal_those_of_gacrux_in_a_thousand_histories() -> None:
    _check_ranks(_small(1000, 1000, (0, 0.1, 0.3)))


def _only_forfeited(history: History) -> bool:
    """Whether there are two who were paired and never met."""
    paired, met = set(), set()
    for drawn in history.rounds:
        for pairing in drawn.tables:
            ends = frozenset(pairing.entrants)
            paired.add(ends)
            if pairing.played:
                met.add(ends)
    return paired != met


def test_ranks_with_direct_encounters_are_those_of_tiebreak_core_or_finer() -> None:
    compared, finer = 0, 0
    for history in _small(0, 400, (0, 0.05)):
        if _only_forfeited(history):
            continue  # test_two_with_only_a_forfeit_between_them_have_not_met
        for names in ((DIRECT,), ("buchholz", DIRECT), ("wins", DIRECT)):
            compared += 1
            ours = _ranks(history, names)
            # Whom nothing separates changes places with what decides last.
            first = core_order(history, names, {one: one for one in ours})
            last = core_order(history, names, {one: -one for one in ours})
            tied = 0
            for one, other in combinations(ours, 2):
                before = first.index(one) < first.index(other)
                if before == (last.index(one) < last.index(other)):
                    assert ours[one] != ours[other]
                    assert (ours[one] < ours[other]) == before
                else:
                    tied += ours[one] != ours[other]
            finer += tied > 0  # test_the_second_place_is_of_the_same_standings_as_the_first
    assert compared > 900
    assert finer <= 2


def test_the_second_place_is_of_the_same_standings_as_the_first() -> None:
    """tiebreak-core makes new standings of the rest as soon as somebody is placed.

    By C.07, 6.3, whoever is alone at the top for certain is placed, then the second of the
    same standings, and so on; only then are there new ones of the rest. gacrux has it so.
    Here 0 has 2½ points, 1 has 2, and 2 and 3, who have not met, come to 1½ and 1 at most. Of
    1, 2 and 3 alone 1 would have 1½, and 2 could come to as many.
    """
    met = [
        (0, 1, 1, 1),
        (0, 2, 2, 0),
        (0, 3, 2, 0),
        (1, 2, 1, 1),
        (1, 3, 2, 0),
    ]
    history = _of_pairings(4, met)
    assert _ranks(history, (DIRECT,)) == {0: 1, 1: 2, 2: 3, 3: 3}
    assert gacrux_values(history, (DIRECT,))[1] == [1, 2, 3, 3]
    orders = [core_order(history, (DIRECT,), {i: sign * i for i in range(4)}) for sign in (1, -1)]
    assert orders == [[0, 1, 2, 3], [0, 3, 2, 1]]


def _of_pairings(entrants: int, met: Sequence[tuple[Entrant, Entrant, int, int]]) -> History:
    """A pairing each round, all others out of it; then byes that make all equal."""
    rounds = []
    units = [0] * entrants
    for number, (one, other, ours, theirs) in enumerate(met, 1):
        units[one] += ours
        units[other] += theirs
        rest = [i for i in range(entrants) if i not in (one, other)]
        pairing = Table("a", (one, other), (ours, theirs), (ours // 2, theirs // 2))
        rounds.append(Round(number, (pairing,), tuple(Bye(i, REQUESTED_BYE, 0) for i in rest)))
    most = max(units)
    while min(units) < most:
        byes = []
        for one in range(entrants):
            byes.append(Bye(one, REQUESTED_BYE, min(2, most - units[one])))
            units[one] += byes[-1].units
        rounds.append(Round(len(rounds) + 1, (), tuple(byes)))
    return History(entrants, 2, tuple(range(entrants)), tuple(rounds))


def test_two_with_only_a_forfeit_between_them_have_not_met() -> None:
    """tiebreak-core takes a forfeit for a meeting that gave nothing, and ranks 1 last.

    By C.07, 6.1.1, a forfeit is left out, so that 0 against 2 is a missing encounter, and
    nobody is ahead whatever it would have brought (6.3). gacrux has it so.
    """
    history = _of_pairings(3, [(0, 1, 2, 0), (2, 1, 2, 0)])
    forfeited = Table("b", (0, 2), (0, 0), (0, 0), frozenset({0, 2}))
    rounds = (*history.rounds, Round(len(history.rounds) + 1, (forfeited,), (Bye(1, LATE_BYE, 0),)))
    history = replace(history, rounds=rounds)
    assert _ranks(history, (DIRECT,)) == {0: 1, 1: 1, 2: 1}
    assert gacrux_values(history, (DIRECT,))[1] == [1, 1, 1]
    for sign in (1, -1):
        assert core_order(history, (DIRECT,), {one: sign * one for one in range(3)})[2] == 1


def test_in_a_round_robin_forfeits_count_as_played_as_in_the_two_others() -> None:
    for seed in range(40):
        chance = Random(seed)
        entrants = chance.randint(3, 11)
        history = round_robin_of_chance(chance, entrants)
        names = ("sonneborn-berger", "progressive", "buchholz", "buchholz-cut1")
        rows = table(history, names, predetermined=True)
        ours = {row.entrant: row.tie_breaks for row in rows}
        gacrux, _ = gacrux_values(history, names, predetermined=True)
        assert ours == {one: tuple(own[name] for name in names) for one, own in enumerate(gacrux)}
        names = (*names[:2], DIRECT, "wins")
        _, ranks = gacrux_values(history, names, predetermined=True)
        assert _ranks(history, names, True) == dict(enumerate(ranks))
        if entrants % 2 == 0:  # tiebreak-core has no round-robin where somebody is free
            core = core_values(history, names[:2], "round_robin")
            assert ours == {
                one: (*(own[name] for name in names[:2]), *ours[one][2:])
                for one, own in enumerate(core)
            }


def test_in_a_round_robin_one_who_left_counts_what_it_has() -> None:
    rounds = (
        Round(1, (Table("a", (0, 1), (2, 0), (1, 0)),), (Bye(2, SEED_BYE, 0),)),
        Round(2, (Table("b", (1, 2), (1, 1), (0, 0)),), (Bye(0, ABSENT_BYE, 0),)),
        Round(3, (), (Bye(1, SEED_BYE, 2),)),
    )
    history = History(3, 2, (0, 1, 2), rounds)
    names = ("buchholz", "sonneborn-berger")
    rows = {row.entrant: row.tie_breaks for row in table(history, names, predetermined=True)}
    assert rows == {0: (3 * 60, 6 * 60), 1: (3 * 60, 1 * 60), 2: (3 * 60, 3 * 60)}
    gacrux, _ = gacrux_values(history, names, predetermined=True)
    assert rows == {one: tuple(own[name] for name in names) for one, own in enumerate(gacrux)}


def test_a_forfeit_in_a_round_robin_is_no_game_won() -> None:
    """tiebreak-core counts it, after C.07, 15.2, where forfeits are regular games.

    gacrux does not: 7.2 has games won over the board. We hold with 7.2, the closer rule.
    """
    history = History(
        2, 2, (0, 1), (Round(1, (Table("a", (0, 1), (2, 0), (1, 0), frozenset({1})),)),)
    )
    row = table(history, ("wins",), predetermined=True)[0]
    assert (row.entrant, row.tie_breaks) == (0, (0,))
    assert gacrux_values(history, ("wins",), predetermined=True)[0][0]["wins"] == 0
    assert core_values(history, ("wins",), "round_robin")[0]["wins"] == 1


def test_a_cut_of_the_only_round_leaves_nothing() -> None:
    """tiebreak-core always keeps the last one; C.07, 14.1, has no such exception, nor gacrux."""
    history = History(2, 2, (0, 1), (Round(1, (Table("a", (0, 1), (2, 0), (1, 0)),)),))
    assert {row.tie_breaks for row in table(history, ("buchholz-cut1",))} == {(0,)}
    assert gacrux_values(history, ("buchholz-cut1",))[0][1]["buchholz-cut1"] == 0
    assert core_values(history, ("buchholz-cut1",))[1]["buchholz-cut1"] > 0
