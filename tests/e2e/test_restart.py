"""A server that was stopped or killed goes on where it was, from its state folder alone."""

import json
import shutil
import signal
from pathlib import Path

import pytest

from tests.e2e.conftest import PLAYERS, Finished
from tests.e2e.serving import bot, files, new_key, results, serve, write_tournament
from tests.fakes.ports import free_port
from tests.fakes.processes import Process, Processes

GATED = bot("gated", "Waits")


def start_bot(processes: Processes, address: str, name: str) -> Process:
    """A bot with a key file of its own; ``cleo`` waits at the gate if there is one."""
    bot = GATED if name == "cleo" else "random"
    return processes.aboveboard("join", address, bot, "--name", name, "--key", f"{name}.key")


def enter(processes: Processes, address: str, *names: str) -> list[Process]:
    """Such bots, one after another, when each has entered."""
    bots = []
    for name in names:
        bots.append(start_bot(processes, address, name))
        bots[-1].line("^entered ")
    return bots


@pytest.fixture
def gate(processes: Processes) -> Path:
    for name in PLAYERS:
        new_key(processes.folder, name)
    path = processes.folder / "gate"
    path.touch()
    return path


def test_killed_in_mid_round_it_keeps_results_and_goes_on_with_what_was_under_way(
    processes: Processes, gate: Path
) -> None:
    listen = f"127.0.0.1:{free_port()}"
    file = write_tournament(processes.folder, rounds=2, entrants=4, listen=listen)
    server, address = serve(processes, file)
    bots = dict(zip(PLAYERS, enter(processes, address, *PLAYERS), strict=True))
    bots["cleo"].line("^at the gate$")
    server.line(r"^  r1-b\d .* : ")
    server.send(signal.SIGKILL)
    (played,) = results(server.end().out)
    assert "cleo" not in played.players

    gate.unlink()
    bots["cleo"].kill()
    server, address = serve(processes, file)
    (bots["cleo"],) = enter(processes, address, "cleo")
    ended = server.end()
    assert ended.well, str(ended)
    assert [bot.end().code for bot in bots.values()] == [0] * 4
    assert "has entered" not in ended.out
    open_one = "r1-b2" if played.match == "r1-b1" else "r1-b1"
    assert f"{open_one} goes on from where it was" in ended.out
    assert [result.match for result in results(ended.out)] == [open_one, "r2-b1", "r2-b2"]
    assert ended.out.endswith("verdict: good, everything agrees\n")

    shown = processes.run("show", "evening/archive", "--round", 1, "--output", "json")
    pairings = json.loads(shown.out)["pairings"]
    rows = {match["match"]: match for pairing in pairings for match in pairing["matches"]}
    assert [row["end"] for row in rows.values()] == ["played-out"] * 2
    assert rows[played.match]["players"] == list(played.players)
    assert rows[played.match]["score"] == [int(score) for score in played.what.split(" : ")]


def test_stopped_by_a_signal_it_says_how_to_go_on_and_does(
    processes: Processes, gate: Path
) -> None:
    listen = f"127.0.0.1:{free_port()}"
    file = write_tournament(processes.folder, rounds=2, entrants=2, listen=listen)
    server, address = serve(processes, file)
    (cleo,) = enter(processes, address, "cleo")
    server.send(signal.SIGINT)
    ended = server.end()
    assert (ended.code, ended.err) == (130, "stopped; go on with: aboveboard serve evening.toml\n")

    server, address = serve(processes, file)
    (ben,) = enter(processes, address, "ben")
    cleo.line("^at the gate$")
    server.send(signal.SIGTERM)
    ended = server.end()
    assert (ended.code, ended.err) == (143, "stopped; go on with: aboveboard serve evening.toml\n")
    assert "ben has entered (2 of 2)" in ended.out
    assert "cleo has entered" not in ended.out

    gate.unlink()
    cleo.kill()
    server, address = serve(processes, file)
    (cleo,) = enter(processes, address, "cleo")
    ended = server.end()
    assert ended.well, str(ended)
    assert [result.played_out for result in results(ended.out)] == [True, True]
    assert [ben.end().code, cleo.end().code] == [0, 0]
    assert ended.out.endswith("verdict: good, everything agrees\n")


def test_a_bot_that_comes_back_with_its_key_plays_the_next_round(
    processes: Processes, gate: Path
) -> None:
    file = write_tournament(processes.folder, rounds=2, entrants=2, limits={"grace": "0s"})
    server, address = serve(processes, file)
    ben, cleo = enter(processes, address, "ben", "cleo")
    cleo.line("^at the gate$")
    gate.unlink()
    cleo.kill()
    (cleo,) = enter(processes, address, "cleo")
    ended = server.end()
    assert ended.well, str(ended)
    first, second = results(ended.out)
    assert first.what == "cleo: disconnected"
    assert second.played_out
    assert [ben.end().code, cleo.end().code] == [0, 0]
    assert ended.out.endswith("verdict: good, everything agrees\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        r"^ben has entered",
        r"^cleo has entered",
        r"^Round 1:",
        r"^  r1-b1 .* : ",
        r"^Round 2:",
        r"^  r2-b1 .* : ",
        r"^rank ",
        r"^archive: ",
    ],
)
def test_killed_at_whatever_line_it_comes_to_the_end_after_all(
    processes: Processes, gate: Path, line: str
) -> None:
    gate.unlink()
    names = ("ada", "ben", "cleo")
    file = write_tournament(
        processes.folder, games=("allegra", "nebraska:poker"), rounds=2, entrants=len(names)
    )
    server, address = serve(processes, file)
    bots = [start_bot(processes, address, name) for name in names]
    server.line(line)
    before = results(server.kill().out)
    for each in bots:
        each.kill()
    server = processes.aboveboard("serve", file.name)
    # Only then are there bots to come back where the tournament has not ended.
    if server.line("^listening on (.+);|^this tournament has ended")[1]:
        address = server.line("^listening on (.+);")[1]
        bots = [start_bot(processes, address, name) for name in names]
    ended = server.end()
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    # What was told once is not played again.
    assert not {each.match for each in before} & {each.match for each in results(ended.out)}


@pytest.mark.parametrize("archive_is_there", [True, False])
def test_served_again_a_finished_tournament_writes_the_same_archive(
    finished: Finished, processes: Processes, archive_is_there: bool
) -> None:
    state = shutil.copytree(finished.state, processes.folder / "evening")
    shutil.copy(finished.folder / "evening.toml", processes.folder)
    before = files(state / "archive")
    if not archive_is_there:
        shutil.rmtree(state / "archive")
    ended = processes.run("serve", "evening.toml")
    assert (ended.code, ended.err) == (0, "")
    assert "this tournament has ended; its archive is written anew" in ended.out
    assert "listening" not in ended.out
    assert files(state / "archive") == before
