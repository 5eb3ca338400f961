"""Which matches every pairing of a round has, by the manifest's form."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.form import matches_each
from aboveboard_referee.tournament.matches import EACH


def matches_in_round(manifest: pb.TournamentManifest, number: int) -> list[pb.PairingMatch]:
    """The matches of each pairing of a round; none where there is only one."""
    form, games = manifest.form, [game.name for game in manifest.games]
    if manifest.order == EACH:
        rotations = 2 if manifest.table_seats == 2 else 1
        found = [
            pb.PairingMatch(
                suffix=f"{place}{'ab'[turn]}" if rotations == 2 else f"{place}",
                game=game,
                rotation=turn if rotations == 2 else place - 1,
            )
            for place, game in enumerate(games, start=1)
            for turn in range(rotations)
        ]
    else:
        game = game_of_round(manifest, number)
        each = matches_each(manifest)
        if each == 1 and not form.deciders:
            return []
        found = [
            pb.PairingMatch(suffix=f"{place}", game=game, rotation=place - 1)
            for place in range(1, each + 1)
        ]
    games_of_deciders = games if manifest.order == EACH else [game_of_round(manifest, number)]
    found += [
        pb.PairingMatch(
            suffix=f"d{place}",
            game=games_of_deciders[(place - 1) % len(games_of_deciders)],
            rotation=(len(found) + place - 1) % 2,
            decider=True,
        )
        for place in range(1, form.deciders + 1)
    ]
    return found


def game_of_round(manifest: pb.TournamentManifest, number: int) -> str:
    """The game of a round where games take turns."""
    return manifest.games[(number - 1) % len(manifest.games)].name
