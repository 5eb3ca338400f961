"""Where trio meets gRPC: streams of raw bytes for trio tasks, over grpc.aio.

grpc.aio needs asyncio, everything else here is trio. So an asyncio loop is the host and
trio its guest in the same thread, and this package is the only place that knows::

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/demo.Echo/Echo": echo}) as port:
            ...

    bridge.run(main)

Under plain trio, a test's mock clock included, `memory_pair` gives streams that behave
the same without any network. A trap: ``asyncio.get_running_loop()`` succeeds inside a
trio task, and awaiting anything of asyncio's there fails.
"""

from ._address import Address
from ._client import Channel, connect
from ._guest import run
from ._health import Health
from ._host import soon
from ._memory import memory_pair
from ._rate import Rate
from ._reflection import Reflection
from ._server import serve
from ._tls import ServerCertificate
from .errors import (
    Broken,
    CallRefused,
    Interrupted,
    Overflow,
    PortInUse,
    Unavailable,
    Untrusted,
)
from .stream import Handler, Stream

__all__ = [
    "Address",
    "Broken",
    "CallRefused",
    "Channel",
    "Handler",
    "Health",
    "Interrupted",
    "Overflow",
    "PortInUse",
    "Rate",
    "Reflection",
    "ServerCertificate",
    "Stream",
    "Unavailable",
    "Untrusted",
    "connect",
    "memory_pair",
    "run",
    "serve",
    "soon",
]
