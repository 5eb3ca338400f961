"""Bots that hang up, servers that stop and disks that fail while somebody enters."""

import trio

from aboveboard_server.store.store import StoreError
from tests.fakes.entrants import Entrant
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.robots import entry_key
from tests.fakes.snapshots import Slow

ME = Entrant(0, "me")


def test_a_bot_that_hangs_up_while_it_is_written_down_has_entered() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await visit(hall)
        visitor.stream.send(Entrant(0).join(visitor.greeting))
        await trio.sleep(0.5)
        visitor.stream.abort()
        await trio.sleep(1)
        return await enter_slowly(hall)

    async def enter_slowly(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        await trio.sleep(3)
        await visitor.listen()
        return visitor

    hall = Hall(Slow())
    again = in_hall(main, hall)
    assert hall.stored == ["entry"]
    assert again.welcome.entrant == 0


def test_a_server_that_stops_while_it_writes_an_entry_has_it_whole_or_not_at_all() -> None:
    async def main(hall: Hall) -> None:
        visitor = await visit(hall)
        visitor.stream.send(Entrant(0).join(visitor.greeting))
        await trio.sleep(0.5)
        # The hall closes now, and with it the stream's task is cancelled.

    hall = Hall(Slow())
    in_hall(main, hall)
    assert hall.stored == ["entry"]
    assert hall.names == ["bot-0"]


def test_a_disk_that_fails_admits_nobody_and_loses_nobody() -> None:
    hall = Hall()

    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        hall.store.breaks_with = "the disk is full"
        return await enter(hall, 1)

    refused = in_hall(main, hall, errors=(StoreError,))
    assert refused.kinds == []
    assert refused.ending == "internal error"
    assert hall.stored == ["entry"]
    assert "bot-1 entered" not in hall.told
    assert Hall(hall.store).names == ["bot-0"]


def test_what_is_stored_is_the_bots_own_signed_bytes() -> None:
    sent: list[bytes] = []

    async def main(hall: Hall) -> None:
        visitor = await visit(hall)
        sent.append(ME.entry(visitor.greeting))
        await visitor.says(ME.join(visitor.greeting))

    hall = Hall()
    in_hall(main, hall)
    assert [event.body for event in hall.store.events("log") if event.kind == "entry"] == sent
    assert entry_key(0).public.raw == hall.log.ledger.field[0].entry.key
