"""Tournaments of every system by the real server in memory."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.matches import matches_of
from tests.fakes.entrants import Entrant, Habit, first_stays, quick
from tests.fakes.robots import NOW
from tests.fakes.serving import Served, config, serve


def played(tmp_path: Path, entrants: int, habit: Habit = quick, **fields: Any) -> Served:
    """The tournament to its verified archive."""
    event = config(tmp_path, entrants=entrants, **fields)
    # One after another, so that who is who is known.
    bots = [Entrant(number, habit=habit, comes=number / 100) for number in range(entrants)]
    served = serve(event, *bots)
    assert served.failure is None
    assert served.errors == []
    report = served.report()
    assert report.findings == []
    return served


def met(served: Served) -> list[tuple[int, ...]]:
    """Who met, in the order of rounds."""
    return [
        tuple(sorted(pairing.entrants))
        for pairings in served.ledger.rounds
        for pairing in pairings.pairings
    ]


def names_by_rank(served: Served) -> list[str]:
    assert served.ledger.close is not None
    return [served.ledger.field.names[row.entrant] for row in served.ledger.close.standings]


@pytest.mark.parametrize(("entrants", "legs", "rounds"), [(4, 1, 3), (5, 1, 5), (3, 2, 6)])
def test_in_a_round_robin_everybody_meets_everybody_so_often(
    tmp_path: Path, entrants: int, legs: int, rounds: int
) -> None:
    form = pb.Form(bye=0, legs=legs)
    served = played(tmp_path, entrants, system="round-robin", rounds=0, form=form)
    assert len(served.ledger.rounds) == rounds
    pairs = [(a, b) for a in range(entrants) for b in range(a + 1, entrants)]
    assert sorted(met(served)) == sorted(pairs * legs)


@pytest.mark.parametrize("entrants", [4, 6])
def test_a_knock_out_goes_on_until_one_is_left_in_the_order_that_it_is_seeded(
    tmp_path: Path, entrants: int
) -> None:
    form = pb.Form(bye=2, seeding=["bot-3", "bot-1", "bot-0", "bot-2"])
    served = played(tmp_path, entrants, system="knockout", rounds=0, form=form)
    rounds = served.ledger.rounds
    assert [len(pairings.pairings) for pairings in rounds] == (
        [2, 1] if entrants == 4 else [2, 2, 1]
    )
    if entrants == 4:
        assert met(served)[:2] == [(2, 3), (0, 1)]
    losers = {
        pairing.entrants[Random(pairing.match).randrange(2)]
        for pairings in rounds
        for pairing in pairings.pairings
    }
    (champion,) = set(range(entrants)) - losers
    assert names_by_rank(served)[0] == f"bot-{champion}"


@pytest.mark.parametrize("single", [False, True])
def test_in_a_double_elimination_two_defeats_are_the_end(tmp_path: Path, single: bool) -> None:
    form = pb.Form(bye=2, single_final=single)
    served = played(tmp_path, 4, system="double-elimination", rounds=0, form=form)
    defeats = [0] * 4
    for pairings in served.ledger.rounds:
        for pairing in pairings.pairings:
            assert all(defeats[entrant] < 2 for entrant in pairing.entrants)
            defeats[pairing.entrants[Random(pairing.match).randrange(2)]] += 1
    # Whoever was unbeaten before a single final may go out with one defeat.
    least = 1 if single else 2
    assert sorted(defeats)[1] >= least
    assert sorted(defeats)[2:] == [2, 2]


def test_in_a_gauntlet_one_meets_all_others(tmp_path: Path) -> None:
    form = pb.Form(bye=2, legs=2, seeding=["bot-2"])
    served = played(tmp_path, 4, system="gauntlet", rounds=0, form=form)
    assert sorted(met(served)) == [(0, 2), (0, 2), (1, 2), (1, 2), (2, 3), (2, 3)]


def test_a_ladder_has_the_rounds_that_it_is_given(tmp_path: Path) -> None:
    served = played(tmp_path, 4, system="ladder", rounds=4, form=pb.Form(bye=0, reach=2))
    assert len(served.ledger.rounds) == 4
    assert {row.rank for row in served.ledger.rows()} == {1, 2, 3, 4}


def test_in_a_league_each_division_plays_by_itself_and_the_upper_ranks_first(
    tmp_path: Path,
) -> None:
    form = pb.Form(
        bye=2,
        season=1,
        divisions=[
            pb.Division(name="First", size=2, entrants=["bot-1", "bot-3"]),
            pb.Division(name="Second", size=3, entrants=["bot-0"]),
        ],
    )
    served = played(tmp_path, 5, system="league", rounds=0, form=form)
    assert sorted(met(served)) == [(0, 2), (0, 4), (1, 3), (2, 4)]
    assert set(names_by_rank(served)[:2]) == {"bot-1", "bot-3"}
    header, *rows = (served.archive / "standings.csv").read_text().splitlines()
    assert header.startswith("rank,name,division,points,wins,matches,byes")
    divisions = [row.split(",")[2] for row in rows]
    assert divisions == ["First", "First", "Second", "Second", "Second"]


@pytest.mark.parametrize(("entrants", "sizes"), [(8, [4, 4]), (7, [3, 4]), (4, [4])])
def test_tables_of_four_are_played_and_ranked_by_their_places(
    tmp_path: Path, entrants: int, sizes: list[int]
) -> None:
    served = played(tmp_path, entrants, first_stays, seats=4, rounds=2)
    ledger = served.ledger
    assert ledger.manifest.system == "swiss-tables"
    for pairings in ledger.rounds:
        assert sorted(len(pairing.entrants) for pairing in pairings.pairings) == sizes
    # Whatever a table's size, a place is worth half a point in the mean.
    assert sum(row.units for row in ledger.rows()) == 2 * entrants * 60
    assert any("  places " in line for line in served.lines)


def test_matches_of_a_table_move_everybody_on_by_one_seat(tmp_path: Path) -> None:
    form = pb.Form(bye=2, games=3)
    served = played(tmp_path, 3, first_stays, seats=3, rounds=1, form=form)
    (pairings,) = served.ledger.rounds
    (pairing,) = pairings.pairings
    a, b, c = pairing.entrants
    seated = [match.entrants for match in matches_of(pairings, pairing)]
    assert seated == [(a, b, c), (b, c, a), (c, a, b)]
    assert len(served.closes) == 3


def test_accelerated_rounds_are_part_of_a_swiss(tmp_path: Path) -> None:
    served = played(tmp_path, 8, rounds=3, form=pb.Form(bye=2, accelerated=1))
    assert served.ledger.manifest.form.accelerated == 1
    assert len(set(met(served))) == 12


def test_a_system_with_as_many_rounds_as_it_needs_can_be_told_to_play_fewer(
    tmp_path: Path,
) -> None:
    served = played(tmp_path, 6, system="round-robin", rounds=2, form=pb.Form(bye=2))
    assert len(served.ledger.rounds) == 2


@pytest.mark.parametrize(("system", "rounds"), [("round-robin", 3), ("knockout", 2)])
def test_no_round_is_played_that_a_system_has_no_use_for(
    tmp_path: Path, system: str, rounds: int
) -> None:
    served = played(tmp_path, 4, system=system, rounds=20, form=pb.Form(bye=2))
    assert len(served.ledger.rounds) == rounds


@pytest.mark.parametrize(("entrants", "rounds"), [(4, 3), (5, 5), (4, 2), (6, 4)])
def test_a_swiss_in_which_all_can_meet_is_a_round_robin_and_says_so_when_it_is_made(
    tmp_path: Path, entrants: int, rounds: int
) -> None:
    served = played(tmp_path, entrants, rounds=rounds)
    all_meet = (entrants, rounds) in ((4, 3), (5, 5))
    said = (
        f"{entrants} entrants can all meet each other in {rounds} rounds:"
        " they are paired by a round-robin schedule"
    )
    assert (said in served.lines) == all_meet
    if all_meet:
        listening = next(i for i, line in enumerate(served.lines) if line.startswith("listening"))
        assert served.lines.index(said) < listening
    assert len(set(met(served))) == len(met(served))


def test_a_round_robin_of_whoever_has_come_is_said_when_entries_are_closed(
    tmp_path: Path,
) -> None:
    event = config(tmp_path, rounds=3, start_at_us=NOW + 2_000_000)
    served = serve(event, *[Entrant(number) for number in range(4)])
    assert served.report().findings == []
    assert sum("can all meet each other in 3 rounds" in line for line in served.lines) == 1
