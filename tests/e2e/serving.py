"""A tournament as people run it: a file, `serve`, and a `join` for each bot."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.message import Message

from aboveboard_client.keys.keyfile import save_key
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES
from tests.fakes.keys import key
from tests.fakes.processes import Process, Processes

BOTS = Path(__file__).parent / "bots"
"""Where the bots lie that are started as ``file:Class``."""

SHORT_GAMES = ("cribbage", "nebraska:family", "allegra")

LIMITS = {"move": "60s", "match": "10m", "protocol": "60s", "start": "60s", "grace": "1s"}
"""So long that no test ever waits for one, unless it says otherwise; but who is gone for
good is missed soon."""


def write_tournament(
    folder: Path,
    *,
    games: Sequence[str] = ("cribbage",),
    rounds: int | None = 1,
    listen: str = "127.0.0.1:0",
    name: str = "evening",
    limits: Mapping[str, str] | None = None,
    log: Mapping[str, Any] | None = None,
    **keys: Any,
) -> Path:
    """Write ``name``.toml, whose state folder is ``name``; further keys as they are called."""
    values = {"games": list(games), "rounds": rounds, "listen": listen, "state": name, **keys}
    lines = [f"{key} = {toml(value)}" for key, value in values.items() if value is not None]
    lines += ["", "[clock]"]
    lines += [f"{key} = {toml(value)}" for key, value in {**LIMITS, **(limits or {})}.items()]
    lines += ["", "[log]"]
    lines += [f"{key} = {toml(value)}" for key, value in (log or {}).items()]
    file = folder / f"{name}.toml"
    file.write_text("\n".join(lines) + "\n")
    return file


def toml(value: Any) -> str:
    """A text, number or list of them, which TOML writes as JSON does; else its own text."""
    return json.dumps(value) if isinstance(value, str | int | list) else str(value)


def serve(processes: Processes, file: Path, *options: str) -> tuple[Process, str]:
    """Start `serve` and wait until it listens; the process and its address."""
    server = processes.aboveboard("serve", file.name, *options)
    return server, server.line(r"^listening on (\S+);")[1]


def join(processes: Processes, address: str, bot: str, name: str, *options: object) -> Process:
    """Start `join` and wait until the bot has entered."""
    process = processes.aboveboard("join", address, bot, "--name", name, *options)
    process.line("^entered ")
    return process


def bot(file: str, class_name: str) -> str:
    """One of the tests' own bots, as `join` wants it."""
    return f"{BOTS / file}.py:{class_name}"


def new_key(folder: Path, name: str) -> Path:
    """A key file ``name``.key, the same key whenever the name is."""
    path = folder / f"{name}.key"
    save_key(path, key(name))
    return path


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their content; empty if there is no such folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def leaves(archive: Path) -> list[tuple[str, Any]]:
    """An archive's log, as the kind of each leaf with its body."""
    records = split((archive / LEAVES).read_bytes(), LEAF_LIMIT)
    found = []
    for record in records:
        signed = parse_signed(record, LEAF_LIMIT)
        kind = signed.type.split("/")[1]
        body = _MESSAGES[kind].FromString(signed.body)
        found.append((kind, body))
    return found


_MESSAGES: dict[str, type[Message]] = {
    "tournament-manifest": pb.TournamentManifest,
    "entry": pb.Entry,
    "entries-closed": pb.EntriesClosed,
    "late-entry": pb.LateEntry,
    "withdraw": pb.Withdraw,
    "return": pb.Return,
    "bye-request": pb.ByeRequest,
    "key-rotate": pb.KeyRotate,
    "key-revoke": pb.KeyRevoke,
    "referee-added": pb.RefereeAdded,
    "draw-reveal": pb.DrawReveal,
    "pairings": pb.Pairings,
    "match-open": pb.MatchOpen,
    "match-close": pb.MatchClose,
    "standings": pb.Standings,
    "tournament-close": pb.TournamentClose,
    "ruling": pb.Ruling,
    "objection": pb.Objection,
}


class Result(NamedTuple):
    """A match as the organiser is told of it; ``what`` is its score or who failed how."""

    match: str
    players: tuple[str, str]
    points: tuple[str, str]
    what: str

    @property
    def played_out(self) -> bool:
        return re.fullmatch(r"-?\d+ : -?\d+", self.what) is not None


def results(out: str) -> list[Result]:
    """All matches that `serve` told of, by their names."""
    told = re.findall(r"^  (r\d+-b\d+) +(\S+) - (\S+)  (\S+) : (\S+)  \((.+)\)$", out, re.M)
    return sorted(
        Result(match, (first, second), (one, other), what)
        for match, first, second, one, other, what in told
    )
