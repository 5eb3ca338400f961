"""Whoever brings leaves to the log of a server in memory: its organiser, and entrants."""

from collections.abc import Awaitable, Callable
from typing import Any

import trio

from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_server.log.log_desk import ASK
from tests.fakes.entrants import ORGANISER
from tests.fakes.network import Network
from tests.fakes.robots import NOW, entry_key

LOOK_SECONDS = 0.2

Act = Callable[["Office"], Awaitable[None]]


class Office:
    """One stream to a log; what it does is done for good.

    ``key_of`` has the entry key of each bot by its number.
    """

    def __init__(
        self,
        link: LogLink,
        organiser: PrivateKey = ORGANISER,
        key_of: Callable[[int], PrivateKey] = entry_key,
    ) -> None:
        self._link = link
        self._organiser = organiser
        self._key_of = key_of
        self._size = 0
        self.ledger = Ledger()

    async def look(self) -> Ledger:
        """The tournament as of the newest checkpoint."""
        size = (await self._link.checkpoint()).checkpoint.size
        for leaf in await self._link.leaves(self._size, size):
            self.ledger.apply(leaf)
        self._size = size
        return self.ledger

    async def when(self, condition: Callable[[Ledger], bool]) -> Ledger:
        """The tournament, once it has come to something."""
        while not condition(await self.look()):  # noqa: ASYNC110  # a log tells nothing unasked
            await trio.sleep(LOOK_SECONDS)
        return self.ledger

    async def rule(self, match: str = "", **effect: Any) -> int:
        """A ruling with the table that it has to state; its leaf."""
        ledger = await self.look()
        ruling = pb.Ruling(
            tournament=ledger.tournament,
            number=len(ledger.rulings) + 1,
            leaf=ledger.size,
            time_us=max(NOW, ledger.time_us),
            match=match,
            text="so be it",
            **effect,
        )
        ruling.table.extend(table_after(ledger, ruling))
        return await self.bring("ruling", ruling, self._organiser)

    async def withdraw(self, number: int, round_: int) -> int:
        """Of the bot of that number."""
        body = pb.Withdraw(entrant=self.entrant(number), round=round_)
        return await self.bring("withdraw", body, self._key_of(number))

    async def come_back(self, number: int, round_: int) -> int:
        body = pb.Return(entrant=self.entrant(number), round=round_)
        return await self.bring("return", body, self._key_of(number))

    async def ask_bye(self, number: int, round_: int, half_points: int = 0) -> int:
        body = pb.ByeRequest(entrant=self.entrant(number), round=round_, half_points=half_points)
        return await self.bring("bye-request", body, self._key_of(number))

    def entrant(self, number: int) -> int:
        return self.ledger.field.names.index(f"bot-{number}")

    async def bring(self, kind: str, body: Any, by: PrivateKey) -> int:
        body.tournament = self.ledger.tournament
        leaf = sign(type_of(kind), encode(body), by).to_bytes()
        return (await self._link.submit(leaf)).index


def office(act: Act) -> Callable[[Network], Awaitable[None]]:
    """What ``serve`` has done ``beside`` it."""

    async def beside(network: Network) -> None:
        stream = await network.dial(ASK)
        link = await begin(stream)
        await act(Office(link))
        stream.abort()

    return beside
