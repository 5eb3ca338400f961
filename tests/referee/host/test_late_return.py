"""A bot that comes back while its match's close is being put on disk is told that it is over."""

from collections.abc import Sequence

import trio
import trio.lowlevel

from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.journal import MemoryJournal
from tests.fakes.guests import Guest
from tests.fakes.hosting import make_host, run, sweeping
from tests.fakes.robots import opening


def test_a_bot_that_returns_as_the_close_is_written_does_not_hang() -> None:
    terms = opening(grace_us=60_000_000)
    guests = [Guest(terms, seat) for seat in (0, 1)]
    doors: trio.Nursery

    class Slow(MemoryJournal):
        async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
            if parse_signed(records[0]).type.startswith("aboveboard/match-close"):
                guests[1].line.lead_to(host, doors)  # now it gets through again
                await trio.sleep(8)
            await super().append(match, attempt, records)

    host = make_host(Slow())

    async def main() -> float:
        nonlocal doors
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            for guest in guests:
                guest.line.lead_to(host, doors)
                bots.start_soon(guest.play)

            async def cut_before_close() -> None:
                """Cuts seat 1 off when its peer is asked to sign."""
                while guests[0].line.messages < last - 3:
                    await trio.lowlevel.checkpoint()
                guests[1].line.hang_up()

            bots.start_soon(cut_before_close)
            await host.play(terms)
            ended = trio.current_time()
        return trio.current_time() - ended

    last = _messages(terms)
    assert run(main) < 10


def _messages(terms: object) -> int:
    """How many messages a line has in the undisturbed match."""
    pair = [Guest(terms, seat) for seat in (0, 1)]  # type: ignore[arg-type]

    async def main() -> None:
        host = make_host()
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            for guest in pair:
                guest.line.lead_to(host, doors)
                bots.start_soon(guest.play)
            await host.play(terms)  # type: ignore[arg-type]

    run(main)
    return pair[0].line.messages
