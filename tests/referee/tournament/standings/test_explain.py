"""Every contribution is told, and they add up to the row of the table."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    PAIRING_BYE,
    TABLE_POINT,
    Bye,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.standings.explain import POINTS, Line, contributions
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.standings.tie_breaks import DIRECT, TIE_BREAKS
from tests.fakes.histories import random_history
from tests.fakes.worked_standings import ADA, BO, DI, EVE, NAMES, WORKED


def _histories() -> Iterator[History]:
    for seed in range(40):
        chance = Random(seed)
        seats = 2 + seed % 3
        history, _ = random_history(
            chance, chance.randint(2, 16), chance.randint(1, 6), seats=seats, late=0.1
        )
        yield history


def _texts(lines: tuple[Line, ...], name: str) -> list[str]:
    return [line.text for line in lines if line.tie_break == name]


def test_what_is_counted_adds_up_to_the_total_and_that_to_the_row() -> None:
    for history in _histories():
        for row in table(history, TIE_BREAKS):
            lines = contributions(history, TIE_BREAKS, row.entrant)
            assert [line.tie_break for line in lines if line.total] == [POINTS, *TIE_BREAKS]
            totals = dict(zip((POINTS, *TIE_BREAKS), (row.units, *row.tie_breaks), strict=True))
            for name, total in totals.items():
                own = [line for line in lines if line.tie_break == name]
                assert own[-1].total
                assert own[-1].value == total
                assert own[-1].text.startswith(f"{name}: ")
                if name != DIRECT:
                    assert sum(line.value for line in own[:-1] if line.counted) == total


def test_each_text_names_its_round() -> None:
    for history in _histories():
        for line in contributions(history, TIE_BREAKS, 0):
            assert line.text.startswith(f"round {line.round}: ") == (line.round > 0)
            assert "\n" not in line.text


def test_points_are_told_round_by_round() -> None:
    assert _texts(contributions(WORKED, (), EVE, names=NAMES), POINTS) == [
        "round 1: pairing bye: 1",
        "round 2: against Di: 1",
        "round 3: did not appear against Ada: 0",
        "round 4: no part in it: 0",
        "points: 2",
    ]


def test_a_cut_says_what_it_takes_and_why() -> None:
    lines = contributions(WORKED, ("median-buchholz",), BO, names=NAMES)
    assert _texts(lines, "median-buchholz") == [
        "round 1: Ada has 3.5; left out as the highest",
        (
            "round 2: requested bye: a dummy that has 1.5, the lower of its own 1.5 and the 2 of a "
            "draw in every round; left out as the lowest of the rounds that it was not there for"
        ),
        "round 3: Cy has 1.5",
        (
            "round 4: no part in it: a dummy that has 1.5, the lower of its own 1.5 and the 2 of a "
            "draw in every round"
        ),
        "median-buchholz: 3",
    ]


def test_the_other_tie_breaks_are_told_in_words() -> None:
    names = ("sonneborn-berger", "progressive-cut1", "wins", "full-points")
    lines = contributions(WORKED, names, DI, names=NAMES)
    assert [line.text for line in lines if line.tie_break != POINTS] == [
        "round 1: Cy has 1.5; times 0.5",
        (
            "round 2: Eve has 2, and counts 2.5 since rounds at the end that it was out of or away "
            "from are draws; times 0"
        ),
        (
            "round 3: pairing bye: a dummy that has 2, the lower of its own 2 and the 2 of a draw "
            "in every round; times 1"
        ),
        "round 4: Ada has 3.5; times 0.5",
        "sonneborn-berger: 4.5",
        "round 1: 0.5 so far; left out",
        "round 2: 0.5 so far",
        "round 3: 1.5 so far",
        "round 4: 2 so far",
        "progressive-cut1: 4",
        "wins: 0",
        "round 3: pairing bye: the full point",
        "full-points: 1",
    ]
    assert _texts(contributions(WORKED, ("wins",), ADA), "wins") == [
        "round 1: 1 won",
        "round 2: 1 won",
        "wins: 2",
    ]


def test_direct_encounter_is_told_with_the_table_of_those_tied() -> None:
    assert _texts(contributions(WORKED, (DIRECT,), DI, names=NAMES), DIRECT) == [
        "tied with Eve",
        "round 2: 0 against Eve",
        "Di has 0 among those tied",
        "Eve has 1 among those tied",
        "direct: 0",
    ]
    assert _texts(contributions(WORKED, ("wins", DIRECT), ADA, names=NAMES), DIRECT) == [
        "tied with nobody",
        "direct: 0",
    ]
    apart = History(2, 2, (0, 1), (Round(1, (), (Bye(0, PAIRING_BYE, 2), Bye(1, ABSENT_BYE, 2))),))
    assert _texts(contributions(apart, (DIRECT,), 0), DIRECT) == [
        "tied with entrant 1",
        "entrant 0 has 0 among those tied, and would have at most 1 had all of them met",
        "entrant 1 has 0 among those tied, and would have at most 1 had all of them met",
        "direct: 0",
    ]


def test_a_round_under_way_is_told_and_counts_for_nothing() -> None:
    drawn = Round(5, (Table("r5-t1", (ADA, DI), None),))
    history = replace(WORKED, rounds=(*WORKED.rounds, drawn))
    before = contributions(WORKED, TIE_BREAKS, ADA, names=NAMES)
    after = contributions(history, TIE_BREAKS, ADA, names=NAMES)
    more = [line for line in after if line not in before]
    assert [line.text for line in more if line.tie_break == POINTS] == [
        "round 5: against Di, not decided yet: 0"
    ]
    assert not [line for line in more if line.tie_break != POINTS and line.round == 5]


def test_co_players_are_told_with_their_mean() -> None:
    rounds = (Round(1, (Table("a", (0, 1, 2), (120, 40, 80)),)),)
    lines = contributions(History(3, TABLE_POINT, (0, 1, 2), rounds), ("buchholz",), 0)
    assert _texts(lines, "buchholz") == [
        "round 1: entrant 1 has 0.333; entrant 2 has 0.667; their mean is 0.5",
        "buchholz: 0.5",
    ]


def test_levels_and_the_disqualified_are_heeded() -> None:
    levels, out = (0, 0, 1, 1, 1), frozenset({DI})
    for row in table(WORKED, (DIRECT,), levels, out):
        lines = contributions(WORKED, (DIRECT,), row.entrant, levels, out, names=NAMES)
        assert (lines[-1].value,) == row.tie_breaks
    told = _texts(contributions(WORKED, (DIRECT,), EVE, levels, out, names=NAMES), DIRECT)
    assert told[0] == "tied with nobody"


def test_a_stranger_and_an_unknown_tie_break_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no entrant 5"):
        contributions(WORKED, (), 5)
    with pytest.raises(ValueError, match="unknown tie-break luck"):
        contributions(WORKED, ("luck",), 0)


def test_who_is_out_is_not_said_to_have_asked_for_it() -> None:
    """Bot 1 loses in a bracket and is out; bot 2 is absent once, and is put out after that."""
    won = Table("r1-b1", (0, 1), (2, 0), (1, 0))
    last = Table("r2-b1", (0, 3), (2, 0), (1, 0))
    rounds = (
        Round(1, (won,), (Bye(2, ABSENT_BYE, 0), Bye(3, PAIRING_BYE, 2))),
        Round(2, (last,)),
    )
    history = History(4, 2, (0, 1, 2, 3), rounds)
    names = ("Ann", "Bob", "Cid", "Deb")
    told = [
        line.text
        for entrant in range(4)
        for line in contributions(history, ("buchholz-cut1",), entrant, names=names)
    ]
    assert not [text for text in told if "asked" in text or "chose" in text]
    assert (
        "round 1: Bob has 0, and counts 0.5 since rounds at the end that it was out of or away "
        "from are draws; left out as the lowest"
    ) in told
    assert [line.text for line in contributions(history, (), 2, names=names)] == [
        "round 1: absent: 0",
        "round 2: no part in it: 0",
        "points: 0",
    ]
