"""``aboveboard explain``: why a round was paired as it was."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES
from tests.fakes.command_line import Run
from tests.fakes.eventful_cups import cup, eventful_cup
from tests.fakes.serving import Served

NUMBER = re.compile(r"[0-9]+(?:[.][0-9]+)?")
DOCS = Path(__file__).parents[3] / "docs"
SYSTEMS = ("round-robin", "knockout", "double-elimination", "gauntlet", "ladder", "league")


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return eventful_cup(tmp_path_factory.mktemp("eventful"))


def values(run: Run, *args: object) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run("explain", *args, "--output", "json").out)
    return told


def test_a_swiss_round_is_told_by_its_measures_and_the_next_best_round(
    run: Run, eventful: Served
) -> None:
    told = values(run, eventful.archive, 3)
    assert (told["round"], told["player"], told["system"]) == (3, None, "swiss")
    assert (told["follows"], told["proven"]) == ("measures", True)
    assert told["measures"]["rematches"] == 0
    (other,) = told["next_best"]
    assert (other["player"], other["other"]) == (None, None)
    shown = run("explain", eventful.archive, 3).out
    assert shown.splitlines()[0] == "The Memory Cup: why round 3 is as it is"
    assert "pairs that have played each other before" in shown
    assert "the next best round: " in shown


def test_a_player_is_told_whom_else_it_could_have_met_and_what_that_would_have_cost(
    run: Run, eventful: Served
) -> None:
    paired = eventful.ledger.rounds[2].pairings
    names = eventful.ledger.field.names
    for pairing in paired:
        first, second = (names[entrant] for entrant in pairing.entrants)
        told = values(run, eventful.archive, 3, first)
        assert re.match(rf"{first} \([\d.]+\) plays {second} \([\d.]+\)", told["lines"][0])
        (other,) = told["next_best"]
        assert other["player"] == first
        assert other["other"] not in (first, second)


def test_a_pair_by_hand_is_said_to_be_a_rulings(run: Run, eventful: Served) -> None:
    said = "bot-3 - bot-2: by hand, as a ruling says"
    assert said in run("explain", eventful.archive, 2).out
    shown = run("explain", eventful.archive, 2, "bot-2").out
    assert ", by hand" in shown
    assert "next best" not in shown


@pytest.mark.parametrize(
    ("round_", "player", "why"),
    [
        (2, "bot-0", "bot-0 had asked for a bye of half a point"),
        (2, "bot-1", "bot-1 had left"),
        (2, "bot-6", "bot-6 gave no link for the draw, and was absent"),
        (3, "bot-4", "bot-4 was disqualified"),
    ],
)
def test_who_was_not_paired_is_told_why(
    run: Run, eventful: Served, round_: int, player: str, why: str
) -> None:
    told = values(run, eventful.archive, round_, player)
    assert (told["lines"], told["follows"]) == ([why], "absence")
    assert why in run("explain", eventful.archive, round_, player.upper()).out


def test_who_entered_for_a_later_round_is_told_so(run: Run, eventful: Served) -> None:
    ran = run("explain", eventful.archive, 1, "bot-8")
    assert (ran.code, ran.out) == (2, "")
    assert "bot-8 had not entered when round 1 was paired" in ran.err


def test_every_documented_key_is_there_and_no_other(run: Run, eventful: Served) -> None:
    section = (DOCS / "pairing.md").read_text().split("\n## What `explain` prints\n")[1]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    documented = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    told = values(run, eventful.archive, 3)
    assert documented == {*told, *told["next_best"][0]}
    measures = (DOCS / "pairing.md").read_text().split("\n## Swiss\n")[1].split("\n## ")[0]
    assert set(told["measures"]) == set(re.findall(r"^\| \d+ \| `(\w+)`", measures, re.M))


def test_a_field_of_few_is_said_to_follow_a_schedule(run: Run, tmp_path: Path) -> None:
    served = cup(tmp_path, 4, rounds=3)
    for number in (1, 2, 3):
        told = values(run, served.archive, number, "bot-0")
        assert told["follows"] == "schedule"
        assert told["lines"][0].startswith("bot-0 meets ")
        assert told["lines"][1].endswith(": docs/pairing.md, small fields")


def test_a_round_that_looks_ahead_is_told_what_it_costs(run: Run, tmp_path: Path) -> None:
    """Six in four rounds: two rounds that are best by themselves leave no fourth."""
    served = cup(tmp_path, 6, rounds=4)
    assert not any(p.rematch for pairings in served.ledger.rounds for p in pairings.pairings)
    told = values(run, served.archive, 3)
    assert told["follows"] == "look-ahead"
    ((measure, change), *_) = told["next_best"][0]["changes"].items()
    assert change < 0
    assert told["lines"][-1].endswith(
        f": {told['measures'][measure] + change} instead of {told['measures'][measure]}"
    )
    assert values(run, served.archive, 3, "bot-0")["lines"][0].startswith("bot-0 meets ")


@pytest.mark.parametrize("entrants", [7, 9])
def test_tables_are_told_by_their_measures_and_the_next_best_exchange(
    run: Run, tmp_path: Path, entrants: int
) -> None:
    served = cup(tmp_path, entrants, seats=4, rounds=2)
    told = values(run, served.archive, 2)
    assert (told["system"], told["follows"]) == ("swiss-tables", "measures")
    assert told["measures"]["byes"] == 0
    tables = served.ledger.rounds[1].pairings
    assert len(told["next_best"]) == len(tables)
    names = served.ledger.field.names
    for table, other in zip(tables, told["next_best"], strict=True):
        own = {names[entrant] for entrant in table.entrants}
        assert other["player"] in own
        assert other["other"] not in own
    player = names[tables[0].entrants[0]]
    (line, cost) = values(run, served.archive, 2, player)["lines"]
    assert line.startswith(f"{player} meets ")
    assert line.endswith(", in seat 0")
    # Sums of squared scores in points, and neither their units nor the lot.
    assert all(float(number) < 100 for text in told["lines"] for number in NUMBER.findall(text))
    assert cost.startswith(f"next best: {player} in the place of ")


@pytest.mark.parametrize("system", SYSTEMS)
def test_other_systems_say_what_their_schedule_follows_from(
    run: Run, tmp_path: Path, system: str
) -> None:
    form = pb.Form(bye=2, reach=1)
    if system == "league":
        form.divisions.add(name="First", size=2)
        form.divisions.add(name="Second", size=2)
    rounds = 2 if system == "ladder" else 0
    served = cup(tmp_path, 4, system=system, rounds=rounds, form=form)
    told = values(run, served.archive, 1)
    assert told["follows"] == "schedule"
    (line,) = told["lines"]
    assert line.endswith(f": docs/pairing.md, {system}")
    names = served.ledger.field.names
    first, second = served.ledger.rounds[0].pairings[0].entrants
    place, _ = values(run, served.archive, 1, names[first])["lines"]
    assert place == f"{names[first]} meets {names[second]}, in seat 0"


def test_a_round_in_which_no_two_were_there_has_nothing_to_explain(
    run: Run, tmp_path: Path
) -> None:
    """One of two gives no link in round 2."""
    served = cup(tmp_path, 2, absent={1: 1}, system="round-robin", rounds=0)
    told = values(run, served.archive, 1)
    assert told["lines"] == ["no two were there who could be paired"]


def test_an_early_archive_is_said_not_to_be_explained(run: Run) -> None:
    ran = run("explain", Path(__file__).parents[2] / "golden" / "archives" / "swiss-1", 1)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "rounds are not explained: swiss 1; docs/format.md, section 20," in ran.err


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["4"], "there is no round 4; there are 3"),
        (["0"], "0 is not in the range"),
        (["1", "nobody"], "nobody called 'nobody' plays in The Memory Cup"),
    ],
)
def test_wrong_use_is_one_line(run: Run, eventful: Served, args: list[str], why: str) -> None:
    ran = run("explain", eventful.archive, *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_a_log_whose_round_was_paired_otherwise_is_not_explained(
    run: Run, eventful: Served, tmp_path: Path
) -> None:
    """Leaves of an altered log are never taken for what follows."""
    leaves = list(split((eventful.archive / LEAVES).read_bytes(), LEAF_LIMIT))
    (drawn,) = [i for i, leaf in enumerate(leaves) if leaf == eventful.leaves("pairings")[1]]
    other = eventful.leaves("pairings")[0]
    (tmp_path / "log").mkdir()
    (tmp_path / LEAVES).write_bytes(join([*leaves[:drawn], other]))
    ran = run("explain", tmp_path, 2)
    assert (ran.code, ran.out) == (2, "")
    assert "round 2 was not paired as follows; aboveboard verify tells more" in ran.err
