"""Verifying matches in several processes at once.

Matches are independent of each other, so they are the unit. Few transcripts are in memory
at a time: each is read when a process is about to be free for it. What a process found
comes back as plain values, since deviations do not travel between processes.
"""

import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, fields
from multiprocessing import get_context

from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.verify.attempts import MatchVerifier, Outcome, attempt_match, verify_here
from aboveboard_referee.verify.match import MatchSummary

WORTH_BYTES = 4 << 20
"""From so many bytes of transcripts on, about a second's work, further processes pay off."""

AHEAD = 3
"""Transcripts a process that are handed out before the first one's outcome is waited for."""


@dataclass(frozen=True)
class _Deviated:
    step: Step
    sequence: int
    expected: str
    found: str
    blame: str


Packed = MatchSummary | _Deviated


@contextmanager
def match_verifier(processes: int, total_bytes: int) -> Iterator[MatchVerifier]:
    """Verifies with up to ``processes`` processes; in this one if the work is little.

    ``total_bytes`` is the size of all transcripts together. Should the processes die,
    e.g. for want of memory, this one goes on alone.
    """
    if processes < 2 or total_bytes < WORTH_BYTES:
        yield verify_here
        return
    # A fork of a process with threads can hang, so the new ones start afresh.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield InProcesses(pool, processes)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class InProcesses:
    """A ``MatchVerifier`` over a pool of so many processes."""

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self._pool = pool
        self._most = AHEAD * processes
        self._broken = False

    def __call__(self, transcripts: Iterable[bytes]) -> Iterator[Outcome]:
        waiting: deque[tuple[bytes, Future[Packed] | None]] = deque()
        for transcript in transcripts:
            waiting.append((transcript, self._submit(transcript)))
            if len(waiting) > self._most:
                yield self._outcome(*waiting.popleft())
        while waiting:
            yield self._outcome(*waiting.popleft())

    def _submit(self, transcript: bytes) -> Future[Packed] | None:
        if not self._broken:
            try:
                return self._pool.submit(_verify, transcript)
            except BrokenProcessPool:
                self._broken = True
        return None

    def _outcome(self, transcript: bytes, future: Future[Packed] | None) -> Outcome:
        if future is not None and not self._broken:
            try:
                packed = future.result()
            except BrokenProcessPool:
                self._broken = True
            else:
                return _unpack(packed)
        return attempt_match(transcript)


def _verify(transcript: bytes) -> Packed:
    outcome = attempt_match(transcript)
    if isinstance(outcome, Deviation):
        return _Deviated(
            outcome.step, outcome.sequence, outcome.expected, outcome.found, outcome.blame
        )
    return MatchSummary(**{f.name: getattr(outcome, f.name) for f in fields(MatchSummary)})


def _unpack(packed: Packed) -> Outcome:
    if isinstance(packed, MatchSummary):
        return packed
    return Deviation(packed.step, packed.sequence, packed.expected, packed.found, packed.blame)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
