"""``aboveboard export``, ``standings`` and ``pair``: tournaments beside other programs."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from aboveboard_client.tournament_files.sheet_of_archive import sheet_of_archive
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.history import History, Round, Table, scores
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from aboveboard_referee.verify.archive import LEAVES
from tests.fakes.archive import Archive, each
from tests.fakes.command_line import Run
from tests.fakes.histories import random_history
from tests.fakes.leaves import Leaves
from tests.fakes.ledgers import with_everything
from tests.fakes.sheets import ranks_of, sheet_of

SEED = "5a" * 32


def folder_of(path: Path, leaves: list[bytes]) -> Path:
    """An archive of nothing but a log."""
    file = path / LEAVES
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(join(leaves))
    return path


def small_sheet(rounds: int = 3, entrants: int = 8) -> Sheet:
    history, _ = random_history(
        Random(4), entrants, rounds, byes=0.0, forfeits=0.0, withdrawals=0.0, by_score=True
    )
    return sheet_of(history, system="swiss", rounds=5, tie_breaks=("buchholz", "wins"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament after three rounds of five, as TRF."""
    path = tmp_path / "cup.trf"
    sheet = small_sheet()
    path.write_text(write_trf(sheet, ranks_of(sheet, sheet.tie_breaks)))
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


# --- Pairing ------------------------------------------------------------------------------


def test_the_next_round_is_a_function_of_file_and_seed(run: Run, file: Path) -> None:
    first, again, other = (
        run("pair", file, "--seed", seed, "--output", "json").out
        for seed in (SEED, SEED, "00" * 32)
    )
    assert first == again
    drawn = json.loads(first)
    assert (drawn["round"], drawn["seed"]) == (4, SEED)
    players = sorted(name for table in drawn["tables"] for name in table["players"])
    assert players == sorted(small_sheet().names)
    assert json.loads(other)["seed"] == "00" * 32


def test_a_drawn_seed_is_told_and_repeats_the_round(run: Run, file: Path) -> None:
    drawn = json.loads(run("pair", file, "--output", "json").out)
    again = run("pair", file, "--seed", drawn["seed"], "--output", "json").out
    assert json.loads(again) == drawn


def test_who_is_away_is_not_paired(run: Run, file: Path) -> None:
    sheet = read_trf(file.read_text())
    third = sheet.names[sheet.history.order[2]]
    with file.open("a") as text:
        text.write("XXZ 1\n240 H   4    2\n")
    drawn = json.loads(
        run("pair", file, "--seed", SEED, "--absent", "BOT-7", "--output", "json").out
    )
    first, second = (sheet.names[entrant] for entrant in sheet.history.order[:2])
    playing = {name for table in drawn["tables"] for name in table["players"]}
    byes = {bye["player"]: (bye["kind"], bye["points"]) for bye in drawn["byes"]}
    assert {first, second, "bot-7"}.isdisjoint(playing)
    assert byes[second] == ("requested", 0.5)
    assert byes["bot-7"] == ("absent", 0)
    assert first not in byes
    assert len(playing) == 4
    assert third in playing | set(byes)


def test_a_paired_round_is_written_for_the_next_program(
    run: Run, file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "next.trf"
    ran = run("pair", file, "--seed", SEED, "--write", target)
    assert f"written to {target}" in ran.out
    sheet = read_trf(target.read_text())
    assert sheet.history.rounds[:3] == small_sheet().history.rounds
    assert len(sheet.history.rounds[3].tables) == 4
    assert not sheet.history.finished
    ran = run("pair", target)
    assert (ran.code, ran.err) == (
        2,
        "aboveboard: round 4 is not over: r4-b1 has no result\n",
    )


def test_a_plan_that_a_file_does_not_have_can_be_said(run: Run, file: Path) -> None:
    def players(*args: object) -> list[set[str]]:
        out = run("pair", file, "--seed", SEED, "--output", "json", *args).out
        return [set(table["players"]) for table in json.loads(out)["tables"]]

    near, far = (players("--system", "ladder", "--rounds", 9, "--reach", n) for n in (1, 2))
    assert near != far
    sheet = read_trf(file.read_text())
    top = {sheet.names[entrant] for entrant in sheet.history.order[:4]}
    league = players("--system", "league", "--divisions", "4,4", "--legs", 2)
    assert {len(pair & top) for pair in league} == {0, 2}


def test_who_is_left_alone_cannot_be_paired(run: Run, file: Path) -> None:
    away = [arg for number in range(1, 8) for arg in ("--absent", number)]
    ran = run("pair", file, *away)
    assert (ran.code, ran.err) == (
        2,
        "aboveboard: there is no round 4: 1 of the entrants can play in it\n",
    )


def test_a_round_without_results_is_not_told_as_played(
    run: Run, file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "next.json"
    run("pair", file, "--seed", SEED, "--write", target)
    assert run("standings", file).out.startswith("Cup after 3 rounds\n")
    assert run("standings", target).out.startswith("Cup in round 4, which is not over\n")


def test_forfeits_count_as_played_where_the_system_fixed_all_pairings(
    run: Run, tmp_path: Path
) -> None:
    drawn = Round(1, (Table("r1-b1", (0, 1), (2, 0), forfeits=frozenset({1})),))
    path = tmp_path / "all.json"
    path.write_text(
        write_json(
            sheet_of(History(2, 2, (0, 1), (drawn,)), system="gauntlet", tie_breaks=("buchholz",))
        )
    )

    def buchholz(*args: str) -> list[float]:
        rows = json.loads(run("standings", path, "--output", "json", *args).out)["standings"]
        return [row["tie_breaks"]["buchholz"] for row in rows]

    assert buchholz() == buchholz("--predetermined") == [0, 1]
    assert buchholz("--not-predetermined") != [0, 1]


def test_a_pairing_by_hand_stands_as_it_is_given(run: Run, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "next.json"
    run("pair", file, "--by-hand", "bot-6", "bot-1", "--write", target, "--seed", SEED)
    tables = read_json(target.read_text()).history.rounds[3].tables
    assert [table.entrants for table in tables if table.by_hand] == [(6, 1)]
    assert len(tables) == 4


def test_the_next_round_of_an_archive_is_its_servers_affair(run: Run, folder: Path) -> None:
    ran = run("pair", folder)
    assert ran.code == 2
    assert ran.err.endswith("is an archive, whose next round is drawn by its server\n")


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("--seed", "12"), "--seed must be 64 hex digits"),
        (("--rounds", "3"), "there is no round 4: 3 are planned; --rounds plans more"),
        (("--legs", "2"), "--legs means nothing to swiss; it is for round-robin, gauntlet, league"),
        (("--system", "league", "--reach", "2"), "--reach means nothing to league; it is for lad"),
        (("--system", "ladder", "--accelerated", "1"), "--accelerated means nothing to ladder"),
        (("--system", "league"), "league cannot have 0 divisions; --divisions says them"),
        (("--divisions", "4,4"), "--divisions means nothing to swiss; it is for league"),
        (("--system", "league", "--divisions", "1,7"), "Invalid value for '--divisions': a divis"),
        (("--system", "chess"), "there is no system 'chess'; there are swiss, swiss-tables, "),
        (("--system", "swiss-tables"), "swiss-tables cannot have tables of 2 seats"),
        (("--absent", "nobody"), "there is no entrant 'nobody'; a start number will do as well"),
        (("--by-hand", "bot-1", "BOT-1"), "bot-1 has two places by hand"),
        (
            ("--by-hand", "bot-1", "bot-2", "--absent", "bot-2"),
            "bot-2 has a place by hand and is away",
        ),
        (("--write", "x.txt"), "x.txt does not end in .trf, .csv or .json"),
    ],
)
def test_what_cannot_be_paired_is_refused_in_one_line(
    run: Run, file: Path, args: tuple[str, ...], line: str
) -> None:
    ran = run("pair", file, *args)
    assert ran.code == 2
    assert ran.err.startswith(f"aboveboard: {line}")
    assert ran.err.count("\n") == 1


def test_a_round_that_is_not_decided_comes_before_the_next(run: Run, file: Path) -> None:
    sheet = small_sheet()
    *before, last = sheet.history.rounds
    last = replace(last, tables=(replace(last.tables[0], units=None), *last.tables[1:]))
    history = replace(sheet.history, rounds=(*before, last))
    file.write_text(write_json(replace(sheet, history=history)))
    line = f"round 3 is not over: {last.tables[0].name} has no result"
    assert run("pair", file) == (2, "", f"aboveboard: {line}\n")


def test_a_table_by_hand_has_as_many_seats_as_the_system(run: Run, file: Path) -> None:
    file.write_text(write_json(replace(small_sheet(), fixed=((0, 1, 2),))))
    line = "swiss cannot go on from there: a table made by hand has 3 seats, not 2"
    assert run("pair", file) == (2, "", f"aboveboard: {line}\n")


def test_records_that_would_bind_a_pairing_stop_it(run: Run, file: Path) -> None:
    with file.open("a") as text:
        text.write("260   1   9    1    2\n")
    ran = run("pair", file)
    assert ran.code == 2
    assert "has records 260, which would bind this round and are not heeded" in ran.err
    assert run("pair", file, "--anyway").code == 0
