"""``aboveboard ratings``: what an archive's results say about strength."""

import csv
import io
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.measuring.luck_pool import lucks
from aboveboard_client.measuring.played import (
    PlayedTournament,
    played_tournament,
    points_by_seat,
)
from aboveboard_client.measuring.rating_table import (
    game_lines,
    header,
    ratings_of,
    samples_of,
    values_of,
)
from aboveboard_referee.tournament.ratings.plackett_luce import rate
from aboveboard_referee.tournament.results import Result
from aboveboard_referee.verify.archive import LEAVES
from tests.fakes.archive import Archive
from tests.fakes.command_line import Run


@pytest.fixture(scope="module")
def played(archive: Archive) -> PlayedTournament:
    return played_tournament(archive.files)


@pytest.fixture(scope="module")
def measured(archive: Archive, played: PlayedTournament) -> list[tuple[float, ...]]:
    transcripts = ((match.file, archive.files[match.file]) for match in played.matches)
    return list(lucks(transcripts, 1, 1))


def rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


# --- What is read ----------------------------------------------------------------------------


def test_every_match_with_a_result_is_a_contest_in_canonical_order(
    played: PlayedTournament, archive: Archive
) -> None:
    places = [contest.place for contest in played.contests]
    assert places == sorted(places)
    assert {match.file for match in played.matches} == set(archive.transcripts)


def test_points_are_the_tables_and_byes_are_what_no_match_gave(
    played: PlayedTournament, archive: Archive
) -> None:
    assert played.points == tuple(
        (row.units or row.half_points) / 2
        for row in sorted(archive.standings, key=lambda row: row.entrant)
    )
    byes = [row.byes for row in sorted(archive.standings, key=lambda row: row.entrant)]
    assert played.fixed == pytest.approx(byes)


def test_entrants_the_organiser_brought_are_house_bots(
    played: PlayedTournament, archive: Archive
) -> None:
    ledger = archive.ledger_before(len(archive.leaves))
    assert played.house == {i for i, member in enumerate(ledger.field) if member.entry.house}
    assert played.names == ledger.field.names


def test_seats_of_a_pair_gain_what_the_match_gave_even_if_both_failed() -> None:
    sides = ((0,), (1,))
    assert points_by_seat(Result((2, 0), (1, 2), frozenset()), sides) == (1, 0)
    assert points_by_seat(Result((0, 0), (2, 3), frozenset({0, 1})), sides) == (0, 0)


def test_seats_of_a_larger_table_gain_by_their_places_and_nothing_by_staying_away() -> None:
    sides = ((0,), (1,), (2,))
    assert points_by_seat(Result((0, 2, 0), (2, 1, 3), frozenset()), sides) == (0.5, 1, 0)
    assert points_by_seat(Result((0, 2, 0), (2, 1, 3), frozenset({0})), sides) == (0, 1, 0)
    partners = ((0, 2), (1, 3))
    assert points_by_seat(Result((2, 0, 2, 0), (1, 2, 1, 2), frozenset()), partners) == (1, 0, 1, 0)


def test_luck_of_larger_tables_is_held_apart(played: PlayedTournament) -> None:
    match = played.matches[0]
    assert match.kind == match.game.name
    assert replace(match, entrants=(0, 1, 2)).kind == f"{match.game.name}, 3 seats"


@pytest.mark.parametrize(
    ("files", "error", "why"),
    [
        ({}, WrongUse, "not an archive"),
        ({LEAVES: b""}, WrongUse, "empty: not an archive"),
        ({LEAVES: b"\x00\x00"}, WrongUse, "cannot be read"),
        ({LEAVES: b"\x00\x00\x00\x01x"}, VerdictAgainst, "cannot be followed beyond leaf 0"),
    ],
)
def test_what_is_no_log_is_refused(
    files: Mapping[str, bytes], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        played_tournament(files)


# --- Luck ------------------------------------------------------------------------------------


def test_luck_is_measured_for_each_match_whatever_the_processes(
    archive: Archive, played: PlayedTournament, measured: list[tuple[float, ...]]
) -> None:
    transcripts = [(match.file, archive.files[match.file]) for match in played.matches[:2]]
    assert list(lucks(iter(transcripts), 1, 2)) == measured[:2]


def test_a_broken_match_is_a_verdict_with_its_file(archive: Archive) -> None:
    path, data = next(iter(archive.transcripts.items()))
    with pytest.raises(VerdictAgainst, match=f"{path} cannot be followed"):
        list(lucks([(path, _with_last_but_one_record_twice(data))], 1, 1))


def _with_last_but_one_record_twice(data: bytes) -> bytes:
    starts, at = [], 0
    while at < len(data):
        starts.append(at)
        at += 4 + int.from_bytes(data[at : at + 4], "big")
    record = data[starts[1] : starts[2]]
    return data[: starts[2]] + record + data[starts[2] :]


def test_samples_have_everybodys_own_result_and_luck(
    played: PlayedTournament, measured: list[tuple[float, ...]]
) -> None:
    groups = samples_of(played, measured)
    assert sum(map(len, groups)) == sum(len(match.entrants) for match in played.matches)
    match, by_seat = played.matches[0], measured[0]
    for seat, entrant in enumerate(match.entrants):
        sample = groups[entrant][0]
        assert sample.luck == by_seat[seat]
        assert sample.own == dict(match.contest.gained())[entrant]
        assert sample.kind == match.game.name


def test_a_match_that_was_no_contest_is_no_sample(
    played: PlayedTournament, measured: list[tuple[float, ...]]
) -> None:
    first = played.matches[0]
    nobody_came = replace(first, contest=replace(first.contest, contested=False))
    other = replace(played, matches=(nobody_came, *played.matches[1:]))
    before, after = samples_of(played, measured), samples_of(other, measured)
    assert sum(map(len, after)) == sum(map(len, before)) - len(first.entrants)


# --- The table -------------------------------------------------------------------------------


def test_everybody_is_listed_by_what_is_nearly_certain(played: PlayedTournament) -> None:
    table = ratings_of(played)
    ordinals = [row.rating.ordinal for row in table.rows]
    assert ordinals == sorted(ordinals, reverse=True)
    assert {row.name for row in table.rows} == set(played.names)
    by_name = dict(zip(played.names, rate(played.contests, len(played.names)), strict=True))
    assert all(row.rating.mu == by_name[row.name].mu for row in table.rows)


def test_house_bots_come_last_and_are_not_rated(played: PlayedTournament) -> None:
    best = ratings_of(played).rows[0].name
    house = frozenset({played.names.index(best)})
    last = ratings_of(replace(played, house=house)).rows[-1]
    assert (last.name, last.house, last.rating.rated) == (best, True, False)


def test_luck_is_shown_by_entrant_and_by_game(
    played: PlayedTournament, measured: list[tuple[float, ...]]
) -> None:
    table = ratings_of(played, measured)
    assert [game.game for game in table.games] == sorted(
        {match.game.name for match in played.matches}
    )
    assert len(game_lines(table)) == len(table.games)
    for row in table.rows:
        assert row.adjusted is not None
        assert row.adjusted.samples == row.rating.contests
    values = values_of(table)
    assert json.loads(json.dumps(values)) == values


# --- The command -----------------------------------------------------------------------------


def test_ratings_prints_a_table(run: Run, folder: Path, played: PlayedTournament) -> None:
    ran = run("ratings", folder)
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == f"{played.title}: ratings"
    assert lines[1].split() == list(header(with_luck=False))
    assert len(lines) == 2 + len(played.names)
    assert ran.err.startswith("not verified; to verify it: aboveboard verify")


def test_ratings_as_csv_and_json_say_the_same(run: Run, folder: Path) -> None:
    in_csv = rows(run("ratings", folder, "--output", "csv").out)
    in_json = json.loads(run("ratings", folder, "--output", "json").out)
    assert [row["name"] for row in in_csv] == [row["name"] for row in in_json["entrants"]]
    for row, values in zip(in_csv, in_json["entrants"], strict=True):
        assert float(row["mu"]) == values["mu"]
        assert float(row["points"]) == values["points"]
    assert in_json["games"] == []


def test_ratings_without_luck_have_its_columns(run: Run, folder: Path) -> None:
    args = ["ratings", folder, "--adjust-luck", "--replays", "1", "--jobs", "1"]
    found = json.loads(run(*args, "--output", "json").out)
    for row in found["entrants"]:
        assert row["score"] - row["adjusted"] == pytest.approx(row["luck"], abs=2e-6)
        assert row["adjusted_low"] <= row["adjusted"] <= row["adjusted_high"]
    assert {game["game"] for game in found["games"]} == {"cribbage", "nebraska:poker"}


def test_without_openskill_the_line_says_how_to_get_it(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    ran = run("ratings", folder)
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'aboveboard[ratings]'" in ran.err


def test_a_missing_transcript_is_named(run: Run, folder: Path) -> None:
    path = next((folder / "matches").iterdir())
    path.unlink()
    ran = run("ratings", folder, "--adjust-luck", "--replays", "1", "--jobs", "1")
    assert ran.code == 2
    assert f"there is no matches/{path.name}" in ran.err
    assert run("ratings", folder).code == 0


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["nowhere"], "there is no folder nowhere"),
        ([], "Missing argument"),
        (["nowhere", "--replays", "0"], "--replays"),
        (["nowhere", "--output", "xml"], "--output"),
    ],
)
def test_wrong_use_of_ratings_is_one_line(run: Run, args: list[str], why: str) -> None:
    ran = run("ratings", *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1
