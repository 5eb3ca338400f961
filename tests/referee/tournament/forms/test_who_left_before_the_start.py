"""A league in which somebody leaves before it starts."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.leaves import Leaves, signed


def test_who_left_before_the_start_is_in_no_division() -> None:
    divisions = [
        pb.Division(name="first", size=2, entrants=["bot0", "bot1"]),
        pb.Division(name="second", size=3, entrants=["bot2", "bot3", "bot4"]),
    ]
    form = pb.Form(season=1, divisions=divisions)
    home = Leaves(entrants=5, rounds=0, name="early leaver", form=form, system="league")
    leaves = pb.Withdraw(tournament=home.tournament, entrant=3, round=1)
    home.add(signed("withdraw", leaves, home.keys[3]))
    home.close_entries()
    home.play_round()
    found = {row.entrant: row.division for row in home.ledger.rows()}
    assert found == {0: 1, 1: 1, 2: 2, 3: 0, 4: 2}


def test_a_divisions_schedule_is_by_initial_rank_and_not_by_the_order_of_entries() -> None:
    division = pb.Division(name="only", size=3, entrants=["bot0", "bot1", "bot2"])
    form = pb.Form(season=1, divisions=[division], seeding=["bot2", "bot1", "bot0"])
    home = Leaves(entrants=3, rounds=0, name="ranked", form=form, system="league")
    home.close_entries()
    home.draw()
    # Of numbers 0, 1 and 2 the first turn leaves 0 without an opponent.
    assert [bye.entrant for bye in home.ledger.rounds[0].given] == [2]
    assert list(home.ledger.rounds[0].pairings[0].entrants) == [1, 0]
