"""Tables of two in a tournament whose tables have more seats."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.history import TABLE_POINT
from aboveboard_referee.tournament.ledger.illegal import Illegal
from tests.fakes.leaves import Leaves, signed


def five_at_tables_of_three() -> Leaves:
    """A round of a table of two, at which entrants are 0 and 1 by seat, and one of three."""
    home = Leaves(
        entrants=5,
        rounds=2,
        name="short tables",
        form=pb.Form(bye=2),
        system="swiss-tables",
        seats=3,
        games=("nebraska:family",),
    )
    home.close_entries()
    home.draw()
    assert sorted(len(p.entrants) for p in home.ledger.rounds[0].pairings) == [2, 3]
    return home


def pair(home: Leaves) -> pb.Pairing:
    return next(p for p in home.ledger.rounds[0].pairings if len(p.entrants) == 2)


def units(home: Leaves) -> dict[int, int]:
    return {row.entrant: row.units for row in home.ledger.rows()}


def test_places_at_a_table_of_two_are_worth_what_they_are_at_larger_ones() -> None:
    home = five_at_tables_of_three()
    winner, loser = pair(home).entrants
    home.play_on()
    assert units(home)[winner] == TABLE_POINT
    assert units(home)[loser] == 0


def test_a_ruling_of_a_tie_at_a_table_of_two_gives_both_half_a_point() -> None:
    home = five_at_tables_of_three()
    home.play_on()
    home.draw()
    rescore = pb.Rescore(half_points=[1, 1])
    home.rule(match=pair(home).match, rescore=rescore)
    assert {units(home)[e] for e in pair(home).entrants} == {TABLE_POINT // 2}


def test_a_place_beyond_the_seats_of_a_table_of_two_is_refused() -> None:
    home = five_at_tables_of_three()
    planned = next(match for match in home.ledger.due() if match.match == pair(home).match)
    home.open(planned)
    close = home.closing(planned.match)
    close.seats[1].rank = 3
    with pytest.raises(Illegal, match="a good match-close"):
        home.add(signed("match-close", close, home.referee))
