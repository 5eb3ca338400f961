"""The rounds and tables of a tournament whose system is ``swiss`` 1."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.draw import pairing_seed
from aboveboard_referee.tournament.matches import EACH, every_game, per_pairing
from aboveboard_referee.tournament.order import initial_order
from aboveboard_referee.tournament.plan import Draw, pairing_id
from aboveboard_referee.tournament.swiss_1.pairing import pair
from aboveboard_referee.tournament.swiss_1.record import Round
from aboveboard_referee.tournament.swiss_1.standings import table


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
