"""``aboveboard pair``: the next round of a tournament that another program runs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aboveboard_referee.tournament.history import History, Round, Table
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from tests.fakes.command_line import Run
from tests.fakes.sheets import sheet_of, small_sheet

SEED = "5a" * 32


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
