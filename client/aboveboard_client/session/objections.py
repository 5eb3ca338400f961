"""A bot's objections on their way to the public log."""

from collections.abc import Iterator
from contextlib import contextmanager

from aboveboard_client.session.control_link import ControlLink
from aboveboard_client.session.identity import Identity
from aboveboard_client.terminal.reports import Reports
from aboveboard_protos.v1 import bodies_pb2 as pb


class Objections:
    """Signs them, and keeps those that come while nobody can be told."""

    def __init__(self, identity: Identity, reports: Reports) -> None:
        self._identity = identity
        self._reports = reports
        self._link: ControlLink | None = None  # that stands
        self._waiting: list[bytes] = []

    def add(self, body: pb.Objection) -> None:
        """Send an objection, or keep it for the next connection."""
        objection = self._identity.objection(body)
        if self._link is None:
            self._waiting.append(objection)
        else:
            self._link.object_to(objection)
        self._reports.objected(body)

    @contextmanager
    def heard(self, link: ControlLink) -> Iterator[None]:
        """For as long as a connection stands: what waits goes first."""
        self._link = link
        while self._waiting:
            link.object_to(self._waiting.pop(0))
        try:
            yield
        finally:
            self._link = None

    async def flush(self) -> None:
        """Wait until all that could be sent is on its way, for a second at most."""
        if self._link is not None:
            await self._link.flush()
