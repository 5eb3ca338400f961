"""The manifest of the tournament that a file describes."""

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.all_systems import find_system
from aboveboard_referee.tournament.form import has_form, plan_of
from aboveboard_referee.tournament.standings.tie_breaks import DEFAULT_TIE_BREAKS
from aboveboard_referee.tournament.swiss_1 import pairing as swiss_1
from aboveboard_referee.tournament.swiss_1.standings import DEFAULT_TIE_BREAKS as SWISS_1_TIE_BREAKS
from aboveboard_referee.tournament.systems.small_fields import is_round_robin, meet_all
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize
from aboveboard_server.config import Config
from aboveboard_server.config.config import plain_form
from aboveboard_server.config.terms import terms_of
from aboveboard_server.keys import ServerKeys, organiser_certificate, organiser_chain


def describe(
    config: Config, keys: ServerKeys, created_us: int, salt: bytes
) -> pb.TournamentManifest:
    """What the organiser signs first; all of it follows from these.

    Raises ``WrongUse`` where the organiser's certificate does not hold at that time, or an
    arbiter has a key of the server's.
    """
    manifest = terms_of(config)
    manifest.created_us = created_us
    manifest.salt = salt
    manifest.organiser_key = keys.organiser.public.raw
    manifest.referees.add(key=keys.referee.public.raw)
    manifest.log_key = keys.log.public.raw
    manifest.organiser_certificate = organiser_certificate(config, keys.organiser, created_us)
    manifest.organiser_tip = organiser_chain(keys, manifest).tip
    _refuse_second_roles(config, manifest)
    return manifest


def _refuse_second_roles(config: Config, manifest: pb.TournamentManifest) -> None:
    roles = {manifest.organiser_key: "organiser", manifest.log_key: "log"}
    roles |= {referee.key: "referee" for referee in manifest.referees}
    for arbiter in config.arbiters:
        if (role := roles.get(arbiter.key.raw)) is not None:
            raise WrongUse(
                f"{config.path}: the arbiter {arbiter.name} has the {role}'s key;"
                " one key has one role"
            )


def schedule_note(manifest: pb.TournamentManifest, entrants: int) -> str | None:
    """What to tell of a Swiss in which so many entrants follow a schedule; or ``None``."""
    if manifest.system != SwissOfAnySize.name or not has_form(manifest):
        return None
    plan = plan_of(manifest)
    if not is_round_robin(plan, entrants):
        return None
    rounds = counted(plan.rounds, "round")
    if meet_all(plan, entrants):
        return (
            f"{entrants} entrants can all meet each other in {rounds}:"
            " they are paired by a round-robin schedule"
        )
    return (
        f"{entrants} entrants in {rounds} are paired by a round-robin schedule: nobody meets"
        f" anybody twice, and not everybody meets everybody, for which it takes {entrants} rounds"
    )


def as_fixed(wanted: pb.TournamentManifest, fixed: pb.TournamentManifest) -> pb.TournamentManifest:
    """The manifest that is wanted, told in the version of its system that the fixed one is of.

    None of an older version is begun any more, but one that is under way is played to its
    end. Only a plain Swiss can be told as ``swiss`` 1, which had no form; where the file says
    more, the manifests differ.
    """
    told = pb.TournamentManifest()
    told.CopyFrom(wanted)
    if has_form(fixed):
        if fixed.system == wanted.system and find_system(fixed.system, fixed.system_version):
            told.system_version = fixed.system_version
        return told
    told.form.suspend_after = 0  # there were none, whatever a file that says nothing means now
    if told.form != plain_form() or wanted.system != swiss_1.SYSTEM:
        return wanted
    told.ClearField("form")
    told.system_version = swiss_1.VERSION
    if tuple(wanted.tie_breaks) == DEFAULT_TIE_BREAKS:
        told.tie_breaks[:] = SWISS_1_TIE_BREAKS
    return told
