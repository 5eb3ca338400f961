"""An arbiter and entrants at the log of a server in memory, by the commands' own functions."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server.arbiters.ruling import Effect, submit_ruling
from aboveboard_server.log.log_desk import ASK
from tests.fakes.entrants import ORGANISER, Entrant
from tests.fakes.eventful_cups import REVIEW_US, slow
from tests.fakes.network import Network
from tests.fakes.office import Office
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import Snapshots

Act = Callable[["Desk"], Awaitable[None]]

FORM = pb.Form(bye=2, half_byes=1, byes_until=2)


class Desk(Office):
    """An arbiter at a link to the log, who looks at the store to see that nothing happened."""

    def __init__(self, link: LogLink, store: Snapshots) -> None:
        super().__init__(link)
        self.link = link
        self.store = store

    async def says(self, effect: Effect | None, match: str = "") -> list[str]:
        return await submit_ruling(self.link, ORGANISER, match, "so be it", effect)

    async def refuses(self, asked: Awaitable[Any]) -> str:
        """The one line that a request is refused with, which leaves no trace."""
        before = self.store.last_id
        with pytest.raises(WrongUse) as refused:
            await asked
        assert self.store.last_id == before
        assert refused.value.exit_code == 2
        assert "\n" not in str(refused.value)
        return str(refused.value)


def ruled(
    tmp_path: Path,
    act: Act,
    entrants: int = 6,
    draws: Callable[[int, int], bool] = lambda number, round_: True,
    **fields: Any,
) -> Served:
    """A tournament with an arbiter at work in it, who finds that it ends well."""
    store = Snapshots()
    done: list[bool] = []

    async def beside(network: Network) -> None:
        stream = await network.dial(ASK)
        await act(Desk(await begin(stream), store))
        done.append(True)
        stream.abort()

    event = config(tmp_path, entrants=entrants, **{"review_us": REVIEW_US, "form": FORM, **fields})
    bots = [
        Entrant(n, habit=slow, comes=n / 100, draws=lambda r, n=n: draws(n, r))
        for n in range(entrants)
    ]
    served = serve(event, *bots, store=store, beside=beside)
    assert served.failure is None
    assert done == [True]
    assert served.report().findings == []
    return served
