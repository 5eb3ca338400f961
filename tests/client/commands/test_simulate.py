"""``aboveboard simulate``: what a pairing system makes of strengths."""

import csv
import io
import json
from typing import Any

import pytest

from tests.fakes.command_line import Run

QUICK = ("--runs", 20, "--seed", "a")


def results(run: Run, *args: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        run("simulate", *QUICK, "--output", "json", *args).out
    )["results"]
    return found


def test_systems_are_compared_over_the_same_fields(run: Run) -> None:
    found = results(
        run, "-n", 8, "-s", "round-robin", "-s", "knockout", "-s", "swiss", "-r", 2, "-r", 4
    )
    assert [(row["system"], row["rounds"], row["matches"]) for row in found] == [
        ("round-robin", None, 28),
        ("knockout", None, 7),
        ("swiss", 2, 8),
        ("swiss", 4, 16),
    ]
    for row in found:
        assert row["runs"] == 20
        assert 0 <= row["best_wins_low"] <= row["best_wins"] <= row["best_wins_high"] <= 1
        assert row["rank_of_best_low"] <= row["rank_of_best"] <= row["rank_of_best_high"]
        assert -1 <= row["kendall_tau"] <= 1


def test_the_same_seed_gives_the_same_numbers(run: Run) -> None:
    assert results(run) == results(run)
    assert results(run) != results(run, "--seed", "b")


def test_a_seed_that_is_drawn_is_told_and_repeats(run: Run) -> None:
    first = json.loads(run("simulate", "--runs", 5, "--output", "json").out)
    again = run("simulate", "--runs", 5, "--seed", first["seed"], "--output", "json").out
    assert json.loads(again) == first


def test_a_swiss_without_a_number_of_rounds_has_that_of_a_knockout_and_twice_it(run: Run) -> None:
    assert [row["rounds"] for row in results(run, "-n", 9)] == [4, 8]


def test_given_strengths_decide_how_many_play(run: Run) -> None:
    args = ("--strengths", "9000,0,-9000,-18000", "-s", "round-robin")
    (row,) = results(run, *args)
    assert (row["best_wins"], row["rank_of_best"], row["kendall_tau"]) == (1, 1, 1)
    assert row["matches"] == 6


def test_an_option_is_for_those_of_the_systems_that_follow_it(run: Run) -> None:
    args = ("-n", 4, "-s", "round-robin", "-s", "swiss", "-r", 2, "--legs", 2)
    assert [row["matches"] for row in results(run, *args)] == [12, 4]
    assert results(run, "-n", 3, "--strengths", "1,2,3") == results(run, "--strengths", "1,2,3")


def test_tables_of_more_seats_have_a_system_of_their_own(run: Run) -> None:
    (row,) = results(run, "-n", 8, "--seats", 4, "-r", 3)
    assert (row["system"], row["matches"]) == ("swiss-tables", 6)


def test_the_table_tells_intervals(run: Run) -> None:
    lines = run("simulate", *QUICK, "-n", 4, "-s", "knockout").out.splitlines()
    assert lines[0] == "4 entrants, 20 runs, seed a"
    assert " ".join(lines[1].split()) == "system rounds best wins rank of best tau matches"
    assert lines[2].startswith("knockout       2  ")
    assert " % (" in lines[2]


def test_spreadsheets_get_a_row_a_system(run: Run) -> None:
    out = run("simulate", *QUICK, "-s", "knockout", "--output", "csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["system"], row["rounds"], row["runs"]) == ("knockout", "", "20")


def test_no_run_begins_after_the_time_allowed(run: Run) -> None:
    ran = run("simulate", "--runs", 100_000, "--at-most", "0ms", "-s", "knockout", "--seed", "a")
    assert "16 entrants, 1 run, seed a" in ran.out
    assert ran.err == "stopped after 1 of 100000 runs; --at-most allows more\n"


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("-s", "chess"), "there is no system 'chess'; there are swiss, swiss-tables, "),
        (("-s", "league"), "a league's divisions are round-robins of their own: simulate round-"),
        (("-s", "swiss", "--legs", 2), "--legs means nothing to swiss; it is for round-robin, "),
        (
            ("-s", "knockout", "-s", "ladder", "--accelerated", 1),
            "--accelerated means nothing to knockout, ladder; it is for swiss",
        ),
        (("-r", 3, "--accelerated", 4), "swiss cannot have 4 accelerated rounds of 3"),
        (("-s", "knockout", "-r", 3), "--rounds means nothing to knockout: how many there are"),
        (("-n", 8, "--strengths", "1,2,3"), "--entrants is 8, and --strengths has 3"),
        (("--sigma", 100, "--strengths", "1,2,3"), "--sigma means nothing where --strengths"),
        (("--seats", 4, "--deciders", 1), "--deciders means nothing at tables of 4"),
        (("-s", "knockout", "--seats", 4), "knockout cannot have tables of 4"),
        (("-n", 10_001), "10001 entrants are more than 10000"),
        (("--strengths", "1,x"), "Invalid value for '--strengths': must be two or more whole"),
        (("--strengths", "7"), "Invalid value for '--strengths': must be two or more whole"),
        (("--runs", 0), "Invalid value for '--runs': 0 is not in the range"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_line(
    run: Run, args: tuple[object, ...], line: str
) -> None:
    ran = run("simulate", *args)
    assert ran.code == 2
    assert ran.err.startswith(f"aboveboard: {line}")
    assert ran.err.count("\n") == 1
