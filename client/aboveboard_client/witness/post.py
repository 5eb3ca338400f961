"""Ways to a witness: one question posted to a URL, and what came back."""

import re
import ssl
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.witness.exchange import ADD_CHECKPOINT, MESSAGE_LIMIT, PATH, Said, Silent
from aboveboard_protos import bridge
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import Refused, decode

Post = Callable[[str, bytes], Awaitable[Said]]
"""Posts a request's body to the witness at a URL. Raises ``Silent``."""

_PORTS = {"http": 80, "https": 443}

_URL = re.compile(
    r"(?P<scheme>grpc|https?)://(?P<host>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<prefix>(?:/[!-~]*)?)",
    re.ASCII,
)


class Place(NamedTuple):
    """A witness's URL in parts. ``prefix`` begins with a slash and ends with none, or is empty."""

    scheme: str
    host: str
    port: int
    prefix: str


def split_url(url: str) -> Place:
    """The parts of ``grpc://host:port`` or ``http[s]://host[:port][/prefix]``.

    Raises ``WrongUse``.
    """
    found = _URL.fullmatch(url)
    if found is not None:
        prefix = found["prefix"].rstrip("/")
        port = int(found["port"] or _PORTS.get(found["scheme"], 0))
        if 0 < port < 65536 and not (prefix and found["scheme"] == "grpc"):
            return Place(found["scheme"], found["host"], port, prefix)
    raise WrongUse(
        f"{url[:200]!r} is no witness's address, such as grpc://localhost:7879 "
        "or https://witness.example/prefix"
    )


def check_http() -> None:
    """``WrongUse`` where HTTP cannot be spoken: its library is an extra."""
    if find_spec("h11") is None:
        raise WrongUse("HTTP needs one more library: pip install 'aboveboard[http]'")


async def post_to(url: str, body: bytes) -> Said:
    """Ask the witness at a URL, over what its scheme says. Raises ``Silent``."""
    place = split_url(url)
    if place.scheme == "grpc":
        return await _post_grpc(f"{place.host}:{place.port}", body)
    # Loaded for whoever needs it alone, see `check_http`.
    from aboveboard_client.witness.http_client import post_http

    tls = _tls() if place.scheme == "https" else None
    return await post_http(place.host.strip("[]"), place.port, place.prefix + PATH, body, tls)


@cache
def _tls() -> ssl.SSLContext:
    """Trusts whom this machine trusts. Read once: it takes a while."""
    return ssl.create_default_context()


async def _post_grpc(address: str, body: bytes) -> Said:
    try:
        async with bridge.connect(address, max_message=MESSAGE_LIMIT) as channel:
            stream = await channel.open(ADD_CHECKPOINT)
            try:
                stream.send(wire.WitnessAsk(body=body).SerializeToString())
                said = decode(wire.WitnessSaid, await stream.receive())
            finally:
                stream.abort()
    except (bridge.Unavailable, bridge.Broken) as error:
        raise Silent(str(error)) from error
    except trio.EndOfChannel as error:
        raise Silent("it has ended the stream") from error
    except Refused as error:
        raise Silent(f"its answer does not hold: {error}") from error
    return Said(said.status, said.body)
