"""Measuring the luck of many matches, in several processes at once.

Matches are independent of each other, so they are the unit. Few transcripts are in memory at a
time: each is read when a process is about to be free for it.
"""

import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from aboveboard_client.archives.reading import records
from aboveboard_client.errors import OutsideFailure, VerdictAgainst
from aboveboard_client.measuring.luck import luck
from aboveboard_client.measuring.open_decks import open_decks
from aboveboard_referee.match.deviation import Deviation

AHEAD = 3
"""Transcripts a process that are handed out before the first one's luck is waited for."""

Transcript = tuple[str, bytes]
"""A file's name, and what is in it."""


def lucks(
    transcripts: Iterable[Transcript], replays: int, processes: int
) -> Iterator[tuple[float, ...]]:
    """By seat, the luck of each match, in order.

    Raises ``VerdictAgainst`` for a match that cannot be followed, ``WrongUse`` for a file that
    is none, and ``OutsideFailure`` if the processes die.
    """
    if processes < 2:
        for transcript in transcripts:
            yield _measured(transcript, replays)
        return
    # A fork of a process with threads can hang, so the new ones start afresh.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_ignore_interrupts)
    try:
        waiting: deque[Future[tuple[float, ...]]] = deque()
        for transcript in transcripts:
            waiting.append(pool.submit(_measured, transcript, replays))
            if len(waiting) > AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise OutsideFailure("a process that replays matches died, for want of memory?") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _measured(transcript: Transcript, replays: int) -> tuple[float, ...]:
    path, data = transcript
    try:
        return luck(open_decks(records(path, data)), replays)
    except Deviation as error:
        raise VerdictAgainst(
            f"{path} cannot be followed: {error}; aboveboard verify tells more"
        ) from None


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
