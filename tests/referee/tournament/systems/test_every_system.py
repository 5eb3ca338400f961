"""What holds of every pairing system, whoever leaves, comes or is away."""

from dataclasses import replace
from random import Random

import pytest

from aboveboard_referee.tournament.history import Ask, History, Round, Table, check_history
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.registry import systems
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize
from aboveboard_referee.tournament.systems.system import System
from tests.fakes.seasons_of_systems import CALM, WILD, Life, Played, play

SYSTEMS: tuple[System, ...] = (*systems().values(), SwissOfAnySize())
every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)

GOING = Life(leaves=0.4)


def plan_for(system: System, chance: Random) -> Plan:
    return Plan(
        system.name,
        rounds={"ladder": 15, "swiss": 7}.get(system.name, 0),
        legs=chance.choice((1, 2)),
        divisions=(4, 5, 4),
        reach=chance.choice((1, 2, 3)),
        final_reset=chance.random() < 0.5,
    )


def some(system: System, life: Life, times: int) -> list[Played]:
    """Tournaments of none to fifteen entrants."""
    played = []
    for seed in range(times):
        chance = Random(f"{system.name} {seed}")
        played.append(play(system, plan_for(system, chance), seed % 16, chance, life))
    return played


@every_system
def test_ends_by_itself_whoever_leaves_and_comes(system: System) -> None:
    for life in (CALM, WILD, GOING):
        for tournament in some(system, life, 32):
            assert tournament.asked[-1][2] is None
            assert len(tournament.history.rounds) < 300


@every_system
def test_gives_nobody_two_places_and_only_those_present_any(system: System) -> None:
    for tournament in some(system, WILD, 32):
        for _, ask, drawn in tournament.asked:
            if drawn is None:
                continue
            places = [e for table in drawn.tables for e in table] + [b.entrant for b in drawn.byes]
            assert len(set(places)) == len(places)
            assert set(places) <= set(ask.present)


@every_system
def test_draws_every_table_that_was_made_by_hand(system: System) -> None:
    hands = 0
    for tournament in some(system, WILD, 32):
        for _, ask, drawn in tournament.asked:
            if drawn is not None:
                assert set(ask.by_hand) <= set(drawn.tables)
                hands += len(ask.by_hand)
    assert hands


@every_system
def test_draws_the_same_round_for_everybody_who_asks(system: System) -> None:
    for tournament in some(system, WILD, 8):
        for history, ask, drawn in tournament.asked:
            assert system.draw(tournament.plan, history, ask) == drawn


@every_system
def test_asks_for_as_many_rounds_as_it_then_plays_if_nobody_leaves(system: System) -> None:
    for tournament in some(system, CALM, 32):
        entrants = tournament.history.entrants
        rounds = len(tournament.history.rounds)
        said = system.rounds(tournament.plan, entrants)
        if system.name == "double-elimination" and tournament.plan.final_reset and entrants > 1:
            assert rounds in (said - 1, said)
        elif entrants > 1:
            assert rounds == said


@every_system
def test_plays_no_more_rounds_than_the_plan_allows(system: System) -> None:
    plan = replace(plan_for(system, Random(1)), rounds=2)
    assert system.rounds(plan, 12) == 2
    assert len(play(system, plan, 12, Random(2)).history.rounds) == 2


@every_system
def test_is_over_when_one_is_left_or_nobody(system: System) -> None:
    plan = plan_for(system, Random(1))
    for entrants in (0, 1):
        history = History(entrants, 2, tuple(range(entrants)))
        assert system.draw(plan, history, Ask(1, history.order, bytes(32))) is None


@every_system
def test_refuses_a_history_that_cannot_be(system: System) -> None:
    twice = Round(1, (Table("a", (0, 1), (2, 0)), Table("b", (1, 2), (2, 0))))
    history = History(3, 2, (0, 1, 2), (twice,))
    with pytest.raises(ValueError, match="round 1: entrant 1 has two places"):
        system.draw(plan_for(system, Random(1)), history, Ask(2, (0, 1, 2), bytes(32)))


@every_system
def test_refuses_to_go_on_before_a_round_is_decided(system: System) -> None:
    under_way = Round(1, (Table("a", (0, 1), (2, 0)), Table("b", (2, 3), None)))
    history = History(4, 2, (0, 1, 2, 3), (under_way,))
    with pytest.raises(ValueError, match="round 1: b is not decided"):
        system.draw(plan_for(system, Random(1)), history, Ask(2, (0, 1, 2, 3), bytes(32)))


@every_system
def test_ranks_by_levels_at_any_time_of_a_round(system: System) -> None:
    for tournament in some(system, WILD, 8):
        for known in range(len(tournament.history.rounds) + 1):
            rounds = tournament.history.rounds[:known]
            if rounds:
                under_way = tuple(replace(table, units=None) for table in rounds[-1].tables[::2])
                kept = rounds[-1].tables[1::2]
                rounds = (*rounds[:-1], replace(rounds[-1], tables=under_way + kept))
            history = replace(tournament.history, rounds=rounds)
            check_history(history)
            levels = system.levels(tournament.plan, history)
            assert levels is None or len(levels) == history.entrants


@every_system
def test_follows_no_plan_for_tables_of_three(system: System) -> None:
    plan = plan_for(system, Random(1))
    assert system.wrong(plan) is None
    assert "tables of 3" in str(system.wrong(replace(plan, seats=3, sizes=(3,))))


def test_goes_by_its_name_in_the_registry() -> None:
    assert sorted(systems()) == [
        "double-elimination",
        "gauntlet",
        "knockout",
        "ladder",
        "league",
        "round-robin",
    ]
    assert all(name == system.name and system.version == 1 for name, system in systems().items())
