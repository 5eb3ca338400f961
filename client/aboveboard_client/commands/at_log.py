"""What the commands have in common that do something at a tournament's public log."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from aboveboard_client.public_log.log_link import LogLink, log_at
from aboveboard_client.terminal.addresses import check_address
from aboveboard_protos import bridge
from aboveboard_referee.fairplay.keys import PublicKey

T = TypeVar("T")


def at_log(
    address: str, do: Callable[[LogLink], Awaitable[T]], organiser: PublicKey | None = None
) -> T:
    """Do something at the log that is served at an address; what came of it.

    ``organiser`` is the key that the user trusts. Raises as the link's methods, and
    ``WrongUse`` where it is no address.
    """
    check_address(address)

    async def run() -> T:
        async with log_at(address, organiser) as link:
            return await do(link)

    return bridge.run(run)
