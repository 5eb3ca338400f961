"""A tournament as its organiser wants it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aboveboard_client.witness.ask import WitnessAddress
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.matches import ROTATE
from aboveboard_server.config.arbiter_table import Arbiter
from aboveboard_server.config.door_tables import Limits, Tls
from aboveboard_server.config.server_log_table import ServerLog


def plain_form() -> pb.Form:
    """One match a pairing, a point for a bye, nobody suspended: as it was in ``swiss`` 1."""
    return pb.Form(bye=2)


@dataclass(frozen=True)
class Config:
    """What a tournament file says. Paths are resolved against the file's folder.

    ``rounds`` is 0 where the system plays as many as it needs. ``form`` is as the manifest
    will have it. ``review_us`` is how long each table is held back, for an arbiter to rule.
    ``flags`` are the texts, by key, that count in place of what the file says.
    """

    path: Path
    title: str
    games: tuple[str, ...]
    rounds: int
    entrants: int | None
    start_at_us: int | None
    listen: str
    state: Path
    organiser_key: Path | None
    referee_key: Path | None
    tie_breaks: tuple[str, ...]
    matches_at_once: int
    clock: pb.Clock
    order: str = ROTATE
    system: str = "swiss"
    seats: int = 2
    form: pb.Form = field(default_factory=plain_form)
    review_us: int = 0
    arbiters: tuple[Arbiter, ...] = ()
    organiser_certificate: Path | None = None
    log_key: Path | None = None
    witnesses: tuple[WitnessAddress, ...] = ()
    witness_wait_us: int = 2_000_000
    tls: Tls = field(default_factory=Tls)
    entry_tokens: Path | None = None
    limits: Limits = field(default_factory=Limits)
    house: tuple[str, ...] = ()
    server_log: ServerLog = field(default_factory=ServerLog)
    metrics: str | None = None
    flags: Mapping[str, str] = field(default_factory=dict)
