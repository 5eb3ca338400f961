"""``aboveboard export`` and ``standings``: tournaments beside other programs."""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from aboveboard_client.tournament_files.sheet_of_archive import sheet_of_archive
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.history import History, Round, Table, scores
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.verify.archive import LEAVES
from tests.fakes.archive import Archive, each
from tests.fakes.command_line import Run
from tests.fakes.leaves import Leaves
from tests.fakes.ledgers import with_everything
from tests.fakes.sheets import ranks_of, sheet_of, small_sheet


def folder_of(path: Path, leaves: list[bytes]) -> Path:
    """An archive of nothing but a log."""
    file = path / LEAVES
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(join(leaves))
    return path


def gained(rows: Iterable[pb.StandingsRow]) -> list[int]:
    """Units by entrant; older tables state half points."""
    return [row.units or row.half_points for row in sorted(rows, key=lambda row: row.entrant)]


# --- Archives -----------------------------------------------------------------------------


def test_an_archive_is_exported_in_every_format_alike(
    run: Run, folder: Path, archive: Archive
) -> None:
    trf, as_csv, as_json = (
        run("export", folder, "--format", format_).out for format_ in ("trf", "csv", "json")
    )
    sheet = read_trf(trf)
    assert sheet == read_csv(as_csv) == read_json(as_json)
    assert (sheet.names, sheet.title) == (archive.organiser.names, archive.organiser.manifest.title)
    assert (sheet.system, sheet.rounds, sheet.start) == ("swiss", 2, "2023-11-14")
    assert scores(sheet.history) == gained(archive.standings)


def test_places_in_an_exported_file_are_the_archives_own(
    run: Run, folder: Path, archive: Archive
) -> None:
    lines = run("export", folder, "--format", "trf").out.splitlines()
    places = {line[14:47].strip(): int(line[85:89]) for line in lines if line[:3] == "001"}
    assert places == {archive.organiser.names[row.entrant]: row.rank for row in archive.standings}


def test_pairings_of_several_games_keep_their_matches_in_csv_and_json(tmp_path: Path) -> None:
    organiser_archive = each()
    sheet, ranks = sheet_of_archive(folder_of(tmp_path, list(organiser_archive.leaves)))
    assert sheet.history.point == 8
    assert {len(t.seatings) for drawn in sheet.history.rounds for t in drawn.tables} == {4}
    rows = organiser_archive.standings
    assert scores(sheet.history) == gained(rows)
    assert ranks == [row.rank for row in sorted(rows, key=lambda row: row.entrant)]


def test_a_tournament_without_a_form_is_exported_as_well(run: Run, tmp_path: Path) -> None:
    home = Leaves(entrants=5, rounds=3).whole()
    folder = folder_of(tmp_path, home.all)
    sheet = read_trf(run("export", folder, "--format", "trf").out)
    assert scores(sheet.history) == gained(home.ledger.rows())
    assert [len(drawn.byes) for drawn in sheet.history.rounds] == [1, 1, 1]


def test_a_tournament_with_a_form_is_exported_with_all_that_happened(
    run: Run, tmp_path: Path
) -> None:
    home = with_everything()
    folder = folder_of(tmp_path, home.all)
    sheet = read_json(run("export", folder, "--format", "json").out)
    assert scores(sheet.history) == gained(home.ledger.rows())
    assert read_trf(run("export", folder, "--format", "trf").out) == sheet


def test_a_round_under_way_is_exported_without_results(run: Run, tmp_path: Path) -> None:
    home = Leaves(entrants=4, rounds=2)
    home.close_entries()
    home.draw()
    sheet = read_trf(run("export", folder_of(tmp_path, home.all), "--format", "trf").out)
    assert [table.decided for table in sheet.history.rounds[0].tables] == [False, False]


def test_open_entries_are_no_tournament_yet(run: Run, tmp_path: Path) -> None:
    ran = run("export", folder_of(tmp_path, Leaves().all), "--format", "csv")
    assert (ran.code, ran.err) == (2, f"aboveboard: {tmp_path}: entries are still open\n")


def test_a_log_that_breaks_off_is_refused_with_the_leaf(run: Run, tmp_path: Path) -> None:
    home = Leaves()
    ran = run("export", folder_of(tmp_path, [*home.all, home.all[1]]), "--format", "csv")
    assert ran.code == 2
    assert f"{LEAVES} cannot be followed beyond leaf {len(home.all)}: " in ran.err


def test_games_are_exported_of_matches_that_have_ended(
    run: Run, archive: Archive, tmp_path: Path
) -> None:
    source = folder_of(tmp_path, archive.leaves)
    ran = run("export", source, "--format", "record")
    assert ran[:2] == (2, "")
    assert ran.err == f"aboveboard: no match of {source} has ended\n"


# --- Files --------------------------------------------------------------------------------


def test_a_file_is_made_into_another_format(run: Run, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "cup.json"
    ran = run("export", file, "--format", "json", "--output", target)
    assert (ran.code, ran.out) == (0, f"{target}: {target.stat().st_size} bytes of JSON\n")
    assert read_json(target.read_text()) == small_sheet()
    assert run("export", target, "--format", "trf").out == file.read_text()


def test_a_file_that_is_there_is_replaced_only_by_force(run: Run, file: Path) -> None:
    before = file.read_text()
    ran = run("export", file, "--format", "csv", "--output", file)
    assert (ran.code, ran.err) == (
        2,
        f"aboveboard: {file} is there already; --force replaces it\n",
    )
    assert file.read_text() == before
    assert run("export", file, "--format", "csv", "--output", file, "--force").code == 0
    assert read_csv(file.read_text()) == small_sheet()


def test_a_broken_file_is_refused_in_one_line(run: Run, file: Path) -> None:
    lines = file.read_text().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line[:3] == "001")
    lines[number - 1] = lines[number - 1][:91] + "  99" + lines[number - 1][95:]
    file.write_text("\n".join(lines))
    for command in (["standings"], ["pair"], ["export", "--format", "csv"]):
        ran = run(command[0], file, *command[1:])
        assert ran.code == 2
        assert ran.err == (f"aboveboard: {file}: line {number}, column 92: there is no player 99\n")


def test_a_file_of_older_programs_need_not_be_utf_8(run: Run, file: Path) -> None:
    data = file.read_bytes().replace(b"012 Cup", b"012 Coup \xe9t\xe9")
    file.write_bytes(data)
    assert "Coup été after 3 rounds" in run("standings", file).out
    assert run("export", file, "--format", "json").code == 0


@pytest.mark.parametrize("head", [b'{"title": "', b"record,"])
def test_a_file_of_other_formats_must_be_utf_8(run: Run, file: Path, head: bytes) -> None:
    file.write_bytes(head + b"Coup \xe9t\xe9")
    ran = run("standings", file)
    assert ran[:2] == (2, "")
    assert ran.err == f"aboveboard: {file}: byte {len(head) + 5}: not UTF-8\n"


def test_a_file_that_cannot_be_written_is_an_outside_failure(run: Run, file: Path) -> None:
    target = file.parent / "none" / "cup.csv"
    ran = run("export", file, "--format", "csv", "--output", target)
    assert ran == (3, "", f"aboveboard: {target}: No such file or directory\n")


def test_tables_of_more_seats_are_refused_as_trf(run: Run, tmp_path: Path) -> None:
    drawn = Round(1, (Table("r1-b1", (0, 1, 2), (120, 60, 0)),))
    path = tmp_path / "three.json"
    path.write_text(write_json(sheet_of(History(3, 120, (0, 1, 2), (drawn,)))))
    ran = run("export", path, "--format", "trf")
    assert (ran.code, ran.err) == (
        2,
        "aboveboard: round 1: r1-b1 has 3 seats and TRF two; CSV and JSON can hold it\n",
    )


# --- Standings ----------------------------------------------------------------------------


def test_standings_have_the_files_tie_breaks(run: Run, file: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("standings", file, "--output", "csv").out)))
    assert list(rows[0]) == ["rank", "name", "points", "wins", "matches", "byes", "buchholz"]
    shown = json.loads(run("standings", file, "--output", "json").out)
    assert [row["name"] for row in shown["standings"]] == [row["name"] for row in rows]
    ranks = ranks_of(small_sheet(), ("buchholz", "wins"))
    assert [int(row["rank"]) for row in rows] == [
        ranks[int(row["name"].removeprefix("bot-"))] for row in rows
    ]


def test_standings_can_have_other_tie_breaks(run: Run, file: Path) -> None:
    shown = json.loads(run("standings", file, "--tie-breaks", "direct", "--output", "json").out)
    assert shown["tie_breaks"] == ["direct"]
    ran = run("standings", file, "--tie-breaks", "height")
    assert ran.code == 2
    assert ran.err.startswith("aboveboard: unknown tie-break height; known are ")


def test_tie_breaks_that_we_do_not_have_are_told(run: Run, file: Path) -> None:
    file.write_text(file.read_text().replace("202 BH,WON", "202 ARO,BH"))
    ran = run("standings", file)
    assert "buchholz" in ran.out
    assert ran.err == "not computed: ARO\n"


def test_the_table_of_an_archive_is_shows_affair(run: Run, folder: Path) -> None:
    ran = run("standings", folder)
    assert ran.code == 2
    assert "aboveboard show has the table of an archive" in ran.err
