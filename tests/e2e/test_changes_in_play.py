"""Rulings, withdrawals and keys that change while a round is being played, as people type them."""

import json
import os
import time
from pathlib import Path

from aboveboard_referee.fairplay.certificate import ENTRANT, certify_key
from tests.e2e.conftest import PLAYERS
from tests.e2e.serving import bot, join, new_key, results, serve, toml, write_tournament
from tests.fakes.keys import key
from tests.fakes.processes import Process, Processes

CLUB = key("club").public
LINGERS = "cleo"


def certify(processes: Processes) -> None:
    """Every player's key acts for one long-term key, which is their club's."""
    new_key(processes.folder, "club")
    for name in PLAYERS:
        new_key(processes.folder, name)
    first, *others = PLAYERS
    words = ("key", "certify", f"{first}.key", f"{first}.cert", "--by", "club.key")
    ended = processes.run(*words)
    assert (ended.code, ended.err) == (0, ""), str(ended)
    assert CLUB.fingerprint() in ended.out
    later = time.time_ns() // 1_000 + 3_600_000_000
    for name in others:  # in the same way, without a process
        path = processes.folder / f"{name}.cert"
        path.write_bytes(certify_key(key("club"), key(name).public, ENTRANT, later))


def enter(processes: Processes, address: str, name: str) -> Process:
    played = bot("gated", "Lingers") if name == LINGERS else "random"
    words = ("--key", f"{name}.key", "--certificate", f"{name}.cert")
    return join(processes, address, played, name, *words)


def said(processes: Processes, *words: object) -> str:
    """The only line that a command has to say."""
    ended = processes.run(*words)
    assert (ended.code, ended.err) == (0, ""), str(ended)
    return ended.out.removesuffix("\n")


def test_what_changes_while_a_round_is_played_is_in_the_log_and_in_the_report(
    processes: Processes,
) -> None:
    certify(processes)
    os.mkfifo(processes.folder / "gate")
    games = ["nebraska:family"]
    file = write_tournament(processes.folder, games=games, rounds=2, entrants=len(PLAYERS))
    server, address = serve(processes, file)
    bots = {name: enter(processes, address, name) for name in PLAYERS}
    bots[LINGERS].line("^at the gate$")
    # The other match of the round is over by now or soon; nobody in it has more to do.
    over = server.line(r"^  (r1-b\d) +(\S+) - (\S+)  \S+ : ")
    leaves, changes = over[2], over[3]
    (under_way,) = {"r1-b1", "r1-b2"} - {over[1]}
    (revoked,) = set(PLAYERS) - {leaves, changes, LINGERS}

    organiser = processes.folder / "evening" / "organiser.key"
    text = "The clock of board 2 was read aloud; no harm was done."
    words = ("--server", address, "--key", organiser, "--match", under_way)
    assert said(processes, "rule", text, *words).startswith("ruling 1 is leaf ")
    line = said(processes, "withdraw", address, "--key", f"{leaves}.key")
    assert line.startswith(f"{leaves} plays no round from 2 on, as leaf ")
    newer = new_key(processes.folder, "newer")
    line = said(processes, "key", "rotate", f"{changes}.key", newer, address)
    assert line.startswith(f"{changes} has the key {key('newer').public.fingerprint()} from now on")
    line = said(processes, "key", "revoke", "club.key", address, "--entrant", revoked)
    assert line.startswith(f"the key of {revoked} is revoked, as leaf ")

    # Whose key was replaced is told so, and plays on with the new one.
    replaced = bots[changes].end()
    assert replaced.code == 2, str(replaced)
    assert f"this key of {changes} was replaced by another one" in replaced.err
    bots[changes] = join(processes, address, "random", changes, "--key", newer)
    (processes.folder / "gate").write_bytes(b"go on")
    ended = server.end()
    assert ended.well, str(ended)
    assert {result.match: result.played_out for result in results(ended.out)} == {
        over[1]: True,
        under_way: True,
        "r2-b1": True,
    }
    gone = bots[revoked].end()
    assert gone.code == 2, str(gone)
    assert f"this key of {revoked} was revoked" in gone.err
    for name in (leaves, changes, LINGERS):
        left = bots[name].end()
        assert left.code == 0, str(left)

    archive = processes.folder / "evening" / "archive"
    words = ("--trust", trust(processes.folder, server), "--json")
    ran = processes.run("verify", archive, *words)
    assert (ran.code, ran.err) == (0, ""), str(ran)
    notices = json.loads(ran.out)["notices"]
    assert {notice["kind"]: notice["text"] for notice in notices} == {
        "ruling": f"ruling 1 on {under_way}: {text}",
        "withdraw": f"{leaves} withdrew from round 2 on",
        "key-rotate": f"{changes} took another key, {key('newer').public.fingerprint()}",
        "key-revoke": f"the key of {revoked} was revoked",
    }
    for notice in notices:
        assert f"leaf {notice['leaf']}: {notice['text']}\n" in ended.out, "serve verifies as well"
    shown = json.loads(processes.run("show", archive, "--round", 2, "--output", "json").out)
    (pairing,) = shown["pairings"]
    assert sorted(pairing["players"]) == sorted([changes, LINGERS])
    assert shown["absent"] == [], "whoever has left is named nowhere"


def trust(folder: Path, server: Process) -> Path:
    """A file with all keys that one can know here: the club's stands for those it certified."""
    lines = [
        f"organiser = {toml(server.line(r'^organiser key ([^ ]+)')[1])}",
        f"log = {toml(server.line(r'^log key (.+)$')[1])}",
        "[entrants]",
        *(f"{name} = {toml(CLUB.raw.hex())}" for name in PLAYERS),
    ]
    path = folder / "trust.toml"
    path.write_text("\n".join(lines) + "\n")
    return path
