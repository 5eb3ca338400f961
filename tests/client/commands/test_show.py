"""``aboveboard show``: what an archive says, without a verdict."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed, type_of
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.archive import LEAVES, STANDINGS, match_file
from tests.fakes.archive import Archive, Organiser, each
from tests.fakes.command_line import Run

MATCH = match_file("r1-b1", 1)


@pytest.fixture
def each_folder(tmp_path: Path) -> Path:
    """An archive whose pairings play two games from either seat."""
    for path, data in each().files.items():
        file = tmp_path / "each" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / "each"


def values(run: Run, *args: object) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(run("show", *args, "--output", "json").out)
    return shown


def documented(heading: str) -> set[str]:
    """The keys that docs/show.md has under a heading."""
    text = (Path(__file__).parents[3] / "docs" / "show.md").read_text()
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def keys(value: Any) -> set[str]:
    """Every key in a value at any depth."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {*(value if isinstance(value, dict) else ()), *(k for v in inner for k in keys(v))}


def test_the_table_is_that_of_the_close(run: Run, folder: Path, archive: Archive) -> None:
    ran = run("show", folder, "--output", "json")
    rows = json.loads(ran.out)["standings"]
    names = archive.organiser.names
    assert [row["name"] for row in rows] == [names[row.entrant] for row in archive.standings]
    assert [row["points"] for row in rows] == [row.units / 2 for row in archive.standings]


def test_the_table_for_spreadsheets_is_the_archives_own(
    run: Run, folder: Path, each_folder: Path
) -> None:
    for archive in (folder, each_folder):
        assert (
            run("show", archive, "--output", "csv").out.encode()
            == (archive / STANDINGS).read_bytes()
        )


def test_the_table_tells_what_broke_ties(run: Run, each_folder: Path) -> None:
    shown = values(run, each_folder)
    assert (shown["order"], shown["matches_a_pairing"]) == ("each", 4)
    assert shown["tie_breaks"] == ["wins", "buchholz"]
    for row, standing in zip(each().standings, shown["standings"], strict=True):
        assert (standing["units"], standing["units_a_point"]) == (row.units, 8)
        assert standing["points"] == row.units / 8
        wins, buchholz = row.tie_breaks
        assert standing["tie_breaks"] == {"wins": wins, "buchholz": buchholz / (60 * 8)}
    assert "buchholz" in run("show", each_folder).out


def test_every_documented_key_is_there_and_no_other(run: Run, each_folder: Path) -> None:
    table, drawn = values(run, each_folder), values(run, each_folder, "--round", 1)
    names = set(table["tie_breaks"]) - {"wins"}  # which are keys as well
    assert documented("The final table") - {"division"} == keys(table) - names
    assert documented("A round") == keys(drawn)
    line = values(run, each_folder, "--explain", "bot-a")
    assert documented("Where a line comes from") == keys(line)
    assert documented("A match") == keys(values(run, each_folder, "--match", "r1-b1-1a"))


def test_an_early_archive_is_shown_as_its_release_showed_it(run: Run) -> None:
    early = Path(__file__).parents[2] / "golden" / "archives" / "swiss-1"
    assert run("show", early, "--output", "csv").out.encode() == (early / STANDINGS).read_bytes()
    table, drawn = values(run, early), values(run, early, "--round", 1)
    more = {"half_points", "buchholz", "direct"} & keys(table)
    assert "half_points" in more
    less = {"units", "units_a_point", "disqualified", "division"}
    assert documented("The final table") - less | more == keys(table)
    less = {"by_hand", "rematch", "never_came", "places", "ruled", "sitting_out", "name", "kind"}
    assert documented("A round") - less == keys(drawn)
    (pairing,) = drawn["pairings"]
    assert sum(pairing["points"]) == 1
    assert len(drawn["byes"]) == 1
    ran = run("show", early, "--explain", "house-1")
    assert (ran.code, ran.out) == (2, "")
    assert "is of a release whose tables are not explained: swiss 1" in ran.err


def test_a_pairing_of_several_matches_has_a_line_of_its_own(run: Run, each_folder: Path) -> None:
    rows = list(
        csv.DictReader(io.StringIO(run("show", each_folder, "--round", 1, "--output", "csv").out))
    )
    pairing, *matches, bye = rows
    assert [row["match"] for row in matches] == [
        f"r1-b1-{name}" for name in ("1a", "1b", "2a", "2b")
    ]
    assert [row["game"] for row in matches] == ["nebraska:family"] * 2 + ["allegra"] * 2
    assert [row["players"] == pairing["players"] for row in matches] == [True, False, True, False]
    assert (pairing["match"], pairing["end"]) == ("r1-b1", "4 matches")
    assert (bye["match"], bye["points"], bye["end"]) == ("bye", "1", "left over")
    first = pairing["players"].split(" - ")[0]
    won = [
        float(row["points"].split(" - ")[row["players"].split(" - ").index(first)])
        for row in matches
    ]
    assert float(pairing["points"].split(" - ")[0]) == sum(won) / 4


def test_a_round_for_programs_has_the_score_of_each_pairing(run: Run, each_folder: Path) -> None:
    (pairing,) = values(run, each_folder, "--round", 1)["pairings"]
    assert sum(pairing["points"]) == 1
    for number, player in enumerate(pairing["players"]):
        gained = [m["points"][m["players"].index(player)] for m in pairing["matches"]]
        assert pairing["points"][number] == sum(gained) / 4


def test_a_pairing_that_is_not_decided_has_no_score(run: Run, each_folder: Path) -> None:
    """As of a log that was cut off before the last close of the first round."""
    archive = each()
    closes = [i for i in range(len(archive.leaves)) if archive.kind(i) == "match-close"]
    (each_folder / LEAVES).write_bytes(join(archive.leaves[: closes[3]]))
    (pairing,) = values(run, each_folder, "--round", 1)["pairings"]
    assert pairing["points"] == []
    last = pairing["matches"][3]
    assert (last["end"], last["attempt"], last["score"], last["places"]) == (None, None, [], [])
    rows = run("show", each_folder, "--round", 1).out
    assert "not all there" in rows
    assert "not there" in rows.splitlines()[-2]


def test_a_match_with_seats_exchanged_is_told_with_the_right_names(
    run: Run, each_folder: Path
) -> None:
    one, other = (
        values(run, each_folder, "--match", f"r1-b1-1{letter}")["players"] for letter in "ab"
    )
    assert one == other[::-1]


def test_a_pairing_is_no_match_where_it_has_several(run: Run, each_folder: Path) -> None:
    ran = run("show", each_folder, "--match", "r1-b1")
    assert (ran.code, ran.out) == (2, "")
    assert "r1-b1 is a pairing of 4 matches, from r1-b1-1a to r1-b1-2b" in ran.err


@pytest.mark.parametrize(
    "args", [[], ["--round", "1"], ["--match", "r1-b1"], ["--output", "csv"], ["--output", "json"]]
)
def test_it_says_plainly_that_it_verifies_nothing(run: Run, folder: Path, args: list[str]) -> None:
    ran = run("show", folder, *args)
    assert ran.code == 0
    assert f"not verified; to verify it: aboveboard verify {folder}" in ran.err


def test_a_round_shows_pairs_results_end_reasons_and_the_bye(
    run: Run, folder: Path, archive: Archive
) -> None:
    rows = list(
        csv.DictReader(io.StringIO(run("show", folder, "--round", 1, "--output", "csv").out))
    )
    drawn = archive.pairings[0]
    names = archive.organiser.names
    assert [row["match"] for row in rows] == ["r1-b1", "bye"]
    assert rows[0]["players"] == " - ".join(names[e] for e in drawn.pairings[0].entrants)
    assert sorted(rows[0]["points"].split(" - ")) == ["0", "1"]
    assert rows[0]["end"] == "played-out"
    assert rows[1]["players"] == names[drawn.given[0].entrant]


def test_a_match_is_told_move_by_move_with_its_cards(run: Run, folder: Path) -> None:
    rows = json.loads(run("show", folder, "--match", "r1-b1", "--output", "json").out)["events"]
    assert rows[0]["what"] == "r1-b1, attempt 1, cribbage"
    shown = next(row for row in rows if row["does"] == "shows")
    # The hands of the first deal, private then, are known now that the deck is open.
    assert shown["what"].count("1.") >= 12
    assert "?" not in shown["what"]
    moves = [row for row in rows if row["does"] == "plays"]
    assert moves[0]["what"].startswith("discard ")
    assert {row["who"] for row in moves} < {"Bot-A", "Bot-B", "Bot-C"}
    assert moves[0]["thought_ms"] == 0.7
    assert rows[-1]["does"] == "closes"


def test_sealed_bets_are_told_as_committed_and_revealed(run: Run, folder: Path) -> None:
    rows = json.loads(run("show", folder, "--match", "r2-b1", "--output", "json").out)["events"]
    commits = [row for row in rows if row["does"] == "commits"]
    reveals = [row for row in rows if row["does"] == "reveals"]
    assert len(commits) == len(reveals) > 0
    assert {row["what"] for row in commits} == {""}
    assert all(row["what"].startswith("bet ") for row in reveals)


def test_a_single_transcript_can_be_shown(run: Run, folder: Path) -> None:
    ran = run("show", folder / MATCH)
    assert ran.code == 0
    assert "seat 0" in ran.out


def test_a_match_that_goes_wrong_is_shown_up_to_there(run: Run, folder: Path) -> None:
    data = bytearray((folder / MATCH).read_bytes())
    data[20100] ^= 1
    (folder / MATCH).write_bytes(data)
    ran = run("show", folder, "--match", "r1-b1")
    assert ran.code == 1
    assert "discard" in ran.out
    assert "cannot be followed further" in ran.err
    assert "at fault: whoever altered the file" in ran.err


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--round", "3"], "there is no round 3; there are 2"),
        (["--match", "r9-b9"], "there is no match r9-b9"),
        (["--match", "../../etc/passwd"], "there is no match"),
        (["--round", "1", "--match", "r1-b1"], "different views"),
        (["--output", "xml"], "xml"),
    ],
)
def test_wrong_use_is_one_line(run: Run, folder: Path, args: list[str], why: str) -> None:
    ran = run("show", folder, *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_a_round_that_an_early_archive_does_not_have_is_refused(run: Run) -> None:
    early = Path(__file__).parents[2] / "golden" / "archives" / "swiss-1"
    ran = run("show", early, "--round", 99)
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(r"aboveboard: there is no round 99; there are \d\n", ran.err)


@pytest.mark.parametrize("args", [["--round", "1"], ["--match", "r1-b1"], ["--explain", "Bot-A"]])
def test_a_single_match_has_no_other_view(run: Run, folder: Path, args: list[str]) -> None:
    ran = run("show", folder / MATCH, *args)
    assert ran == (2, "", f"aboveboard: {folder / MATCH} is a single match\n")


def test_a_folder_without_a_log_is_no_archive(run: Run, folder: Path) -> None:
    (folder / LEAVES).unlink()
    ran = run("show", folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"aboveboard: there is no {LEAVES}: not an archive\n"


@pytest.mark.parametrize("data", [b"nonsense", b"", b"\0\0\0\x01x"])
def test_an_unreadable_log_is_named(run: Run, folder: Path, data: bytes) -> None:
    (folder / LEAVES).write_bytes(data)
    ran = run("show", folder)
    assert ran.code == 2
    assert ran.err.startswith(f"aboveboard: {LEAVES} cannot be read: ")


def test_a_log_that_begins_with_something_else_has_no_manifest(
    run: Run, folder: Path, archive: Archive
) -> None:
    (folder / LEAVES).write_bytes(join(archive.leaves[1:]))
    ran = run("show", folder)
    assert ran.code == 2
    assert "aboveboard/tournament-manifest/v1 is expected here, not aboveboard/entry/v1" in ran.err


def test_a_late_entry_that_cannot_be_read_is_named(
    run: Run, folder: Path, archive: Archive
) -> None:
    body = pb.LateEntry(entry=b"nonsense").SerializeToString()
    late = Signed(type_of("late-entry"), body, ())
    (folder / LEAVES).write_bytes(join([archive.leaves[0], late.to_bytes()]))
    ran = run("show", folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"aboveboard: {LEAVES} cannot be read: ")
    assert ran.err.count("\n") == 1


def test_a_log_without_its_end_has_rounds_and_no_table(
    run: Run, folder: Path, archive: Archive
) -> None:
    (folder / LEAVES).write_bytes(join(archive.leaves[:-1]))
    assert values(run, folder, "--round", 2)["round"] == 2
    ran = run("show", folder)
    assert (ran.code, ran.out) == (2, "")
    assert "the tournament has not ended" in ran.err


def test_who_came_late_and_who_sat_a_round_out_is_named(run: Run, tmp_path: Path) -> None:
    organiser = Organiser("late", entrants=2, rounds=2, games=("nebraska:family",))
    season = organiser.season()
    season.enter_late(2, 2)
    season.play_round({})
    season.play_round({}, absent=(0,))
    published = season.published()
    names = [member.entry.name for member in season.ledger.field]
    for path, data in published.files.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    shown = values(run, tmp_path, "--round", 2)
    (pairing,) = shown["pairings"]
    assert sorted(pairing["players"]) == sorted(names[1:])
    assert (shown["byes"], shown["absent"]) == ([], [names[0]])
    rows = list(
        csv.DictReader(io.StringIO(run("show", tmp_path, "--round", 2, "--output", "csv").out))
    )
    assert [(row["match"], row["players"], row["points"]) for row in rows[1:]] == [
        ("absent", names[0], "0")
    ]
    assert {row["name"] for row in values(run, tmp_path)["standings"]} == set(names)
