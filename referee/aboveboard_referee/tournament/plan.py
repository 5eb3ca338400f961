"""A tournament's rounds: which game, which pairings, what they are called."""

from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.fairplay.draw import pairing_seed
from aboveboard_referee.tournament.matches import EACH, ORDERS, every_game, per_pairing
from aboveboard_referee.tournament.order import initial_order
from aboveboard_referee.tournament.swiss_1.pairing import SYSTEM, VERSION, pair
from aboveboard_referee.tournament.swiss_1.record import Round
from aboveboard_referee.tournament.swiss_1.standings import TIE_BREAKS, table

MOST_MATCHES = 200
"""Most matches of a pairing: 100 games, each from either first seat."""

MOST_ATTEMPTS = 3
"""A match that the service failed so often before any entropy is a tie, and ends there."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What a round is drawn from: everybody's link, ``None`` for who sits the round out."""

    organiser_link: bytes
    links: tuple[bytes | None, ...]  # by entrant


def check_plan(manifest: pb.TournamentManifest) -> str | None:
    """What in this manifest is no plan that this release follows, in a line; or ``None``."""
    if (manifest.system, manifest.system_version) != (SYSTEM, VERSION):
        return f"pairing system {manifest.system[:40]} {manifest.system_version}"
    if not manifest.games or manifest.order not in ORDERS:
        return f"{len(manifest.games)} games in the order {manifest.order[:40]!r}"
    if per_pairing(manifest) > MOST_MATCHES:
        return f"{per_pairing(manifest)} matches a pairing"
    if manifest.table_seats != 2:
        return f"tables of {manifest.table_seats}"
    if not 1 <= manifest.rounds <= 1000:
        return f"{manifest.rounds} rounds"
    if len({game.name for game in manifest.games}) != len(
        {game.SerializeToString(deterministic=True) for game in manifest.games}
    ):
        return "one game with two sets of rules"
    roles = [manifest.organiser_key, manifest.log_key, *(r.key for r in manifest.referees)]
    if len(set(roles)) != len(roles):
        return "one key for two of organiser, log and referee"
    for name in ("salt", "organiser_tip", "log_key"):
        if len(value := getattr(manifest, name)) != HASH_BYTES:
            return f"{len(value)} bytes as {name}"
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


def pairings_after(
    manifest: pb.TournamentManifest,
    tournament: bytes,
    keys: Sequence[bytes],
    rounds: Sequence[Round],
    draw: Draw,
) -> pb.Pairings:
    """The pairings of the round after ``rounds``: one answer, the same for everybody.

    ``keys`` are the keys of all entries in Entry order. All earlier matches must have
    ended. Who has no link in the ``draw`` sits the round out.
    """
    number = len(rounds) + 1
    linked = {entrant for entrant, link in enumerate(draw.links) if link is not None}
    absent = [entrant for entrant in range(len(keys)) if entrant not in linked]
    pairs = pair(
        len(keys),
        rounds,
        pairing_seed(tournament, draw.organiser_link, draw.links, number),
        initial_order(tournament, keys),
        frozenset(absent),
        per_pairing=per_pairing(manifest),
    )
    drawn = pb.Pairings(
        tournament=tournament,
        round=number,
        pairings=[
            pb.Pairing(match=pairing_id(number, board), entrants=entrants)
            for board, entrants in enumerate(pairs.pairs, start=1)
        ],
        byes=pairs.byes,
        absent=absent,
    )
    if manifest.order == EACH:
        drawn.matches.extend(every_game(manifest.games))
    else:
        drawn.game = manifest.games[(number - 1) % len(manifest.games)].name
    return drawn


def standings_after(
    manifest: pb.TournamentManifest, entrants: int, rounds: Sequence[Round]
) -> list[pb.StandingsRow]:
    """The table after ``rounds``, as the tournament's close states it.

    Of what breaks ties it has the values, each where the manifest names it.
    """
    breaks = tuple(manifest.tie_breaks)
    return [
        pb.StandingsRow(
            entrant=row.entrant,
            rank=row.rank,
            half_points=row.half_points,
            wins=row.wins,
            matches=row.matches,
            byes=row.byes,
            buchholz=row.buchholz if "buchholz" in breaks else 0,
            direct=0 if row.direct is None else row.direct + 1,
        )
        for row in table(entrants, rounds, breaks, per_pairing(manifest))
    ]
