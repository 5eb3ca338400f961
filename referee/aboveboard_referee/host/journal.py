"""Where a match's records go before anybody is told of them."""

from collections.abc import Callable, Sequence
from typing import Protocol

import outcome
import trio

from aboveboard_protos.v1 import service_pb2 as service

Done = Callable[[outcome.Maybe[None]], object]
"""Gets what came of an append: nothing, or the error."""


class JournalError(Exception):
    """Records could not be put on disk; nothing that depends on them was sent."""


class Journal(Protocol):
    """Durable storage for transcripts."""

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        """Return once these records are on disk, after all earlier ones of the match.

        Raises ``JournalError`` where that cannot be done; then none of them is kept.
        """

    def begin(self, match: str, attempt: int, records: Sequence[bytes], done: Done) -> None:
        """Append without waiting, records that are neither an opening nor a close.

        ``done`` gets in trio's thread what ``append`` would return or raise, in a later turn,
        and lets no error out. Raises ``JournalError`` where that is known at once.
        """


class OpeningLog(Protocol):
    """The tournament's public log, as far as a match needs it."""

    async def opened(self, record: bytes) -> service.Receipt:
        """The proof that a match's opening is a leaf of the log, under a checkpoint.

        The record is on disk already. Asked again for the same one, as after a restart,
        it is no second leaf. Raises ``JournalError``.
        """
        ...


class MemoryJournal:
    """A journal that forgets everything with its process: for tests and measurements."""

    def __init__(self) -> None:
        self.records: dict[tuple[str, int], list[bytes]] = {}

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        self.records.setdefault((match, attempt), []).extend(records)

    def begin(self, match: str, attempt: int, records: Sequence[bytes], done: Done) -> None:
        async def append() -> None:
            done(await outcome.acapture(self.append, match, attempt, records))

        trio.lowlevel.spawn_system_task(append)
