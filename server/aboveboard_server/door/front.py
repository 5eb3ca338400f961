"""Where everybody dials: what is listened on, by which certificate, and what stands before it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2, service_pb2
from aboveboard_server.config import Config
from aboveboard_server.door.certificate import (
    Proof,
    address_of,
    keep_current,
    proof_notes,
    proof_of,
)
from aboveboard_server.door.door import Door, rates_of

SERVICES = ("aboveboard.v1.Lobby", "aboveboard.v1.Referee", "aboveboard.v1.Log")
"""What is served, as gRPC's tools name it."""


class Front:
    """The server's side of the network. ``now_us`` is the time since the Unix epoch."""

    def __init__(self, config: Config, now_us: Callable[[], int]) -> None:
        self.door = Door(config.limits, trio.current_time)
        self.health = bridge.Health(SERVICES)
        self._config = config
        self._now_us = now_us
        self._proof: Proof | None = None
        self._certificate: bridge.ServerCertificate | None = None

    @property
    def notes(self) -> list[str]:
        """What to tell the operator of it, a line each."""
        return proof_notes(self._config, self._proof) if self._proof else []

    @asynccontextmanager
    async def listen(
        self, handlers: Mapping[str, bridge.Handler], on_error: Callable[[Exception], None]
    ) -> AsyncIterator[str]:
        """Serve, while the block lasts, which gets the address to hand out.

        Raises ``WrongUse`` where it cannot be listened on, and as ``proof_of`` where the
        certificate does not hold.
        """
        if proof := proof_of(self._config, self._now_us()):
            self._proof = proof
            self._certificate = bridge.ServerCertificate(proof.chain, proof.key)
        about = bridge.Reflection(SERVICES, (service_pb2.DESCRIPTOR, bodies_pb2.DESCRIPTOR))
        guarded = self.door.guard({**handlers, **self.health.handlers, **about.handlers})
        address = self._config.listen
        serving = bridge.serve(
            address,
            guarded,
            certificate=self._certificate,
            rates=rates_of(self._config.limits, guarded),
            on_error=on_error,
        )
        async with AsyncExitStack() as stack:
            try:
                port = await stack.enter_async_context(serving)
            except bridge.PortInUse as error:
                raise WrongUse(f"{address} is in use; choose another address") from error
            except OSError as error:
                raise WrongUse(
                    f"{address} cannot be listened on: {error.strerror or error}"
                ) from error
            stack.callback(self.health.set, False)
            yield address_of(self._config, port, self._proof)

    async def run(self, tell: Callable[[str], None]) -> None:
        """Keep the certificate current, if there is one; ``tell`` gets a line for the operator."""
        if self._proof and self._certificate:
            await keep_current(self._proof, self._config, self._certificate, tell, self._now_us)
