"""The positions of ``aboveboard check`` still lead to their moments."""

import pytest

from aboveboard_client.checking.cases import all_cases
from aboveboard_client.checking.moments import MOMENTS
from aboveboard_client.checking.positions import POSITIONS, Position
from aboveboard_referee.games import registry
from tests.fakes.positions import FEWER_SEATS, RARE, leads_there

FIRST = list({(row.game, row.moment): row for row in reversed(POSITIONS)}.values())
"""One for each moment of each rule set, with the fewest seats."""


def test_one_position_of_each_moment_leads_there() -> None:
    assert [row for row in FIRST if not leads_there(row)] == []


@pytest.mark.slow
@pytest.mark.parametrize("row", POSITIONS, ids=lambda row: f"{row.game}-{row.seats}-{row.moment}")
def test_the_position_leads_to_its_moment(row: Position) -> None:
    assert leads_there(row)


def test_every_moment_of_a_game_has_a_position_with_all_seats_that_it_can_come_about_with() -> None:
    found = {(row.moment, row.game, row.seats) for row in POSITIONS}
    for name in registry.names():
        game = registry.game(name)
        for seats in FEWER_SEATS.get(name, game.seats):
            for moment in MOMENTS:
                if moment.applies(game, seats) and seats in RARE.get(moment.name, game.seats):
                    assert (moment.name, name, seats) in found


def test_every_rule_set_is_played_whole_with_all_its_seats() -> None:
    names = {case.name for case in all_cases(registry.names())}
    for name in registry.names():
        for seats in registry.game(name).seats:
            assert f"{name}/{seats}/whole-match" in names


def test_no_two_cases_have_one_name() -> None:
    names = [case.name for case in all_cases(registry.names())]
    assert len(names) == len(set(names))
