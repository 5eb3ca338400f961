"""An arbiter's bad day, as people type it: hold, rule, pair by hand, go on, end."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.serving import bot, join, new_key, serve, write_tournament
from tests.fakes.processes import Process, Processes

PLAYERS = ("ada", "ben", "cleo", "dan", "eve", "fay")
LINGERS = "cleo"

TABLES = """
[arbiter]
review = "1s"

[byes]
half = 1
until = 3
"""


class Arbiter:
    """Commands at a tournament that is being played, each with what it must come to."""

    def __init__(self, processes: Processes, address: str) -> None:
        self.processes = processes
        self.address = address
        organiser = processes.folder / "evening" / "organiser.key"
        self.organiser = ("--server", address, "--key", organiser)

    def says(self, *words: object) -> list[str]:
        ended = self.processes.run(*words)
        assert (ended.code, ended.err) == (0, ""), str(ended)
        return ended.out.splitlines()

    def rules(self, command: str, *words: object) -> list[str]:
        return self.says(command, *words, *self.organiser)

    def refuses(self, *words: object) -> str:
        """The one line that it is refused with."""
        ended = self.processes.run(*words)
        assert (ended.code, ended.out) == (2, ""), str(ended)
        assert ended.err.count("\n") == 1
        return ended.err


def enter(processes: Processes, address: str, name: str) -> Process:
    played = bot("gated", "LingersOften") if name == LINGERS else "random"
    new_key(processes.folder, name)
    return join(processes, address, played, name, "--key", f"{name}.key")


def paired(server: Process, board: str) -> tuple[str, str]:
    found = server.line(rf"^  {board} +(\S+) - (\S+)$")
    return found[1], found[2]


@pytest.mark.slow
def test_an_arbiter_holds_rules_pairs_by_hand_and_ends(processes: Processes) -> None:
    os.mkfifo(processes.folder / "gate")
    gate, hold = processes.folder / "gate", processes.folder / "hold"
    hold.touch()
    file = write_tournament(processes.folder, rounds=3, entrants=len(PLAYERS))
    file.write_text(file.read_text() + TABLES)
    server, address = serve(processes, file)
    bots = {name: enter(processes, address, name) for name in PLAYERS}
    bots[LINGERS].line("^at the gate 1$")
    arbiter = Arbiter(processes, address)
    told = arbiter.rules("pause", "I look at board 2")
    assert told[1] == "no table is made and no round drawn until aboveboard resume"
    hold.unlink()
    gate.write_bytes(b"go on")
    server.line("^The table of round 1 is held for 1 s$")

    pairs = [paired(server, f"r1-b{board}") for board in (1, 2, 3)]
    (first, second), *_ = [pair for pair in pairs if LINGERS not in pair]
    match = f"r1-b{pairs.index((first, second)) + 1}"
    played = server.line(rf"^  {match} +\S+ - \S+  (\S+) : (\S+)  \(")
    other = {"1": "0:1", "0": "1:0"}.get(played[1], "1:0")
    told = arbiter.rules("rule", "The clock ran wrong.", "--match", match, "--result", other)
    assert told[0].startswith("ruling 2 is leaf ")
    assert told[1] == "the table of round 1 so far:"
    assert {line.split(":")[0].strip() for line in told[2:]} >= {first, second}

    (met,) = [{*pair} - {LINGERS} for pair in pairs if LINGERS in pair]
    sits = met.pop()
    out, beside = (name for name in PLAYERS if name not in (LINGERS, first, second, sits))
    assert arbiter.rules("rule", "As promised.", "--pair", f"{LINGERS},{beside}")[1] == (
        f"round 2 will have {LINGERS} - {beside}, if all of them are there"
    )
    (line,) = arbiter.says("bye", address, "--key", f"{sits}.key")
    assert line.startswith(f"{sits} sits round 2 out for half a point, as leaf ")
    told = arbiter.rules("rule", "Two accounts.", "--disqualify", out)
    assert told[-1].endswith(", disqualified")
    wrong(arbiter, match, first)

    hold.touch()
    arbiter.rules("resume")
    server.line(rf"^  r2-b\d +{LINGERS} - {beside}  \(by hand\)$")
    bots[LINGERS].line("^at the gate 2$")
    assert arbiter.rules("end", "The hall closes.")[1] == "round 2 is the last one"
    hold.unlink()
    gate.write_bytes(b"go on")
    ended = server.end()
    assert ended.well, str(ended)
    assert "verdict: good, everything agrees" in ended.out
    for process in bots.values():
        assert process.end().code == 0
    looked_at(processes, (first, second, match), (sits, out, beside))


def wrong(arbiter: Arbiter, match: str, seated: str) -> None:
    """What is refused leaves the log as it is."""
    processes, address = arbiter.processes, arbiter.address
    before = processes.run("log", address).out
    new_key(processes.folder, "stranger")
    key = ("--key", "stranger.key")
    assert "nobody plays there with the key" in arbiter.refuses("withdraw", address, *key)
    own = ("--key", f"{seated}.key")
    assert "a return of somebody who has withdrawn" in arbiter.refuses("return", address, *own)
    assert "or later; found round 1, which is fixed" in arbiter.refuses(
        "bye", address, *own, "--round", 1
    )
    rule = ("rule", "So be it.", *arbiter.organiser)
    for words, why in (
        (("--match", "r9-b9", "--result", "1:0"), "there is no match r9-b9"),
        (("--match", match, "--result", "1:1"), "a point in all at most; found 1 : 1"),
        (("--round", 2), "--round comes with --pair"),
        (
            ("--pair", f"{seated},{seated}"),
            f"everybody at one table once; found {seated} twice at one",
        ),
        (("--pair", f"{seated},cleo", "--disqualify", seated), "a ruling changes one thing"),
    ):
        assert why in arbiter.refuses(*rule, *words)
    assert "found one that is paused already" in arbiter.refuses("pause", *arbiter.organiser)
    not_mine = ("--server", address, *key)
    line = arbiter.refuses("rule", "Mine.", *not_mine, "--disqualify", seated)
    assert "organiser" in line or "refuses" in line
    after = processes.run("log", address).out
    assert re.findall(r"\d+ leaves", after) == re.findall(r"\d+ leaves", before)


def looked_at(
    processes: Processes, ruled: tuple[str, str, str], names: tuple[str, str, str]
) -> None:
    """The archive verifies, and show and explain say what happened."""
    archive = processes.folder / "evening" / "archive"
    verified = processes.run("verify", archive, "--json")
    notices = [notice["text"] for notice in json.loads(verified.out)["notices"]]
    assert [text.split(": ")[0] for text in notices if text.startswith("ruling")] == [
        "ruling 1 (paused)",
        *(text.split(": ")[0] for text in notices if text.startswith("ruling 2 on ")),
        *(text.split(": ")[0] for text in notices if text.startswith("ruling 3 ")),
        f"ruling 4 ({names[1]} is disqualified)",
        "ruling 5 (resumed)",
        "ruling 6 (no further round)",
    ]
    rounds = [shown(processes, archive, "--round", number) for number in (1, 2)]
    matches = [match for pairing in rounds[0]["pairings"] for match in pairing["matches"]]
    assert [match["match"] for match in matches if match["ruled"]] == [ruled[2]]
    sits, out, beside = names
    assert [p["players"] for p in rounds[1]["pairings"] if p["by_hand"]] == [[LINGERS, beside]]
    out_of_it = {bye["name"]: (bye["kind"], bye["points"]) for bye in rounds[1]["sitting_out"]}
    assert out_of_it == {sits: ("requested", 0.5)}
    *_, last = shown(processes, archive)["standings"]
    assert (last["name"], last["rank"], last["disqualified"]) == (out, None, True)
    told = processes.run("explain", archive, 2).out
    assert f"{LINGERS} - {beside}: by hand, as a ruling says" in told
    assert f"{out} was disqualified" in processes.run("explain", archive, 2, out).out
    assert "round 2: requested bye: 0.5" in processes.run("show", archive, "--explain", sits).out


def shown(processes: Processes, archive: Path, *words: object) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(
        processes.run("show", archive, *words, "--output", "json").out
    )
    return values
