"""``aboveboard return``: play again after having withdrawn."""

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


@click.command("return")
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
    help="The first round that you play again.  [default: the next that can still be changed]",
)
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
def come_back(address: str, key_file: Path, round_: int | None, organiser: str | None) -> None:
    """Play again in the tournament at HOST:PORT that you withdrew from.

    The rounds that you missed count nothing. Then run `aboveboard join` as before.
    """
    key = load_key(key_file)
    trusted = None if organiser is None else load_public(organiser)
    say(at_log(address, lambda link: return_to(link, key, round_), trusted))


async def return_to(link: LogLink, key: PrivateKey, round_: int | None) -> str:
    """Bring the return to the log; a line that says so. Raises as the link does."""
    _, ledger, _ = await link.history()
    entrant = ledger.field.holder(key.public.raw)
    if entrant is None:
        raise WrongUse(f"nobody plays there with the key {key.public.fingerprint()}")
    member = ledger.field[entrant]
    first = max(ledger.free_round, member.left or 1)
    body = pb.Return(tournament=ledger.tournament, entrant=entrant, round=round_ or first)
    receipt = await link.submit(sign(type_of("return"), encode(body), key).to_bytes())
    return (
        f"{member.entry.name} plays again from round {body.round} on,"
        f" as leaf {receipt.index} of the log says"
    )
