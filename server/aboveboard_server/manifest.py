"""The manifest of the tournament that a file describes."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.match.terms import CHAIN_LIMIT
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.swiss_1.pairing import SYSTEM, VERSION
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys, organiser_certificate, organiser_chain


def describe(
    config: Config, keys: ServerKeys, created_us: int, salt: bytes
) -> pb.TournamentManifest:
    """What the organiser signs first; all of it follows from these.

    Raises ``WrongUse`` where the organiser's certificate does not hold at that time.
    """
    # Rounds name games, so a game that is played twice is described once.
    described = {name: game_to_wire(registry.game(name)) for name in config.games}
    manifest = pb.TournamentManifest(
        title=config.title,
        created_us=created_us,
        salt=salt,
        organiser_key=keys.organiser.public.raw,
        referees=[pb.RefereeKey(key=keys.referee.public.raw)],
        games=[described[name] for name in config.games],
        order=config.order,
        system=SYSTEM,
        system_version=VERSION,
        rounds=config.rounds,
        table_seats=2,
        tie_breaks=config.tie_breaks,
        clock=config.clock,
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        chain_length=CHAIN_LIMIT,
        entrants_max=config.entrants or 0,
        log_key=keys.log.public.raw,
        organiser_certificate=organiser_certificate(config, keys.organiser, created_us),
    )
    manifest.organiser_tip = organiser_chain(keys, manifest).tip
    return manifest


def difference(wanted: pb.TournamentManifest, fixed: pb.TournamentManifest) -> str:
    """The names of the fields in which two manifests differ; empty if they do not."""
    return ", ".join(
        field.name
        for field in fixed.DESCRIPTOR.fields
        if getattr(wanted, field.name) != getattr(fixed, field.name)
    )
