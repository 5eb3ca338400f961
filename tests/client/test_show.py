"""``aboveboard show``: what an archive says, without a verdict."""

import csv
import io
import json
from pathlib import Path

import pytest

from aboveboard_referee.verify.archive import CLOSE, MANIFEST, match_file
from tests.fakes.archive import Archive
from tests.fakes.command_line import Run

MATCH = match_file("r1-b1", 1)


def test_the_table_is_that_of_the_close(run: Run, folder: Path, archive: Archive) -> None:
    ran = run("show", folder, "--output", "json")
    rows = json.loads(ran.out)["rows"]
    names = archive.organiser.names
    assert [row["name"] for row in rows] == [names[row.entrant] for row in archive.standings]
    assert [row["points"] for row in rows] == [
        f"{row.half_points / 2:.1f}" for row in archive.standings
    ]


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
    assert sorted(rows[0]["points"].split(" - ")) == ["0.0", "1.0"]
    assert rows[0]["end"] == "played-out"
    assert rows[1]["players"] == names[drawn.byes[0]]


def test_a_match_is_told_move_by_move_with_its_cards(run: Run, folder: Path) -> None:
    rows = json.loads(run("show", folder, "--match", "r1-b1", "--output", "json").out)["rows"]
    assert rows[0]["what"] == "r1-b1, attempt 1, cribbage"
    shown = next(row for row in rows if row["does"] == "shows")
    # The hands of the first deal, private then, are known now that the deck is open.
    assert shown["what"].count("1.") >= 12
    assert "?" not in shown["what"]
    moves = [row for row in rows if row["does"] == "plays"]
    assert moves[0]["what"].startswith("discard ")
    assert {row["who"] for row in moves} < {"Bot-A", "Bot-B", "Bot-C"}
    assert moves[0]["thought ms"] == 0.7
    assert rows[-1]["does"] == "closes"


def test_sealed_bets_are_told_as_committed_and_revealed(run: Run, folder: Path) -> None:
    rows = json.loads(run("show", folder, "--match", "r2-b1", "--output", "json").out)["rows"]
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
    data[20000] ^= 1
    (folder / MATCH).write_bytes(data)
    ran = run("show", folder, "--match", "r1-b1")
    assert ran.code == 1
    assert "discard" in ran.out
    assert "cannot be followed further" in ran.err


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--round", "3"], "there is no round 3; there are 2"),
        (["--match", "r9-b9"], "there is no match r9-b9"),
        (["--match", "../../etc/passwd"], "there is no match"),
        (["--round", "1", "--match", "r1-b1"], "two different views"),
        (["--output", "xml"], "xml"),
    ],
)
def test_wrong_use_is_one_line(run: Run, folder: Path, args: list[str], why: str) -> None:
    ran = run("show", folder, *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_a_folder_without_a_manifest_is_no_archive(run: Run, folder: Path) -> None:
    (folder / MANIFEST).unlink()
    assert run("show", folder).code == 2


def test_an_unreadable_file_is_named(run: Run, folder: Path) -> None:
    (folder / CLOSE).write_bytes(b"nonsense")
    ran = run("show", folder)
    assert ran.code == 2
    assert ran.err.startswith(f"aboveboard: {CLOSE} cannot be read: ")
