"""Measuring the luck of many matches, in several processes at once.

Matches are independent of each other, so they are the unit. Few transcripts are in memory at a
time: each is read when a process is about to be free for it.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from aboveboard_client.archives.reading import records
from aboveboard_client.errors import VerdictAgainst
from aboveboard_client.measuring.luck import luck
from aboveboard_client.measuring.open_decks import open_decks
from aboveboard_client.measuring.pool import in_order
from aboveboard_referee.match.deviation import Deviation

Transcript = tuple[str, bytes]
"""A file's name, and what is in it."""


def lucks(
    transcripts: Iterable[Transcript], replays: int, processes: int
) -> Iterator[tuple[float, ...]]:
    """By seat, the luck of each match, in order.

    Raises ``VerdictAgainst`` for a match that cannot be followed, ``WrongUse`` for a file that
    is none, and ``OutsideFailure`` if the processes die.
    """
    return in_order(partial(_measured, replays), transcripts, processes)


def _measured(replays: int, transcript: Transcript) -> tuple[float, ...]:
    path, data = transcript
    try:
        return luck(open_decks(records(path, data)), replays)
    except Deviation as error:
        raise VerdictAgainst(
            f"{path} cannot be followed: {error}; aboveboard verify tells more"
        ) from None
