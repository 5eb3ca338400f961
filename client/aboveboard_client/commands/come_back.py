"""``aboveboard return``: play again after having withdrawn."""

from pathlib import Path

import click

from aboveboard_client.commands.entrants_act import act, acting, entrants_options
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey


@click.command("return")
@entrants_options(
    "The first round that you play again.  [default: the next that can still be changed]"
)
def come_back(address: str, key_file: Path, round_: int | None, organiser: str | None) -> None:
    """Play again in the tournament at HOST:PORT that you withdrew from.

    The rounds that you missed count nothing. Then run `aboveboard join` as before.
    """
    act(address, key_file, organiser, lambda link, key: return_to(link, key, round_))


async def return_to(link: LogLink, key: PrivateKey, round_: int | None) -> str:
    """Bring the return to the log; a line that says so. Raises as the link does."""
    who = await acting(link, key)
    first = max(who.ledger.free_round, who.member.left or 1)
    body = pb.Return(tournament=who.ledger.tournament, entrant=who.entrant, round=round_ or first)
    leaf = await who.submit("return", body)
    return f"{who.name} plays again from round {body.round} on, as leaf {leaf} of the log says"
