"""All bots of a tournament, and whoever acts in it, in one process; alike in every run.

    seeded_event.py HOST:PORT SEED COUNT

So many bots enter one after another, and one more in the first round. The last of those that
were there never comes to its match. In every round all wait with their first move until what
``seeded_acts`` has for that time is done. Each that stays to the end tells its rank, and the
last checkpoint that it saw.
"""

import re
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial

import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.public_log.log_link import LogLink, log_at
from aboveboard_client.session.desk import Choice
from aboveboard_client.session.dialling import MatchOpener
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.session import OpenMatch
from aboveboard_protos import bridge
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.ledger import Ledger
from tests.e2e.seeded_acts import (
    TURNS,
    Act,
    Desk,
    Overtaken,
    after_results,
    before_results,
    newer_key,
)
from tests.e2e.seeded_bots import PATIENCE, Watched, identity_of, stay

LOOK_SECONDS = 0.1


class Gate:
    """Lets first moves through by rounds."""

    def __init__(self) -> None:
        self.waiting: set[str] = set()  # matches in which somebody has come to a move
        self._open = 0  # rounds in which moves may be made
        self._over = 0  # rounds whose matches are all over
        self._changed = trio.Condition()

    async def open(self, round_: int) -> None:
        async with self._changed:
            self._open = round_
            self._changed.notify_all()

    async def end(self, round_: int) -> None:
        async with self._changed:
            self._over = round_
            self._changed.notify_all()

    async def pass_(self, match: str) -> None:
        """Return once moves may be made in the match's round."""
        self.waiting.add(match)
        async with self._changed:
            while self._open < round_of(match):
                await self._changed.wait()

    async def miss(self, match: str) -> None:
        """Return once the match is over."""
        async with self._changed:
            while self._over < round_of(match):
                await self._changed.wait()


def round_of(match: str) -> int:
    found = re.match(r"r(\d+)-", match)
    assert found is not None
    return int(found[1])


class Playing(Watched):
    """Knows which match is played."""

    match = ""

    def match_begins(self, ticket: pb.Ticket) -> None:
        self.match = ticket.match
        super().match_begins(ticket)


class Event:
    """The bots and who acts, over one channel."""

    def __init__(self, address: str, seed: str, bots: int, channel: bridge.Channel) -> None:
        self._address = address
        self._seed = seed
        self._bots = bots
        self._channel = channel
        self._gate = Gate()
        self._ledger = Ledger()  # of all that the log has ever said

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            for number in range(self._bots):
                await self._enter(nursery, number)
            await self._act(nursery)

    # --- Bots ----------------------------------------------------------------------------

    async def _enter(self, nursery: trio.Nursery, number: int) -> None:
        reports = Playing()
        nursery.start_soon(self._stay, number, reports)
        await reports.entered.wait()

    async def _stay(self, number: int, reports: Playing) -> None:
        identity = identity_of(self._seed, number)
        try:
            await self._play(number, identity, reports)
        except WrongUse as error:
            if "was replaced" in str(error) and number == TURNS:
                newer = replace(identity, key=newer_key(self._seed))
                await self._play(number, newer, Playing())
            elif "was revoked" not in str(error) or number != self._bots - 1:
                raise

    async def _play(self, number: int, identity: Identity, reports: Playing) -> None:
        opener: OpenMatch = MatchOpener(self._channel)
        if number == self._bots - 1:
            opener = partial(self._never_in_time, opener, reports)

        async def run_choice(choose: Callable[[], Choice]) -> Choice:
            await self._gate.pass_(reports.match)
            return choose()

        await stay(
            self._channel,
            identity,
            reports,
            open_match=opener,
            run_choice=run_choice,
            # One match at a time: the one that was begun last is the one that is played.
            capacity=1,
        )

    def _never_in_time(
        self, opener: OpenMatch, reports: Playing, address: str
    ) -> AbstractAsyncContextManager[Stream]:
        @asynccontextmanager
        async def open_match() -> AsyncIterator[Stream]:
            await self._gate.miss(reports.match)
            async with opener(address) as stream:
                yield stream

        return open_match()

    # --- Who acts ------------------------------------------------------------------------

    async def _act(self, nursery: trio.Nursery) -> None:
        before, after = before_results(self._bots), after_results(self._bots)
        for round_ in before:
            await self._until(self._all_wait(round_))
            if round_ == 1:
                await self._enter(nursery, self._bots)
                await self._until(lambda ledger: len(ledger.field) > self._bots)
            await self._do(before[round_])
            await self._gate.open(round_)
            await self._until(lambda ledger: not ledger.due())
            await self._gate.end(round_)
            await self._do(after[round_])

    def _all_wait(self, round_: int) -> Callable[[Ledger], bool]:
        """Whether in all matches somebody has come to a move, but in that of who never comes."""

        def wait(ledger: Ledger) -> bool:
            if len(ledger.rounds) < round_:
                return False
            absentee = self._bots - 1
            matches = [match for match in ledger.planned() if absentee not in match.entrants]
            return all(match.match in self._gate.waiting for match in matches)

        return wait

    async def _do(self, acts: Sequence[Act]) -> None:
        """Each in its turn, however often the server is killed meanwhile."""
        for act in acts:

            async def at(link: LogLink, act: Act = act) -> bool:
                desk = Desk(link, self._ledger, self._seed, self._bots)
                if not act.done(desk):
                    # Where it is done and nobody was shown it yet, it cannot be done again.
                    try:
                        await act.do(desk)
                    except Overtaken:
                        await trio.sleep(LOOK_SECONDS)
                    return False
                return True

            await self._at_log(at)

    async def _until(self, condition: Callable[[Ledger], bool]) -> None:
        async def at(_: LogLink) -> bool:
            if condition(self._ledger):
                return True
            await trio.sleep(LOOK_SECONDS)
            return False

        await self._at_log(at)

    async def _at_log(self, step: Callable[[LogLink], object]) -> None:
        """Look at the log and take a step until it says that it was the last."""
        while True:
            try:
                async with log_at(self._address) as link:
                    while True:
                        await self._look(link)
                        if await step(link):  # type: ignore[misc]  # a coroutine function
                            return
            except OutsideFailure:
                await trio.sleep(PATIENCE.first)

    async def _look(self, link: LogLink) -> None:
        """Take what has come to the log; it never changes what it said before."""
        size = (await link.checkpoint()).checkpoint.size
        assert size >= self._ledger.size
        for leaf in await link.leaves(self._ledger.size, size):
            self._ledger.apply(leaf)


async def main(address: str, seed: str, bots: int) -> None:
    async with bridge.connect(address) as channel:
        await Event(address, seed, bots, channel).run()


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
    where, seed, many = sys.argv[1:]
    bridge.run(lambda: main(where, seed, int(many)))
