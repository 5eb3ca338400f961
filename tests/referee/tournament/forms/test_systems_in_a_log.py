"""Whole tournaments of every system, as leaves of a log."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.plan import check_plan
from tests.fakes.leaves import Leaves, fold

ROUNDS = {"swiss": 4, "swiss-tables": 3, "ladder": 5}


def form_of(system: str, entrants: int) -> pb.Form:
    form = pb.Form(bye=2)
    if system == "league":
        form.divisions.add(name="upper", size=entrants // 2)
        form.divisions.add(name="lower", size=entrants - entrants // 2)
    return form


def whole(system: str, entrants: int = 7) -> Leaves:
    tables = system == "swiss-tables"
    return Leaves(
        entrants,
        rounds=ROUNDS.get(system, 0),
        name=f"{system} of {entrants}",
        form=form_of(system, entrants),
        system=system,
        seats=4 if tables else 2,
        games=["nebraska:family"] if tables else ["cribbage"],
    ).whole()


@pytest.mark.parametrize("entrants", [4, 5, 8])
@pytest.mark.parametrize("system", sorted(all_systems()))
def test_a_tournament_of_any_system_comes_to_its_end_and_folds_again(
    system: str, entrants: int
) -> None:
    made = whole(system, entrants)
    again = fold(made.all)
    assert again.close is not None
    assert list(again.close.standings) == made.ledger.rows()
    assert again.rows()[0].rank == 1
    assert sorted(row.entrant for row in again.rows()) == list(range(entrants))


@pytest.mark.parametrize("system", sorted(all_systems()))
def test_the_same_leaves_are_drawn_alike_wherever_they_are_cut(system: str) -> None:
    made = whole(system)
    for size in range(1, len(made.all)):
        if b"aboveboard/pairings/v1" in made.all[size][:60]:
            ledger = fold(made.all[:size])
            assert ledger.next_pairings() == fold(made.all[: size + 1]).rounds[-1]


@pytest.mark.parametrize("system", sorted(all_systems()))
def test_no_tournament_can_be_closed_before_its_last_round(system: str) -> None:
    tables = system == "swiss-tables"
    made = Leaves(
        5,
        rounds=ROUNDS.get(system, 0),
        name=f"early {system}",
        form=form_of(system, 5),
        system=system,
        seats=4 if tables else 2,
        games=["nebraska:family"] if tables else ["cribbage"],
    )
    made.close_entries()
    made.play_round()
    with pytest.raises(Illegal, match="before the end"):
        made.end()


@pytest.mark.parametrize(
    ("says", "change"),
    [
        ("pairing system swiss 9", {"system_version": 9}),
        ("pairing system dutch 3", {"system": "dutch"}),
        ("no number of rounds", {"rounds": 0}),
        ("1001 rounds", {"rounds": 1001}),
        ("tables of 3 seats", {"table_seats": 3}),
        ("tables of 8", {"table_seats": 8}),
        ("the tie-break luck", {"tie_breaks": ["luck"]}),
        ("the tie-break wins twice", {"tie_breaks": ["wins", "direct", "wins"]}),
        ("a bye of more than a point", {"form": pb.Form(bye=3)}),
        ("an early stop", {"form": pb.Form(early_stop=True)}),
        ("a number of matches", {"order": "each", "form": pb.Form(games=2)}),
        ("201 matches", {"form": pb.Form(games=201)}),
        ("21 deciders", {"form": pb.Form(majority=True, deciders=21)}),
        ("ada seeded twice", {"form": pb.Form(seeding=["Ada", "ada"])}),
        (
            "bob twice in divisions",
            {
                "system": "league",
                "system_version": 1,
                "form": pb.Form(
                    divisions=[
                        pb.Division(name="A", size=2, entrants=["Bob", "x"]),
                        pb.Division(name="B", size=2, entrants=["bob"]),
                    ]
                ),
            },
        ),
        (
            "3 entrants in the division A of 2",
            {
                "system": "league",
                "system_version": 1,
                "form": pb.Form(
                    divisions=[pb.Division(name="A", size=2, entrants=["x", "y", "z"])]
                ),
            },
        ),
        ("31 bytes", {"form": pb.Form(previous=bytes(31))}),
    ],
)
def test_a_form_that_cannot_be_is_no_plan(says: str, change: dict[str, object]) -> None:
    made = Leaves(2, rounds=2, name="plans", form=pb.Form(bye=2))
    manifest = pb.TournamentManifest()
    manifest.CopyFrom(made.manifest)
    assert check_plan(manifest) is None
    for name in change:
        manifest.ClearField(name)  # type: ignore[arg-type]  # a field's name
    manifest.MergeFrom(pb.TournamentManifest(**change))  # type: ignore[arg-type]  # its fields
    assert says in (check_plan(manifest) or "")
