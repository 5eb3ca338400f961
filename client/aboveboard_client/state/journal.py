"""What a bot has answered, kept so that it never gives a second answer to one question.

A seat's journal holds the opening of its match and every answer by the event that it
answers. Each is kept before it is sent. A bot that is started anew sends the kept bytes
again; and an opening that differs from the kept one shows that the referee plays the
match a second time, with entropy that it knows from the first.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, Self

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.head import match_context


class JournalError(Exception):
    """A journal that cannot be read or written; the message is one line."""


class Place(NamedTuple):
    """One attempt at one match."""

    tournament: bytes
    match: str
    attempt: int

    @classmethod
    def of(cls, ticket: pb.Ticket) -> Self:
        return cls(ticket.tournament, ticket.match, ticket.attempt)

    @property
    def context(self) -> bytes:
        """32 bytes that name it."""
        return match_context(self.tournament, self.match, self.attempt)


class Journal(Protocol):
    """That of one place. Keeping raises ``JournalError``; then nothing may be sent."""

    @property
    def opening(self) -> bytes:
        """The exact opening record that was kept; empty if none was."""

    def answer(self, asked: int) -> bytes | None:
        """The exact answer to an event, if one was kept."""

    async def keep_opening(self, record: bytes) -> None:
        """Keep the opening record; it comes before all answers."""

    async def keep_answer(self, asked: int, answer: bytes) -> None:
        """Keep an answer; there is one for each event at most."""


class Journals(Protocol):
    """Those of all matches of one bot."""

    @property
    def any_begun(self) -> bool:
        """Whether there is a journal of any match, so that some may be under way."""

    def begun(self, place: Place) -> bool:
        """Whether there is a journal, so that the match was gone to already."""

    def over(self, place: Place) -> bool:
        """Whether the match was played or left for good: it is not played again."""

    async def open(self, place: Place) -> Journal:
        """The journal of a place, a new one if there is none. Raises ``JournalError``."""

    async def end(self, place: Place) -> None:
        """The match is over for this bot: remember that, and drop its journal.

        Raises ``JournalError``.
        """

    async def end_tournament(self, tournament: bytes) -> None:
        """The same for all that is left of a tournament."""


class MemoryJournal:
    """A journal that lasts as long as the process."""

    def __init__(self) -> None:
        self.opening = b""
        self.answers: dict[int, bytes] = {}

    def answer(self, asked: int) -> bytes | None:
        return self.answers.get(asked)

    async def keep_opening(self, record: bytes) -> None:
        self.opening = record

    async def keep_answer(self, asked: int, answer: bytes) -> None:
        self.answers[asked] = answer


class MemoryJournals:
    """Journals of a bot that has no state folder and so cannot be started anew."""

    def __init__(self) -> None:
        self.open_ones: dict[Place, MemoryJournal] = {}
        self.ended: set[Place] = set()

    @property
    def any_begun(self) -> bool:
        return bool(self.open_ones)

    def begun(self, place: Place) -> bool:
        return place in self.open_ones

    def over(self, place: Place) -> bool:
        return place in self.ended

    async def open(self, place: Place) -> MemoryJournal:
        return self.open_ones.setdefault(place, MemoryJournal())

    async def end(self, place: Place) -> None:
        self.ended.add(place)
        self.open_ones.pop(place, None)

    async def end_tournament(self, tournament: bytes) -> None:
        for place in self._of(tournament):
            await self.end(place)

    def _of(self, tournament: bytes) -> Iterator[Place]:
        yield from [place for place in self.open_ones if place.tournament == tournament]
