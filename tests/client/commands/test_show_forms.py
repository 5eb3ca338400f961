"""``aboveboard show``: tournaments with a form, in which something happens besides matches."""

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.archive import STANDINGS
from tests.fakes.command_line import Run
from tests.fakes.eventful_cups import cup, eventful_cup
from tests.fakes.serving import Served


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return eventful_cup(tmp_path_factory.mktemp("eventful"))


def values(run: Run, *args: object) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(run("show", *args, "--output", "json").out)
    return shown


def rows(run: Run, *args: object) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run("show", *args, "--output", "csv").out)))


def test_a_result_that_a_ruling_made_is_shown_and_marked(run: Run, eventful: Served) -> None:
    turned, nobody, *others = values(run, eventful.archive, "--round", 1)["pairings"]
    (match,) = turned["matches"]
    played = eventful.closes["r1-b1", 1]
    assert match["ruled"]
    assert match["points"] == turned["points"]
    assert match["points"] == [seat.half_points / 2 for seat in played.seats][::-1]
    assert match["score"] == [seat.score for seat in played.seats]
    assert (nobody["points"], order(nobody)) == ([0, 0], sorted(nobody["players"]))
    assert not any(match["ruled"] for pairing in others for match in pairing["matches"])
    first, second, third, _, late = rows(run, eventful.archive, "--round", 1)
    assert first["remarks"] == "ruled"
    assert second["remarks"] == f"{', '.join(f'{n} never came' for n in order(nobody))}, ruled"
    assert third["remarks"] == ""
    assert (late["players"], late["end"]) == ("bot-8", "not there yet")


def order(pairing: dict[str, Any]) -> list[str]:
    return sorted(pairing["never_came"])


def test_who_sat_a_round_out_is_told_with_its_reason_and_worth(run: Run, eventful: Served) -> None:
    shown = values(run, eventful.archive, "--round", 2)
    out = {bye["name"]: (bye["kind"], bye["points"]) for bye in shown["sitting_out"]}
    (odd,) = (name for name, (kind, _) in out.items() if kind == "pairing")
    assert odd in ("bot-4", "bot-5", "bot-8")
    assert out == {
        odd: ("pairing", 1),
        "bot-0": ("requested", 0.5),
        "bot-6": ("absent", 0),
        "bot-7": ("absent", 0),
    }
    assert set(shown["byes"]) == {odd, "bot-0"}
    assert set(shown["absent"]) == {"bot-6", "bot-7"}  # bot-1 had left
    before = values(run, eventful.archive, "--round", 1)
    assert before["sitting_out"] == [{"name": "bot-8", "kind": "late", "points": 0.5}]
    assert (before["byes"], before["absent"]) == ([], [])
    ends = {row["players"]: row["end"] for row in rows(run, eventful.archive, "--round", 2)}
    assert (ends["bot-0"], ends["bot-6"]) == ("asked for", "not there")


def test_all_rounds_that_somebody_sat_out_are_counted_under_that_heading(
    run: Run, eventful: Served
) -> None:
    shown = values(run, eventful.archive)
    sat_out = Counter(
        bye["name"]
        for number in range(1, shown["rounds"] + 1)
        for bye in values(run, eventful.archive, "--round", number)["sitting_out"]
    )
    assert sat_out["bot-6"], "it was absent"
    assert {row["name"]: row["byes"] for row in shown["standings"] if row["byes"]} == sat_out
    told = run("show", eventful.archive).out.splitlines()
    (heading,) = (line for line in told if "rank" in line)
    assert "sat-out" in heading.split()
    assert "byes" not in heading


def test_a_pair_by_hand_is_marked(run: Run, eventful: Served) -> None:
    pairings = values(run, eventful.archive, "--round", 2)["pairings"]
    assert [p["players"] for p in pairings if p["by_hand"]] == [["bot-3", "bot-2"]]
    (marked,) = (r for r in rows(run, eventful.archive, "--round", 2) if "by hand" in r["remarks"])
    assert marked["players"] == "bot-3 - bot-2"


def test_who_is_disqualified_is_last_and_has_no_rank(run: Run, eventful: Served) -> None:
    *others, last = values(run, eventful.archive)["standings"]
    assert (last["name"], last["rank"], last["disqualified"]) == ("bot-4", None, True)
    assert all(row["rank"] and not row["disqualified"] for row in others)
    told = run("show", eventful.archive, "--output", "csv").out
    assert told.encode() == (eventful.archive / STANDINGS).read_bytes()


def test_a_line_of_the_table_is_told_part_by_part(run: Run, eventful: Served) -> None:
    rows = {row["name"]: row for row in values(run, eventful.archive)["standings"]}
    for name in ("bot-0", "bot-1", "bot-8"):
        shown = values(run, eventful.archive, "--explain", name.upper())
        assert shown["player"] == name
        totals = {line["tie_break"]: line["value"] for line in shown["lines"] if line["total"]}
        assert totals["points"] == rows[name]["units"]
        assert totals["buchholz"] == rows[name]["tie_breaks"]["buchholz"] * 120
        for total in ("points", "buchholz"):
            parts = [line for line in shown["lines"] if line["tie_break"] == total]
            counted = [part["value"] for part in parts if part["counted"] and not part["total"]]
            assert sum(counted) == totals[total]
    told = run("show", eventful.archive, "--explain", "bot-0").out
    assert "The Memory Cup: where the line of bot-0 comes from" in told


def test_nobodys_line_is_wrong_use(run: Run, eventful: Served) -> None:
    ran = run("show", eventful.archive, "--explain", "nobody")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "aboveboard: nobody called 'nobody' plays in The Memory Cup\n"


def test_tables_of_three_are_shown_with_their_places(run: Run, tmp_path: Path) -> None:
    served = cup(tmp_path, 3, seats=3, rounds=1, form=pb.Form(bye=2, games=2))
    (table,) = values(run, served.archive, "--round", 1)["pairings"]
    assert [match["players"] for match in table["matches"]] == [
        table["players"],
        [*table["players"][1:], table["players"][0]],
    ]
    for match in table["matches"]:
        worth = {1: 1, 2: 0.5, 3: 0}
        assert sorted(match["places"]) == [1, 2, 3]
        assert match["points"] == [worth[place] for place in match["places"]]
    assert sum(table["points"]) == 1.5
    line, *_ = rows(run, served.archive, "--round", 1)
    assert (line["match"], line["end"]) == ("r1-b1", "2 matches")


def test_a_league_names_the_division_of_each(run: Run, tmp_path: Path) -> None:
    divisions = [
        pb.Division(name="First", size=2, entrants=["bot-1", "bot-3"]),
        pb.Division(name="Second", size=2),
    ]
    form = pb.Form(bye=2, divisions=divisions)
    served = cup(tmp_path, 4, system="league", rounds=0, form=form)
    shown = values(run, served.archive)
    assert shown["system"] == "league"
    assert [row["division"] for row in shown["standings"]] == ["First"] * 2 + ["Second"] * 2


def test_a_pairing_that_stopped_early_shows_the_matches_that_were_begun(
    run: Run, tmp_path: Path
) -> None:
    form = pb.Form(bye=2, games=5, majority=True, early_stop=True)
    served = cup(tmp_path, 2, rounds=1, form=form)
    (pairing,) = values(run, served.archive, "--round", 1)["pairings"]
    assert 3 <= len(pairing["matches"]) <= 5
    assert sorted(pairing["points"]) == [0, 1]
    assert all(match["end"] for match in pairing["matches"])
