"""An option of a pairing system is for just those systems that it changes anything in."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from aboveboard_client.commands.followed import FOLLOWERS, check_followed
from aboveboard_client.errors import WrongUse
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.history import Drawn
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.seasons_of_systems import play

OTHERWISE: dict[str, Any] = {
    "--accelerated": 2,
    "--legs": 2,
    "--reach": 2,
    "--divisions": (3, 5),
}


def rounds_of(system: str, **changed: Any) -> list[Drawn | None]:
    """All rounds of a tournament of eight over at most six, or seven and more by schedule."""
    tables = system == "swiss-tables"
    plan = Plan(
        system,
        rounds={"swiss": 4, "swiss-tables": 4, "ladder": 6}.get(system, 0),
        seats=4 if tables else 2,
        sizes=(2, 3, 4) if tables else (2,),
        point=120 if tables else 2,
        divisions=(4, 4) if system == "league" else (),
    )
    return [
        drawn
        for _, _, drawn in play(all_systems()[system], replace(plan, **changed), 8, Random(1)).asked
    ]


@pytest.mark.parametrize("system", sorted(all_systems()))
@pytest.mark.parametrize("option", sorted(FOLLOWERS))
def test_an_option_changes_the_rounds_of_those_systems_that_follow_it(
    option: str, system: str
) -> None:
    name, value = option.removeprefix("--"), OTHERWISE[option]
    if system in FOLLOWERS[option]:
        check_followed({option: value}, (system,))
        assert rounds_of(system, **{name: value}) != rounds_of(system)
        return
    check_followed({option: None}, (system,))
    with pytest.raises(WrongUse, match=rf"^{option} means nothing to {system}; it is for \w"):
        check_followed({option: value}, (system,))
    if all_systems()[system].wrong(replace(Plan(system), **{name: value})) is None:
        assert rounds_of(system, **{name: value}) == rounds_of(system)
