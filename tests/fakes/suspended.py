"""A tournament with a bot that fails, is suspended, is mended, and comes back."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from tests.fakes.entrants import Entrant, whole
from tests.fakes.network import Network
from tests.fakes.robots import resign
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import Snapshots

AFTER = 3
ROUNDS = 6
FORM = pb.Form(bye=2, suspend_after=AFTER)


class Failing(Entrant):
    """Resigns the matches of the first rounds. Once it hears that it is suspended its owner has
    it ``checked``, if it is one who does so.
    """

    checks = True
    checked = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.habit = self._habit

    def _habit(self, ticket: pb.Ticket) -> Mapping[str, Any]:
        return _resigning(ticket) if _round(ticket) <= AFTER else whole(ticket)

    @property
    def notices(self) -> list[str]:
        return [frame.notice.text for frame in self.frames if frame.HasField("notice")]

    @property
    def reports(self) -> list[wire.Report]:
        return [frame.report for frame in self.frames if frame.HasField("report")]

    def join(self, greeting: wire.Greeting, **fields: Any) -> bytes:
        return super().join(greeting, checked=self.checked, **fields)

    async def stay(self, network: Network) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(super().stay, network)
            if self.checks:
                while not any("is suspended" in text for text in self.notices):  # noqa: ASYNC110
                    await trio.sleep(0.1)
                self.checked = True
                await trio.sleep(self.rests)
                await super().stay(network)

    rests: float = 0.0  # seconds until its owner has had it checked


def others() -> list[Entrant]:
    return [Entrant(n, habit=partial(_now_and_then, n), comes=n / 100) for n in (1, 2, 3)]


def _now_and_then(number: int, ticket: pb.Ticket) -> Mapping[str, Any]:
    """Resign in every other round, so that few matches are played out and nobody fails often."""
    return _resigning(ticket) if (_round(ticket) + number) % 2 else whole(ticket)


def _round(ticket: pb.Ticket) -> int:
    return int(ticket.match[1:].partition("-")[0])


def _resigning(_: pb.Ticket) -> Mapping[str, Any]:
    return {"instead": resign, "phase": pb.PHASE_ENTROPY}


def play(
    folder: Path,
    failing: Entrant,
    store: Snapshots | None = None,
    beside: Any = None,
    **fields: Any,
) -> Served:
    """Play it, or what is left of it in a store."""
    event = config(
        folder,
        **{
            "entrants": 4,
            "rounds": ROUNDS,
            "form": FORM,
            "games": ("nebraska:family",),
            "review_us": 1_000_000,
            **fields,
        },
    )
    served = serve(event, failing, *others(), store=store, beside=beside)
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served
