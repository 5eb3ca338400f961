"""``aboveboard bye``: sit one round of a tournament out."""

from pathlib import Path

import click

from aboveboard_client.commands.entrants_act import act, acting, entrants_options
from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.form import takes_byes


@click.command()
@entrants_options("The round to sit out.  [default: the next that can still be changed]")
@click.option(
    "--points",
    type=click.Choice(["0", "0.5"]),
    default="0.5",
    show_default=True,
    help="What it shall count; how many half points you may have is the tournament's to say.",
)
def bye(
    address: str, key_file: Path, round_: int | None, points: str, organiser: str | None
) -> None:
    """Ask for a bye in one round of the tournament at HOST:PORT.

    It is granted by being in the tournament's public log, and cannot be taken back. It has to
    be there before the table of the round before, from which the next one is drawn. How many
    may count half a point, and up to which round, is in the tournament's manifest.
    """
    half_points = 1 if points == "0.5" else 0
    act(
        address,
        key_file,
        organiser,
        lambda link, key: ask_for_bye(link, key, round_, half_points),
    )


async def ask_for_bye(link: LogLink, key: PrivateKey, round_: int | None, half_points: int) -> str:
    """Bring the request to the log; a line that says so.

    Raises ``WrongUse``, and as the link does.
    """
    who = await acting(link, key)
    manifest = who.ledger.manifest
    if half_points and takes_byes(manifest) and not manifest.form.half_byes:
        raise WrongUse(
            f"no bye counts half a point in {manifest.title}; for one that counts nothing:"
            " --points 0"
        )
    body = pb.ByeRequest(
        tournament=who.ledger.tournament,
        entrant=who.entrant,
        round=round_ or who.ledger.free_round,
        half_points=half_points,
    )
    leaf = await who.submit("bye-request", body)
    worth = "half a point" if half_points else "no point"
    return f"{who.name} sits round {body.round} out for {worth}, as leaf {leaf} of the log says"
