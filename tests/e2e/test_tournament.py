"""A tournament from `serve` and `join` to `verify` and `show`, as people type them."""

import json
import shutil
from pathlib import Path

import pytest

from aboveboard_referee.counted import counted
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES
from tests.e2e.conftest import PLAYERS, Finished
from tests.e2e.serving import SHORT_GAMES, files, new_key
from tests.fakes.processes import Processes

ROUNDS = len(SHORT_GAMES)


@pytest.fixture
def archive(finished: Finished, tmp_path: Path) -> Path:
    """The finished tournament's archive, for the test alone."""
    return shutil.copytree(finished.archive, tmp_path / "archive")


def test_a_tournament_is_played_to_its_table_and_its_verified_archive(finished: Finished) -> None:
    code, out, err = finished.server
    assert (code, err) == (0, "")
    lines = out.splitlines()
    for number, game in enumerate(SHORT_GAMES, start=1):
        assert f"Round {number}: {game}" in lines
    header = next(i for i, line in enumerate(lines) if line.split()[:2] == ["rank", "name"])
    rows = [line.split() for line in lines[header + 1 : header + 1 + len(PLAYERS)]]
    assert sorted(row[1] for row in rows) == sorted(PLAYERS)
    assert sum(float(row[2]) for row in rows) == ROUNDS * len(PLAYERS) / 2
    assert "archive: evening/archive" in lines
    assert lines[-1] == "verdict: good, everything agrees"
    assert any(line.startswith("organiser ") and "as you named it" in line for line in lines)


def test_every_match_is_told_with_its_result(finished: Finished) -> None:
    told = [line.split() for line in finished.server.out.splitlines() if " : " in line]
    assert sorted(words[0] for words in told) == [
        f"r{number}-b{board}" for number in (1, 2, 3) for board in (1, 2)
    ]


def test_each_bot_ends_well_and_tells_where_it_came_in(finished: Finished) -> None:
    for name in PLAYERS:
        code, out, err = finished.bots[name]
        assert (code, err) == (0, ""), name
        lines = out.splitlines()
        assert lines[0].startswith("joining 127.0.0.1:")
        assert sum("(played-out)" in line for line in lines) == ROUNDS
        assert lines[-2] == "the tournament has ended"
        assert lines[-1].startswith("rank ")


def test_bots_and_server_tell_the_same_table(finished: Finished) -> None:
    table = {}
    for row in (finished.archive / "standings.csv").read_text().splitlines()[1:]:
        rank, name, points, wins, *_ = row.split(",")
        gained = f"{counted(points, 'point')}, {counted(wins, 'win')}"
        table[name] = f"rank {rank} of {len(PLAYERS)} with {gained}"
    assert table == {name: finished.bots[name].out.splitlines()[-1] for name in PLAYERS}


def test_the_state_folder_holds_an_archive_and_nothing_half_written(finished: Finished) -> None:
    matches = {f"matches/r{n}-b{b}.1.records" for n in (1, 2, 3) for b in (1, 2)}
    log = {"log/leaves.records", "log/checkpoint", "log/checkpoints.records"}
    assert set(files(finished.archive)) == matches | log | {"standings.csv"}
    assert sorted(path.name for path in finished.state.iterdir()) == [
        "archive",
        "log.key",
        "organiser.key",
        "referee.key",
        "referee.secret",
        "server.log",
        "tournament.db",
        "tournament.db-lock",
    ]


def test_nobody_but_its_owner_reads_keys_secret_and_store(finished: Finished) -> None:
    for name in ("log.key", "organiser.key", "referee.key", "referee.secret", "tournament.db"):
        assert (finished.state / name).stat().st_mode & 0o077 == 0, name


# --- Verify --------------------------------------------------------------------------------


def test_with_the_organisers_key_the_archive_is_good(
    finished: Finished, processes: Processes
) -> None:
    _, _, key, _, fingerprint = finished.server.out.splitlines()[0].split()
    ran = processes.run("verify", finished.archive, "--organiser", key)
    assert (ran.code, ran.err) == (0, "")
    assert "4 entries, 3 rounds, 6 pairings, 6 matches," in ran.out
    assert f"{fingerprint.rstrip(')')}, as you named it" in ran.out
    assert "taken from the archive" not in ran.out


def test_without_a_key_it_is_good_and_says_that_nobody_vouches_for_it(
    finished: Finished, processes: Processes
) -> None:
    ran = processes.run("verify", finished.archive)
    assert (ran.code, ran.err) == (0, "")
    for name in ("organiser", "log", "referee 1", *PLAYERS):
        (line,) = [line for line in ran.out.splitlines() if line.startswith(f"{name} ")]
        assert line.endswith("taken from the archive")
    assert "Nobody vouches for the organiser's key" in ran.out


def test_with_the_key_of_another_organiser_it_is_bad(
    finished: Finished, processes: Processes
) -> None:
    new_key(processes.folder, "other")
    ran = processes.run("verify", finished.archive, "--organiser", "other.key")
    assert ran.code == 1
    assert "log/leaves.records, leaf 0" in ran.out
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "path",
    [
        "log/checkpoint",
        "log/checkpoints.records",
        "standings.csv",
        "matches/r1-b1.1.records",
    ],
)
def test_a_flipped_byte_is_found_where_it_is(
    finished: Finished, archive: Path, processes: Processes, path: str
) -> None:
    data = bytearray((archive / path).read_bytes())
    data[len(data) // 2] ^= 1
    (archive / path).write_bytes(data)
    ran = processes.run("verify", "archive", "--organiser", finished.state / "organiser.key")
    assert ran.code == 1
    assert path in ran.out
    assert "verdict: bad" in ran.out
    assert ran.err.startswith("aboveboard: archive does not hold: ")
    assert ran.err.count("\n") == 1


LEAF = 12

CHANGES = {
    "deleted": lambda leaves: [*leaves[:LEAF], *leaves[LEAF + 1 :]],
    "moved": lambda leaves: [*leaves[:LEAF], leaves[LEAF + 1], leaves[LEAF], *leaves[LEAF + 2 :]],
    "altered": lambda leaves: [*leaves[:LEAF], leaves[LEAF][:-1] + b"?", *leaves[LEAF + 1 :]],
    "added": lambda leaves: [*leaves, leaves[LEAF]],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_log_with_another_leaf_than_were_signed_is_bad(
    archive: Path, processes: Processes, change: str
) -> None:
    leaves = split((archive / LEAVES).read_bytes())
    (archive / LEAVES).write_bytes(join(CHANGES[change](leaves)))
    ran = processes.run("verify", "archive")
    assert ran.code == 1
    assert f"{CHECKPOINT}: expected " in ran.out
    assert "at fault: " in ran.out


def test_a_checkpoint_that_was_put_in_place_of_the_last_is_bad(
    archive: Path, processes: Processes
) -> None:
    first, *_ = split((archive / CHECKPOINTS).read_bytes())
    (archive / CHECKPOINT).write_bytes(first)
    ran = processes.run("verify", "archive")
    assert ran.code == 1
    number = len(split((archive / LEAVES).read_bytes()))
    assert f"{CHECKPOINT}: expected a checkpoint of {number} leaves" in ran.out


@pytest.mark.parametrize("path", ["log/checkpoint", "matches/r2-b2.1.records"])
def test_a_file_that_is_missing_is_named(archive: Path, processes: Processes, path: str) -> None:
    (archive / path).unlink()
    ran = processes.run("verify", "archive")
    assert ran.code == 1
    assert path in ran.out


def test_without_its_log_it_is_no_archive(archive: Path, processes: Processes) -> None:
    (archive / "log" / "leaves.records").unlink()
    for command in ("verify", "show"):
        ran = processes.run(command, "archive")
        assert (ran.code, ran.out) == (2, "")
        assert "there is no log/leaves.records: not an archive" in ran.err
        assert ran.err.count("\n") == 1


def test_a_folder_that_is_not_there_is_wrong_use(processes: Processes) -> None:
    ran = processes.run("verify", "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "aboveboard: there is no folder nowhere\n"


# --- Show ----------------------------------------------------------------------------------


def test_table_round_and_match_are_shown(finished: Finished, processes: Processes) -> None:
    started = [
        processes.aboveboard("show", finished.archive, *words)
        for words in (
            ("--output", "csv"),
            ("--round", 2, "--output", "json"),
            ("--match", "r2-b1"),
        )
    ]
    table, a_round, match = (process.end() for process in started)
    assert (table.code, table.out) == (0, (finished.archive / "standings.csv").read_text())
    assert a_round.code == 0
    pairings = json.loads(a_round.out)["pairings"]
    matches = [match for pairing in pairings for match in pairing["matches"]]
    assert [(played["match"], played["end"]) for played in matches] == [
        ("r2-b1", "played-out"),
        ("r2-b2", "played-out"),
    ]
    assert match.code == 0
    assert match.out.splitlines()[0] == " against ".join(matches[0]["players"])


def test_a_match_of_the_archive_verifies_by_itself(
    finished: Finished, processes: Processes
) -> None:
    ran = processes.run("verify", finished.archive / "matches" / "r3-b1.1.records")
    assert (ran.code, ran.err) == (0, "")
    assert "verdict: good, everything agrees" in ran.out
