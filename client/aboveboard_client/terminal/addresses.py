"""Addresses of servers as people give them."""

from aboveboard_client.errors import WrongUse
from aboveboard_protos.bridge import Address


def check_address(text: str) -> None:
    """``WrongUse`` unless it is ``HOST:PORT`` or ``tls://HOST:PORT``, see `Address`."""
    try:
        Address.parse(text)
    except ValueError as error:
        raise WrongUse(str(error)) from None
