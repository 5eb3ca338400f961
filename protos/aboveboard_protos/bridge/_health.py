"""gRPC's own question whether a server is well: ``grpc.health.v1.Health``."""

from collections.abc import Iterable

import trio
from google.protobuf.message import DecodeError
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from .errors import Broken, CallRefused
from .stream import Handler, Stream

NAME = "grpc.health.v1.Health"

QUESTION_SECONDS = 30.0
LOOK_SECONDS = 5.0
"""How often it is seen that somebody who watches has gone: no message tells of it."""


class Health:
    """Whether a server and its services are well, which is ``set`` and asked over ``handlers``.

    All go together, the server as a whole by the empty name. Until it is set they are not.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._services = {"", *services}
        self._serving = False
        self._changed = trio.Event()

    @property
    def handlers(self) -> dict[str, Handler]:
        return {f"/{NAME}/Check": self._check, f"/{NAME}/Watch": self._watch}

    def set(self, serving: bool) -> None:
        """From now on; whoever watches is told."""
        if serving != self._serving:
            self._serving = serving
            self._changed.set()
            self._changed = trio.Event()

    async def _check(self, stream: Stream) -> None:
        service = await _asked(stream)
        if service not in self._services:
            raise CallRefused("NOT_FOUND", "no such service is served here")
        stream.send(self._status(service))

    async def _watch(self, stream: Stream) -> None:
        service = await _asked(stream)
        try:
            while True:
                stream.send(self._status(service))
                changed = self._changed
                while not changed.is_set():
                    with trio.move_on_after(LOOK_SECONDS):
                        await changed.wait()
                    if stream.dead:
                        return
        except Broken:
            return

    def _status(self, service: str) -> bytes:
        if service not in self._services:
            status = HealthCheckResponse.SERVICE_UNKNOWN
        elif self._serving:
            status = HealthCheckResponse.SERVING
        else:
            status = HealthCheckResponse.NOT_SERVING
        answer: bytes = HealthCheckResponse(status=status).SerializeToString()
        return answer


async def _asked(stream: Stream) -> str:
    """The service that a call's one message asks for."""
    try:
        with trio.fail_after(QUESTION_SECONDS):
            service: str = HealthCheckRequest.FromString(await stream.receive()).service
    except (DecodeError, trio.EndOfChannel):
        raise CallRefused("INVALID_ARGUMENT", "this is no question") from None
    except trio.TooSlowError:
        raise CallRefused("DEADLINE_EXCEEDED", "nothing was asked") from None
    return service
