"""What an organiser is told of a Swiss with few entrants for its rounds, and what happens then."""

from collections import Counter
from random import Random

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize
from aboveboard_server.manifest import schedule_note
from tests.fakes.seasons_of_systems import play, tables_of


def note(entrants: int, rounds: int) -> str:
    form = pb.Form(bye=2)
    manifest = pb.TournamentManifest(system="swiss", rounds=rounds, table_seats=2, form=form)
    return schedule_note(manifest, entrants) or ""


@pytest.mark.parametrize("entrants", range(2, 10))
def test_what_is_said_of_a_schedule_is_what_it_does(entrants: int) -> None:
    for rounds in range(1, entrants + 2):
        said = note(entrants, rounds)
        plan = Plan("swiss", rounds=rounds)
        history = play(SwissOfAnySize(), plan, entrants, Random(rounds)).history
        met = Counter(frozenset(table.entrants) for _, table in tables_of(history))
        everybody = len(met) == entrants * (entrants - 1) // 2
        assert ("can all meet each other" in said) == everybody
        if "nobody meets anybody twice" in said:
            assert set(met.values()) == {1}
            opponents = Counter(entrant for pair in met for entrant in pair)
            assert min(opponents[entrant] for entrant in range(entrants)) >= entrants - 3
            byes = [bye.entrant for drawn in history.rounds for bye in drawn.byes]
            assert len(set(byes)) == len(byes) == rounds


def test_an_odd_field_is_not_said_to_meet_in_fewer_rounds_than_it_takes() -> None:
    assert note(3, 2) == (
        "3 entrants in 2 rounds are paired by a round-robin schedule: nobody meets anybody twice,"
        " and not everybody meets everybody, for which it takes 3 rounds"
    )
    assert note(3, 3).startswith("3 entrants can all meet each other in 3 rounds: ")
    assert note(2, 1).startswith("2 entrants can all meet each other in 1 round: ")
    assert note(5, 2) == ""
