"""Whole tournaments of made-up entrants."""

import pytest

from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.history import check_history
from aboveboard_referee.tournament.simulate.measures import Summary
from aboveboard_referee.tournament.simulate.playing import (
    BY_STRENGTH,
    RANDOM,
    Played,
    Setting,
    play,
)
from aboveboard_referee.tournament.simulate.stream import Stream
from aboveboard_referee.tournament.simulate.strengths import Model, strengths_of
from aboveboard_referee.tournament.systems.plan import Plan

RATINGS = strengths_of(Stream(b"field", ""), 9, 200)


def setting(name: str, rounds: int = 0, matches: int = 1, deciders: int = 0) -> Setting:
    """A form with pairs, or with tables of four for the system that wants them."""
    if name == "swiss-tables":
        point = 120 * matches
        plan = Plan(name, rounds, 4, (2, 3, 4), point, point)
    else:
        point = 2 if deciders else 2 * matches
        plan = Plan(name, rounds, point=point, bye=point)
    return Setting(all_systems()[name], plan, matches, deciders)


FORMS = [
    setting("swiss", 5),
    setting("swiss", 4, matches=2),
    setting("swiss-tables", 4),
    setting("swiss-tables", 3, matches=2),
    setting("round-robin"),
    setting("knockout"),
    setting("knockout", matches=2, deciders=3),
    setting("double-elimination"),
    setting("gauntlet"),
    setting("ladder", 5),
]
NAMES = [f"{form.system.name} x{form.matches}" for form in FORMS]


def played(form: Setting, number: int = 0, seeding: str = RANDOM, draws: float = 0.2) -> Played:
    return play(form, RATINGS, Model(draws), seeding, b"seed", number)


@pytest.mark.parametrize("form", FORMS, ids=NAMES)
def test_every_system_plays_to_its_end(form: Setting) -> None:
    over = played(form)
    check_history(over.history)
    assert over.history.finished
    expected = form.plan.rounds or form.system.rounds(form.plan, len(RATINGS))
    assert len(over.history.rounds) in (expected, expected - 1)
    assert sorted(over.ranks)[0] == 1


@pytest.mark.parametrize("form", FORMS, ids=NAMES)
def test_the_same_seed_plays_the_same_tournament(form: Setting) -> None:
    assert played(form) == played(form)
    assert played(form, 1).history != played(form).history


def test_all_systems_of_a_run_have_the_same_initial_order() -> None:
    assert len({played(form).history.order for form in FORMS}) == 1


def test_seeds_by_strength_stand_from_the_strongest() -> None:
    order = played(setting("knockout"), seeding=BY_STRENGTH).history.order
    assert [RATINGS[entrant] for entrant in order] == sorted(RATINGS, reverse=True)


def test_deciders_leave_no_tie_that_they_could_break() -> None:
    form = setting("knockout", matches=2, deciders=20)
    for number in range(20):
        for drawn in played(form, number, draws=0.6).history.rounds:
            assert all(sorted(table.units or ()) == [0, 2] for table in drawn.tables)


def test_matches_of_a_table_are_begun_by_each_seat_in_turn() -> None:
    drawn = played(setting("swiss", 1, matches=2)).history.rounds[0]
    for table in drawn.tables:
        first, second = table.seatings
        assert second == first[::-1]
        assert sum(table.units or ()) == 4


def test_who_always_wins_is_first() -> None:
    ratings = (100_000, *range(0, -9000, -1000))
    for form in (setting("swiss", 4), setting("round-robin"), setting("knockout")):
        for number in range(10):
            assert play(form, ratings, Model(), RANDOM, b"x", number).ranks[0] == 1


def test_more_rounds_tell_more_of_the_true_order() -> None:
    taus = []
    for rounds in (1, 3, 7):
        summary = Summary()
        for number in range(60):
            over = played(setting("swiss", rounds), number)
            summary.add(RATINGS, over.ranks, rounds, over.matches)
        taus.append(summary.tau.mean().mean)
    assert taus == sorted(taus)
    assert taus[2] > taus[0] + 0.1
