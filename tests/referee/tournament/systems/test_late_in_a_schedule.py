"""Who comes late to a Swiss that became a schedule, and has no number in it."""

from dataclasses import replace

import pytest

from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.history import LATE_BYE, Ask, Bye, History, Round, Table
from aboveboard_referee.tournament.systems.plan import Plan

SWISS = all_systems()["swiss"]


@pytest.mark.parametrize("field", [2, 4, 6])
def test_everybody_who_is_there_has_a_table_or_the_bye(field: int) -> None:
    order = tuple(range(field))
    plan = Plan("swiss", rounds=field, field=order)
    history = History(field, 2, order)
    drawn = SWISS.draw(plan, history, Ask(1, order, bytes(32)))
    assert drawn is not None
    tables = tuple(
        Table(f"r1-b{i}", ends, (2, 0), (1, 0), seatings=(ends,))
        for i, ends in enumerate(drawn.tables, start=1)
    )
    played = replace(history, rounds=(Round(1, tables, (Bye(field, LATE_BYE, 0),)),))
    everybody = (*order, field)
    played = replace(played, entrants=field + 1, order=everybody)
    second = SWISS.draw(plan, played, Ask(2, everybody, bytes(32)))
    assert second is not None
    seated = [entrant for ends in second.tables for entrant in ends]
    assert sorted([*seated, *(bye.entrant for bye in second.byes)]) == list(everybody)
