"""What the commands have in common by which an entrant comes and goes: one leaf of the log."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from google.protobuf.message import Message

from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key, load_public
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.terminal.output import say
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.field import Member
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.ledger import Ledger


@dataclass(frozen=True)
class Acting:
    """An entrant at the log of its tournament, as far as that is published."""

    link: LogLink
    key: PrivateKey
    ledger: Ledger
    entrant: Entrant

    @property
    def member(self) -> Member:
        return self.ledger.field[self.entrant]

    @property
    def name(self) -> str:
        return self.member.entry.name

    async def submit(self, kind: str, body: Message) -> int:
        """Put a leaf of the entrant's into the log; its index. Raises as the link does."""
        signed = sign(type_of(kind), encode(body), self.key)
        return (await self.link.submit(signed.to_bytes())).index


async def acting(link: LogLink, key: PrivateKey) -> Acting:
    """Whoever this key speaks for. Raises ``WrongUse`` where that is nobody."""
    _, ledger, _ = await link.history()
    entrant = ledger.field.holder(key.public.raw)
    if entrant is None:
        raise WrongUse(f"nobody plays there with the key {key.public.fingerprint()}")
    return Acting(link, key, ledger, entrant)


def entrants_options(round_help: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The arguments of such a command: where, by which key, and for which round."""
    options = (
        click.argument("address", metavar="HOST:PORT"),
        click.option(
            "--key",
            "key_file",
            type=click.Path(path_type=Path),
            required=True,
            help="The key file that you joined with.",
        ),
        click.option("--round", "round_", metavar="N", type=click.IntRange(min=1), help=round_help),
        click.option(
            "--organiser", metavar="KEY", help="The organiser's public key, or a file with it."
        ),
    )

    def wrap(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return wrap


def act(
    address: str,
    key_file: Path,
    organiser: str | None,
    do: Callable[[LogLink, PrivateKey], Awaitable[str]],
) -> None:
    """Do it, and say what came of it."""
    key = load_key(key_file)
    trusted = None if organiser is None else load_public(organiser)
    say(at_log(address, lambda link: do(link, key), trusted))
