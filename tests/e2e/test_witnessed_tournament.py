"""A tournament whose log two witnesses co-sign, each asked in its own way, as people run it.

The organiser serves once, gives the log's key to the witnesses, and goes on with their
addresses in the tournament's file.
"""

import re
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import parse_vkey
from aboveboard_referee.verify.archive import CHECKPOINT
from tests.e2e.conftest import PLAYERS
from tests.e2e.serving import join, new_key, results, serve, toml, write_tournament
from tests.fakes.processes import Process, Processes

WAYS = {"one.example/w": "--listen", "two.example/w": "--http"}
"""The option by which each witness says how it is asked."""


@dataclass(frozen=True)
class Witnessed:
    """A tournament that waits for its entrants, and two witnesses of its log."""

    server: Process
    address: str
    witnesses: dict[str, Process]
    vkeys: tuple[str, ...]
    trust: Path

    def join(self, processes: Processes, name: str, needed: int, *words: object) -> Process:
        trusting = ("--trust", self.trust, "--witnesses-needed", needed)
        return join(processes, self.address, "random", name, *trusting, *words)


def witnessed(processes: Processes, **keys: Any) -> Witnessed:
    games = ["nebraska:family"]
    server, _ = serve(processes, write_tournament(processes.folder, games=games, **keys))
    organiser = server.line(r"^organiser key (\S+)")[1]
    log = server.line(r"^log key (\S+)$")[1]
    server.send(signal.SIGTERM)
    assert server.end().code == 128 + signal.SIGTERM

    started, lines, vkeys = {}, [], []
    for name, way in WAYS.items():
        key = new_key(processes.folder, name.partition(".")[0])
        words = ("--key", key, "--name", name, "--state", f"{key.stem}-state", "--log", log)
        started[name] = processes.aboveboard("witness", *words, way, "127.0.0.1:0")
        vkeys.append(started[name].line(r"^witness (\S+)$")[1])
        url = started[name].line(r"^listening on (\S+)$")[1]
        lines.append(f"{url} {vkeys[-1]}")
    trust = processes.folder / "trust.toml"
    trust.write_text(
        f"organiser = {toml(organiser)}\nlog = {toml(log)}\n"
        f"witnesses = {toml(vkeys)}\nwitnesses_needed = 2\n"
    )
    file = write_tournament(processes.folder, games=games, log={"witnesses": lines}, **keys)
    server, address = serve(processes, file)
    for line in lines:
        where, vkey = line.split()
        assert server.line(rf"^witness {vkey.partition('+')[0]}\+\S+ at (\S+)$")[1] == where
    return Witnessed(server, address, started, tuple(vkeys), trust)


def test_bots_and_verifiers_that_demand_both_witnesses_find_both(processes: Processes) -> None:
    cup = witnessed(processes, entrants=len(PLAYERS))
    bots = [cup.join(processes, name, 2, "--receipt", f"{name}.json") for name in PLAYERS]
    ended = cup.server.end()
    assert ended.well, str(ended)
    for name in WAYS:
        assert f"witness {name} co-signs" in ended.out
    for bot in bots:
        left = bot.end()
        assert left.well, str(left)
        assert ", 2 of 2 witnesses\n" in left.out

    archive = processes.folder / "evening" / "archive"
    keys = [parse_vkey(vkey) for vkey in cup.vkeys]
    assert set(check_cosignatures((archive / CHECKPOINT).read_bytes(), keys)) == set(WAYS)
    receipts = [word for name in PLAYERS for word in ("--receipt", f"{name}.json")]
    ran = processes.run("verify", archive, "--trust", cup.trust, *receipts)
    assert (ran.code, ran.err) == (0, ""), str(ran)
    assert "one.example/w, two.example/w co-signed; 2 needed" in ran.out
    for process in cup.witnesses.values():
        process.send(signal.SIGTERM)
        assert process.end().code == 128 + signal.SIGTERM


def test_without_one_witness_only_those_play_who_can_do_without_it(processes: Processes) -> None:
    cup = witnessed(processes, limits={"protocol": "3s", "start": "5s"})
    demanding = [cup.join(processes, name, 2) for name in PLAYERS[:2]]
    content = [cup.join(processes, PLAYERS[2], 1)]
    cup.witnesses["two.example/w"].kill()
    content.append(cup.join(processes, PLAYERS[3], 1))
    ran = processes.run("start", cup.address, "--key", "evening/organiser.key")
    assert (ran.code, ran.err) == (0, ""), str(ran)
    ended = cup.server.end()
    assert ended.well, str(ended)
    assert "witness two.example/w gives no co-signature: " in ended.out
    assert [result.played_out for result in results(ended.out)] == [True]
    for bot in content:
        left = bot.end()
        assert left.well, str(left)
    for bot in demanding:
        left = bot.end()
        assert left.code == 0, str(left)
        assert re.fullmatch(
            r"waiting for witnesses: 1 of the 2 that are needed co-signed the log of \d+ leaves\n"
            r"its last leaves are not witnessed: 1 of the 2 .* of \d+ leaves\n",
            left.err,
        ), str(left)

    archive = processes.folder / "evening" / "archive"
    ran = processes.run("verify", archive, "--trust", cup.trust)
    assert ran.code == 1
    assert "one.example/w co-signed; 2 needed" in ran.out
    cup.trust.write_text(cup.trust.read_text().replace("needed = 2", "needed = 1"))
    ran = processes.run("verify", archive, "--trust", cup.trust)
    assert (ran.code, ran.err) == (0, ""), str(ran)
