"""Leaves of a tournament that was never played as a server's book and log."""

from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.rounds.suspending import Suspending
from aboveboard_server.store.book import LOG, Book
from aboveboard_server.store.database import Stored
from tests.fakes.leaves import Leaves
from tests.fakes.store import MemoryStore


def book_of(made: Leaves) -> Book:
    """The book of a server that has stored these leaves, and no records of matches."""
    return Book().apply_all(
        Stored(number, LOG, "leaf", leaf) for number, leaf in enumerate(made.all, start=1)
    )


def suspending_of(made: Leaves, now_us: int) -> tuple[Book, Suspending]:
    """What suspends bots in that tournament, at this time of the day."""
    book, store = book_of(made), MemoryStore()
    for leaf in made.all:
        store.put(LOG, "leaf", leaf)
    log = PublicLog(book, store, made.log)
    return book, Suspending(book, log, made.organiser, lambda: now_us)
