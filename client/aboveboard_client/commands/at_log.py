"""What the commands have in common that do something at a tournament's public log."""

from collections.abc import Awaitable, Callable

import click

from aboveboard_client.commands.join import check_address
from aboveboard_client.public_log.log_link import LogLink, log_at
from aboveboard_protos import bridge
from aboveboard_referee.fairplay.keys import PublicKey


def at_log(
    address: str, do: Callable[[LogLink], Awaitable[str]], organiser: PublicKey | None = None
) -> str:
    """Do something at the log that is served at HOST:PORT; the line that came of it.

    ``organiser`` is the key that the user trusts. Raises as the link's methods, and
    ``WrongUse`` where it is no HOST:PORT.
    """
    check_address(address)

    async def run() -> str:
        async with log_at(address, organiser) as link:
            return await do(link)

    try:
        return bridge.run(run)
    except bridge.Interrupted as error:
        raise click.Abort from error
