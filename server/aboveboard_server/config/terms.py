"""What of a tournament's manifest its file alone says, and whether it can be played so."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.match.terms import CHAIN_LIMIT
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.form import check_form, plan_of
from aboveboard_server.config.config import Config

SYSTEMS = tuple(name for name in all_systems() if name != "swiss-tables")
"""What a file can name. A Swiss of larger tables is a system of its own for the manifest."""


def system_name(system: str, seats: int) -> str:
    """How the manifest names the system of a file."""
    return "swiss-tables" if system == "swiss" and seats > 2 else system


def terms_of(config: Config) -> pb.TournamentManifest:
    """The manifest's terms, without keys, salt and time."""
    name = system_name(config.system, config.seats)
    # Rounds name games, so a game that is played twice is described once.
    described = {name: game_to_wire(registry.game(name)) for name in config.games}
    late = config.form.late_until > 0
    return pb.TournamentManifest(
        title=config.title,
        games=[described[name] for name in config.games],
        order=config.order,
        system=name,
        system_version=all_systems()[name].version,
        rounds=config.rounds,
        table_seats=config.seats,
        tie_breaks=config.tie_breaks,
        clock=config.clock,
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        chain_length=CHAIN_LIMIT,
        # Who comes late needs a place beside those that the first round waits for.
        entrants_max=0 if late else config.entrants or 0,
        form=config.form,
        arbiters=[pb.Arbiter(name=each.name, key=each.key.raw) for each in config.arbiters],
    )


def wrong_terms(config: Config) -> str | None:
    """What keeps a tournament from being played like this, in a few words; or ``None``."""
    terms = terms_of(config)
    return check_form(terms) or all_systems()[terms.system].wrong(plan_of(terms))
