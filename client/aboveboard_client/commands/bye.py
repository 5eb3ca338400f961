"""``aboveboard bye``: sit one round of a tournament out."""

from pathlib import Path

import click

from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key, load_public
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.terminal.output import say
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey


@click.command()
@click.argument("address", metavar="HOST:PORT")
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    required=True,
    help="The key file that you joined with.",
)
@click.option(
    "--round",
    "round_",
    metavar="N",
    type=click.IntRange(min=1),
    help="The round to sit out.  [default: the next that can still be changed]",
)
@click.option(
    "--points",
    type=click.Choice(["0", "0.5"]),
    default="0.5",
    show_default=True,
    help="What it shall count; how many half points you may have is the tournament's to say.",
)
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
def bye(
    address: str, key_file: Path, round_: int | None, points: str, organiser: str | None
) -> None:
    """Ask for a bye in one round of the tournament at HOST:PORT.

    It is granted by being in the tournament's public log, and cannot be taken back. It has to
    be there before the table of the round before, from which the next one is drawn.
    """
    key = load_key(key_file)
    trusted = None if organiser is None else load_public(organiser)
    half_points = 1 if points == "0.5" else 0
    say(at_log(address, lambda link: ask_for_bye(link, key, round_, half_points), trusted))


async def ask_for_bye(link: LogLink, key: PrivateKey, round_: int | None, half_points: int) -> str:
    """Bring the request to the log; a line that says so. Raises as the link does."""
    _, ledger, _ = await link.history()
    entrant = ledger.field.holder(key.public.raw)
    if entrant is None:
        raise WrongUse(f"nobody plays there with the key {key.public.fingerprint()}")
    body = pb.ByeRequest(
        tournament=ledger.tournament,
        entrant=entrant,
        round=round_ or ledger.free_round,
        half_points=half_points,
    )
    receipt = await link.submit(sign(type_of("bye-request"), encode(body), key).to_bytes())
    worth = "half a point" if half_points else "no point"
    return (
        f"{ledger.field[entrant].entry.name} sits round {body.round} out for {worth},"
        f" as leaf {receipt.index} of the log says"
    )
