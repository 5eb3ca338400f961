"""A tournament's rounds: which game, which pairings, what they are called."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.draw import pairing_seed
from aboveboard_referee.tournament.matches import EACH, ORDERS, every_game, per_pairing
from aboveboard_referee.tournament.order import initial_order
from aboveboard_referee.tournament.pairing import SYSTEM, VERSION, pair
from aboveboard_referee.tournament.record import Round
from aboveboard_referee.tournament.standings import TIE_BREAKS, table

MOST_MATCHES = 200
"""Most matches of a pairing: 100 games, each from either first seat."""

MOST_ATTEMPTS = 3
"""A match that the service failed so often before any entropy is a tie, and ends there."""


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
    if manifest.organiser_key in {referee.key for referee in manifest.referees}:
        return "one key for organiser and referee"
    if manifest.organiser_tip or manifest.log_key:
        return "a draw or a public log, which it does not know"
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
) -> pb.Pairings:
    """The pairings of the round after ``rounds``: one answer, the same for everybody.

    ``keys`` are the entry keys in Entry order. All earlier matches must have ended.
    """
    number = len(rounds) + 1
    pairs = pair(
        len(keys),
        rounds,
        # No draw in this version: the seed is fixed by public values.
        pairing_seed(tournament, None, [None] * len(keys), number),
        initial_order(tournament, keys),
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
