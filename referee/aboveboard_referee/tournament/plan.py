"""A tournament's rounds: which game, which pairings, what they are called."""

from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.tournament.all_systems import find_system
from aboveboard_referee.tournament.form import (
    MOST_MATCHES,
    MOST_ROUNDS,
    check_form,
    has_form,
    plan_of,
    twice_in,
)
from aboveboard_referee.tournament.ledger.entries import NAME
from aboveboard_referee.tournament.matches import ORDERS, per_pairing
from aboveboard_referee.tournament.standings.tie_breaks import TIE_BREAKS as FORM_TIE_BREAKS
from aboveboard_referee.tournament.swiss_1.pairing import SYSTEM, VERSION
from aboveboard_referee.tournament.swiss_1.standings import TIE_BREAKS

MOST_ARBITERS = 16

MOST_ATTEMPTS = 3
"""A match that the service failed so often before any entropy is a tie, and ends there."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What a round is drawn from: everybody's link, ``None`` for who sits the round out."""

    organiser_link: bytes
    links: tuple[bytes | None, ...]  # by entrant


def check_plan(manifest: pb.TournamentManifest) -> str | None:
    """What in this manifest is no plan that this release follows, in a line; or ``None``."""
    if not manifest.games or manifest.order not in ORDERS:
        return f"{counted(len(manifest.games), 'game')} in the order {manifest.order[:40]!r}"
    if len({game.name for game in manifest.games}) != len(
        {game.SerializeToString(deterministic=True) for game in manifest.games}
    ):
        return "one game with two sets of rules"
    roles = [manifest.organiser_key, manifest.log_key, *(r.key for r in manifest.referees)]
    roles += [arbiter.key for arbiter in manifest.arbiters]
    if len(set(roles)) != len(roles):
        return "one key for two of organiser, log, referee and arbiter"
    if wrong := _check_arbiters(manifest):
        return wrong
    for name in ("salt", "organiser_tip", "log_key"):
        if len(value := getattr(manifest, name)) != HASH_BYTES:
            return f"{counted(len(value), 'byte')} as {name}"
    return _check_system(manifest) if has_form(manifest) else _check_swiss_1(manifest)


def _check_arbiters(manifest: pb.TournamentManifest) -> str | None:
    names = [arbiter.name for arbiter in manifest.arbiters]
    if names and not has_form(manifest):
        return "arbiters in this system"
    if len(names) > MOST_ARBITERS:
        return f"{len(names)} arbiters"
    if strange := [name for name in names if not NAME.fullmatch(name)]:
        return f"an arbiter called {strange[0][:40]!r}"
    if twice := twice_in(names):
        return f"two arbiters called {twice}"
    return None


def _check_system(manifest: pb.TournamentManifest) -> str | None:
    system = find_system(manifest.system, manifest.system_version)
    if system is None:
        return f"pairing system {manifest.system[:40]} {manifest.system_version}"
    if wrong := check_form(manifest):
        return wrong
    if manifest.rounds > MOST_ROUNDS:
        return f"{counted(manifest.rounds, 'round')}"
    breaks = list(manifest.tie_breaks)
    if strange := [name for name in breaks if name not in FORM_TIE_BREAKS]:
        return f"the tie-break {strange[0][:40]}"
    if twice := twice_in(breaks):
        return f"the tie-break {twice} twice"
    return system.wrong(plan_of(manifest))


def _check_swiss_1(manifest: pb.TournamentManifest) -> str | None:
    if (manifest.system, manifest.system_version) != (SYSTEM, VERSION):
        return f"pairing system {manifest.system[:40]} {manifest.system_version}"
    if per_pairing(manifest) > MOST_MATCHES:
        return f"{per_pairing(manifest)} matches a pairing"
    if manifest.table_seats != 2:
        return f"tables of {manifest.table_seats}"
    if not 1 <= manifest.rounds <= 1000:
        return f"{counted(manifest.rounds, 'round')}"
    breaks = list(manifest.tie_breaks)
    if not set(breaks) <= TIE_BREAKS or len(set(breaks)) != len(breaks):
        return f"the tie-breaks {', '.join(breaks)[:80]}"
    return None


def game_named(manifest: pb.TournamentManifest, name: str) -> pb.Game:
    """A game of the manifest with its rules; ``check_plan`` lets no name have two."""
    return next(game for game in manifest.games if game.name == name)


def pairing_id(round_number: int, board: int) -> str:
    """What the pairing on a board (from 1) of a round (from 1) is called."""
    return f"r{round_number}-b{board}"
