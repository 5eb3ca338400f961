"""A bad network, by a plan that follows from its seed.

Between a bot and the server lies a line that delays what goes over it, dies without a word and
takes what is under way with it, or is cut; whoever dials may be refused for a while; and what
was sent over a line that broke may come again over another one. Within a line nothing is lost
or out of order, as with TCP.
"""

import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream, Unavailable, memory_pair
from tests.fakes.network import Network

DEAD_SECONDS = 10.0
"""After so long a line that died is missed, as by gRPC's own pings."""

UNDER_WAY = 64
"""Messages that a line holds either way; whoever sends more waits."""

SHELTERED = 0.25
"""Share of lines that live as long as they are needed."""


@dataclass
class Toll:
    """What the weather did to everybody."""

    lines: int = 0
    delayed: int = 0
    cut: int = 0
    died: int = 0
    refused: int = 0
    repeated: int = 0

    def __str__(self) -> str:
        return ", ".join(f"{value} {name}" for name, value in vars(self).items())


@dataclass
class Fate:
    """Of one line: seconds for each message, and how it ends if it does."""

    delay: Callable[[], float]
    ends: float = math.inf  # seconds from its beginning
    silently: bool = False


@dataclass
class Weather:
    """The network as one bot meets it."""

    network: Network
    seed: str
    toll: Toll
    most_outages: int = 6  # of a method; the rest of its lines are sheltered
    _outages: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)

    @asynccontextmanager
    async def line(self, method: str) -> AsyncIterator[Stream]:
        """Dial; raises ``Unavailable`` where it comes to nothing."""
        chance, toll = self._chance, self.toll
        await trio.sleep(chance.uniform(0, 0.3))
        if self._may_fail(method) and chance.random() < 0.15:
            toll.refused += 1
            await trio.sleep(chance.uniform(0, 2))
            raise Unavailable("the network is down")
        toll.lines += 1
        mine, bots_end = memory_pair()
        servers_end = await self.network.dial(method)
        line = _Line(self._fate(method), bots_end, servers_end, toll)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(line.carry, nursery)
            try:
                yield mine
            finally:
                mine.abort()
                # What is under way still arrives, or is lost with the line.
                with trio.move_on_after(1, shield=True):
                    await line.over.wait()
                nursery.cancel_scope.cancel()
                servers_end.abort()
        if line.broke and chance.random() < 0.5:
            toll.repeated += 1
            await self._repeat(method, line.sent_up)

    def _may_fail(self, method: str) -> bool:
        return self._outages.get(method, 0) < self.most_outages

    def _fate(self, method: str) -> Fate:
        chance = self._chance
        pace = chance.choice([0.002, 0.01, 0.05])

        def delay() -> float:
            # Mostly about as long, now and then much longer.
            slow = chance.random() < 0.02
            self.toll.delayed += slow
            return chance.uniform(0.5, 1.5) * pace + (chance.uniform(0.5, 2) if slow else 0)

        if not self._may_fail(method) or chance.random() < SHELTERED:
            return Fate(delay)
        self._outages[method] = self._outages.get(method, 0) + 1
        return Fate(delay, chance.expovariate(1 / 8), silently=chance.random() < 0.3)

    async def _repeat(self, method: str, messages: list[bytes]) -> None:
        """All that the bot sent comes over another line once more, and nobody reads it."""
        stream = await self.network.dial(method)
        try:
            with trio.move_on_after(2):
                for message in messages:
                    stream.send(message)
                await stream.aclose()
        except (Broken, Overflow):
            return  # refused, as it has to be
        finally:
            stream.abort()


class _Line:
    def __init__(self, fate: Fate, bots_end: Stream, servers_end: Stream, toll: Toll) -> None:
        self.broke = False
        self.over = trio.Event()
        self.sent_up: list[bytes] = []
        self._fate = fate
        self._ends = bots_end, servers_end
        self._toll = toll

    async def carry(self, nursery: trio.Nursery) -> None:
        bots_end, servers_end = self._ends
        with trio.move_on_after(self._fate.ends) as life:
            async with trio.open_nursery() as ways:
                for way in (
                    partial(self._way, bots_end, servers_end, self.sent_up),
                    partial(self._way, servers_end, bots_end, None),
                ):
                    ways.start_soon(way)
        if life.cancelled_caught:
            self.broke = True
            if self._fate.silently:
                self._toll.died += 1
                await trio.sleep(DEAD_SECONDS)
            else:
                self._toll.cut += 1
            for end in self._ends:
                end.abort("the line broke")
        self.over.set()

    async def _way(self, come: Stream, go: Stream, kept: list[bytes] | None) -> None:
        """One direction: messages in their order, each as late as the weather has it."""
        send, receive = trio.open_memory_channel[tuple[float, bytes]](UNDER_WAY)

        async def deliver() -> None:
            async for due, message in receive:
                await trio.sleep_until(due)
                try:
                    go.send(message)
                    await go.flush()
                except (Broken, Overflow):
                    come.abort("the line broke")
                    return
            try:
                await go.aclose()
            except Broken:
                return

        async with trio.open_nursery() as nursery:
            nursery.start_soon(deliver)
            due = trio.current_time()
            try:
                while True:
                    message = await come.receive()
                    if kept is not None:
                        kept.append(message)
                    due = max(due, trio.current_time() + self._fate.delay())
                    await send.send((due, message))
            except trio.EndOfChannel:
                send.close()
            except Broken:
                nursery.cancel_scope.cancel()
                go.abort("the line broke")
