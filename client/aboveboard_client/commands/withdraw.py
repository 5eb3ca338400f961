"""``aboveboard withdraw``: leave a tournament in good order, before its end."""

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
from aboveboard_referee.tournament.form import chain_rounds


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
    help="The first round that you do not play.  [default: the next that is not drawn yet]",
)
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
def withdraw(address: str, key_file: Path, round_: int | None, organiser: str | None) -> None:
    """Withdraw from the tournament at HOST:PORT, for all rounds from one on.

    It is entered in the tournament's public log and cannot be taken back. Matches of
    earlier rounds count, and those under way are yours to finish.
    """
    key = load_key(key_file)
    trusted = None if organiser is None else load_public(organiser)
    say(at_log(address, lambda link: withdraw_over(link, key, round_), trusted))


async def withdraw_over(link: LogLink, key: PrivateKey, round_: int | None) -> str:
    """Bring the withdrawal to the log; a line that says so. Raises as the link does."""
    _, ledger, _ = await link.history()
    entrant = ledger.field.holder(key.public.raw)
    if entrant is None:
        raise WrongUse(f"nobody plays there with the key {key.public.fingerprint()}")
    name, first = ledger.field[entrant].entry.name, ledger.next_round
    last = chain_rounds(ledger.manifest)
    if first > last:
        raise WrongUse(f"all {last} rounds are drawn already")
    if round_ is not None and not first <= round_ <= last:
        raise WrongUse(f"{name} can withdraw from round {first} to {last}, not from {round_}")
    body = pb.Withdraw(tournament=ledger.tournament, entrant=entrant, round=round_ or first)
    receipt = await link.submit(sign(type_of("withdraw"), encode(body), key).to_bytes())
    return f"{name} plays no round from {body.round} on, as leaf {receipt.index} of the log says"
