"""Where the matches of a tournament are recorded: transcript and public log in one."""

from collections.abc import Sequence

import outcome

from aboveboard_referee.host.journal import Done, JournalError
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.store.book import Book, is_close, is_open, match_topic
from aboveboard_server.store.store import EventStore, StoreError


class StoreJournal:
    """Transcripts go into the store like everything else.

    A record that is a leaf as well is stored as both at once, or not at all: transcript
    and log never disagree.
    """

    def __init__(self, store: EventStore, book: Book, public_log: PublicLog) -> None:
        self._store = store
        self._book = book
        self._log = public_log

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        """As ``Journal`` has it. Raises ``Illegal`` for what the log cannot take."""
        topic = match_topic(match, attempt)
        rows = [(topic, "record", record) for record in records]
        leaves = [record for record in records if is_open(record) or is_close(record)]
        try:
            if leaves:
                # An opening and a close never come together.
                (leaf,) = leaves
                await self._log.append(leaf, rows)
            else:
                await self._store.append(rows)
        except StoreError as error:
            raise JournalError(str(error)) from error
        self._book.record(match, attempt, records)

    def begin(self, match: str, attempt: int, records: Sequence[bytes], done: Done) -> None:
        """As ``Journal`` has it."""

        def stored(result: outcome.Maybe[int]) -> None:
            done(outcome.capture(self._stored, match, attempt, records, result))

        topic = match_topic(match, attempt)
        try:
            self._store.begin([(topic, "record", record) for record in records], stored)
        except StoreError as error:
            raise JournalError(str(error)) from error

    def _stored(
        self, match: str, attempt: int, records: Sequence[bytes], result: outcome.Maybe[int]
    ) -> None:
        try:
            result.unwrap()
        except StoreError as error:
            raise JournalError(str(error)) from error
        self._book.record(match, attempt, records)
