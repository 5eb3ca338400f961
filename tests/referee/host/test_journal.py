"""Nothing leaves the host before it is on disk, and nothing leaves that is not."""

import math
from collections.abc import Sequence

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.journal import Journal, JournalError, MemoryJournal
from tests.fakes.hosting import make_host, run, sweeping
from tests.fakes.robots import Robot, opening, records_in, resign

APPENDS = 6
"""How often a match of cribbage is written to in which seat 0 resigns at its discard: the
opening, the acceptances, the links, the resignation, the other's discard, and the close."""


class Slow(MemoryJournal):
    """Takes a second for each append, and remembers when it was done."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[tuple[float, list[bytes]]] = []

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        await trio.sleep(1)
        self.done.append((trio.current_time(), list(records)))
        await super().append(match, attempt, records)


class Stuck(MemoryJournal):
    """Comes to the append of a number, counted from 0, and never returns from it."""

    def __init__(self, append: int) -> None:
        super().__init__()
        self.left = append
        self.waiting: list[bytes] = []

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        if self.left == 0:
            self.waiting = list(records)
            await self.last()
        self.left -= 1
        await super().append(match, attempt, records)

    async def last(self) -> None:
        await trio.sleep_forever()


class Full(Stuck):
    """Fails there, and from there on."""

    async def last(self) -> None:
        raise JournalError("the disk is full")


def short_match() -> list[Robot]:
    terms = opening()
    return [Robot(terms, 0, instead=resign), Robot(terms, 1)]


async def host_match(
    journal: Journal, robots: list[Robot], within: float = math.inf
) -> pb.MatchClose | None:
    host = make_host(journal)
    close: pb.MatchClose | JournalError | None = None
    async with sweeping(host) as doors:
        for robot in robots:
            doors.start_soon(robot.play, host, doors)
        with trio.move_on_after(within):
            try:
                close = await host.play(robots[0].opening)
            except JournalError as error:
                close = error  # a nursery would wrap it
    if isinstance(close, JournalError):
        raise close
    return close


def test_records_are_on_disk_before_any_frame_with_them_leaves() -> None:
    journal, robots = Slow(), short_match()
    run(lambda: host_match(journal, robots))
    written = {record: time for time, records in journal.done for record in records}
    assert len(journal.done) == APPENDS
    for robot in robots:
        assert robot.records == [r for _, records in journal.done[:-1] for r in records]
        for time, data in robot.got:
            assert all(time >= written[record] for record in records_in(data))


def test_the_last_append_is_the_close_with_all_signatures() -> None:
    journal = Slow()
    close = run(lambda: host_match(journal, short_match()))
    _, last = journal.done[-1]
    assert len(last) == 1
    signed = parse_signed(last[0])
    assert pb.MatchClose.FromString(signed.body) == close
    assert len(signed.signatures) == 3


@pytest.mark.parametrize("append", range(APPENDS))
def test_while_the_disk_takes_records_nobody_hears_of_them(append: int) -> None:
    journal, robots = Stuck(append), short_match()
    assert run(lambda: host_match(journal, robots, within=60)) is None
    kept = [record for records in journal.records.values() for record in records]
    assert journal.waiting
    for robot in robots:
        assert robot.records == kept
        sent = b"".join(data for _, data in robot.got)
        assert not any(record in sent for record in journal.waiting)


@pytest.mark.parametrize("append", range(APPENDS))
def test_where_the_disk_fails_the_match_fails_and_nobody_hears_of_what_was_lost(
    append: int,
) -> None:
    journal, robots = Full(append), short_match()

    with pytest.raises(JournalError, match="the disk is full"):
        run(lambda: host_match(journal, robots))
    kept = [record for records in journal.records.values() for record in records]
    assert journal.waiting
    for robot in robots:
        # What waited for a next frame then, it does not hear.
        assert robot.records == kept[: len(robot.records)]
        sent = b"".join(data for _, data in robot.got)
        assert not any(record in sent for record in journal.waiting)
        assert robot.ending == "the match is over"
