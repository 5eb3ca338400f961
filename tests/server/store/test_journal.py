"""Transcripts in the store: with their leaves, and not known before they are there."""

import outcome
import pytest
import trio
import trio.testing

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.host.journal import JournalError
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.store.journal import StoreJournal
from aboveboard_server.store.store import StoreError
from tests.fakes.leaves import Leaves, signed
from tests.fakes.ledger_books import book_of
from tests.fakes.snapshots import Snapshots


class Opened:
    """A match that may be opened now, and a journal for it."""

    def __init__(self) -> None:
        made = Leaves(2, 1, "journal")
        made.close_entries()
        (planned,) = made.draw()
        self.match = planned.match
        self.opening = signed("match-open", made.opening(planned), made.referee)
        self.event = signed("event", pb.Event(sequence=1), made.referee)
        self.store = Snapshots()
        for leaf in made.all:
            self.store.put("log", "leaf", leaf)
        self.book = book_of(made)
        self.journal = StoreJournal(
            self.store, self.book, PublicLog(self.book, self.store, made.log)
        )


def test_an_opening_and_its_leaf_are_stored_together() -> None:
    opened = Opened()
    before = opened.store.last_id

    async def main() -> None:
        await opened.journal.append(opened.match, 1, [opened.opening])
        await opened.journal.append(opened.match, 1, [opened.event])

    trio.run(main)
    assert opened.store.marks[-2:] == [before + 2, before + 3]
    kinds = [(event.topic, event.kind) for event in opened.store.events()][before:]
    topic = f"match/{opened.match}/1"
    assert sorted(kinds[:2]) == [("log", "match-open"), (topic, "record")]
    assert kinds[2] == (topic, "record")


@pytest.mark.parametrize("opening", [True, False], ids=["opening", "event"])
def test_what_the_disk_refuses_is_a_failure_of_the_journal_and_is_not_known(opening: bool) -> None:
    opened = Opened()

    async def main() -> None:
        if not opening:
            await opened.journal.append(opened.match, 1, [opened.opening])
        opened.store.breaks_with = "the disk is full"
        record = opened.opening if opening else opened.event
        known = dict(opened.book._latest)
        with pytest.raises(JournalError, match="the disk is full"):
            await opened.journal.append(opened.match, 1, [record])
        assert opened.book._latest == known

    trio.run(main)


def test_who_does_not_wait_is_told_the_same_failure_and_nothing_is_known() -> None:
    opened = Opened()
    told: list[outcome.Maybe[None]] = []

    async def main() -> None:
        await opened.journal.append(opened.match, 1, [opened.opening])
        known = dict(opened.book._latest)
        opened.store.breaks_with = "the disk is full"
        opened.journal.begin(opened.match, 1, [opened.event], told.append)
        assert told == []
        await trio.testing.wait_all_tasks_blocked()
        assert opened.book._latest == known

    trio.run(main)
    with pytest.raises(JournalError, match="the disk is full"):
        told[0].unwrap()


def test_a_store_that_takes_nothing_any_more_refuses_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = Opened()

    def closed(*_: object) -> None:
        raise StoreError("the store is closed")

    monkeypatch.setattr(opened.store, "begin", closed)
    with pytest.raises(JournalError, match="the store is closed"):
        opened.journal.begin(opened.match, 1, [opened.event], print)
