"""Verifying matches in several processes at once.

Matches are independent of each other, so they are the unit. What a process found comes
back as plain values: keys and deviations do not travel between processes.
"""

import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.terms import read_terms
from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.match import VerifiedMatch
from aboveboard_referee.verify.report import Counts
from aboveboard_referee.verify.tournament import MatchVerifier, Outcome, attempt_match, verify_here

WORTH_BYTES = 4 << 20
"""From so many bytes of transcripts on, about a second's work, further processes pay off."""


@dataclass(frozen=True)
class _Verified:
    entropy_asked: bool
    unsigned_by: tuple[int, ...]
    counts: Counts


@dataclass(frozen=True)
class _Deviated:
    step: Step
    sequence: int
    expected: str
    found: str
    blame: str


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
        yield InProcesses(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class InProcesses:
    """A ``MatchVerifier`` over a pool."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self._broken = False

    def __call__(self, transcripts: Sequence[bytes]) -> Iterable[Outcome]:
        if self._broken:
            return verify_here(transcripts)
        # The longest first, so that in the end no process waits long for another.
        order = sorted(range(len(transcripts)), key=lambda i: len(transcripts[i]), reverse=True)
        longest_first = [transcripts[i] for i in order]
        try:
            found = dict(zip(order, self._pool.map(_verify, longest_first), strict=True))
        except BrokenProcessPool:
            self._broken = True
            return verify_here(transcripts)
        return [_unpack(data, found[i]) for i, data in enumerate(transcripts)]


def _verify(transcript: bytes) -> _Verified | _Deviated:
    outcome = attempt_match(transcript)
    if isinstance(outcome, Deviation):
        return _Deviated(
            outcome.step, outcome.sequence, outcome.expected, outcome.found, outcome.blame
        )
    return _Verified(outcome.entropy_asked, outcome.unsigned_by, outcome.counts)


def _unpack(transcript: bytes, packed: _Verified | _Deviated) -> Outcome:
    if isinstance(packed, _Deviated):
        return Deviation(packed.step, packed.sequence, packed.expected, packed.found, packed.blame)
    first, *_, last = split(transcript)
    return VerifiedMatch(
        terms=read_terms(parse_signed(first)),
        close=decode(pb.MatchClose, parse_signed(last).body),
        entropy_asked=packed.entropy_asked,
        unsigned_by=packed.unsigned_by,
        counts=packed.counts,
    )


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
