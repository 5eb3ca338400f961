"""``aboveboard withdraw``: leave a tournament in good order, before its end."""

from pathlib import Path

import click

from aboveboard_client.commands.entrants_act import act, acting, entrants_options
from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.form import chain_rounds


@click.command()
@entrants_options(
    "The first round that you do not play.  [default: the next that is not drawn yet]"
)
def withdraw(address: str, key_file: Path, round_: int | None, organiser: str | None) -> None:
    """Withdraw from the tournament at HOST:PORT, for all rounds from one on.

    It is entered in the tournament's public log. Matches of earlier rounds count, and those
    under way are yours to finish. To play again in a later round: `aboveboard return`.
    """
    act(address, key_file, organiser, lambda link, key: withdraw_over(link, key, round_))


async def withdraw_over(link: LogLink, key: PrivateKey, round_: int | None) -> str:
    """Bring the withdrawal to the log; a line that says so. Raises as the link does."""
    who = await acting(link, key)
    first, last = who.ledger.next_round, chain_rounds(who.ledger.manifest)
    if who.ledger.ended:
        raise WrongUse(f"round {len(who.ledger.rounds)} is the last one, by a ruling")
    if first > last:
        raise WrongUse(f"every round is drawn already, {last} of {last}")
    if round_ is not None and not first <= round_ <= last:
        raise WrongUse(f"{who.name} can withdraw from round {first} to {last}, not from {round_}")
    body = pb.Withdraw(tournament=who.ledger.tournament, entrant=who.entrant, round=round_ or first)
    leaf = await who.submit("withdraw", body)
    return f"{who.name} plays no round from {body.round} on, as leaf {leaf} of the log says"
