"""What has gone out of a match so far, for bots that come back and have missed some."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from aboveboard_referee.games.contract import Seat

PART = 64
"""About so many records of the past go into one message."""


class Outbox(NamedTuple):
    """What came of an input: records for the transcript and every seat, in order.

    ``shows`` are for one seat each and belong to these records. Both are exact bytes.
    """

    records: tuple[bytes, ...] = ()
    shows: Mapping[Seat, tuple[bytes, ...]] = MappingProxyType({})


class Sent:
    """All records of a match in order, and by seat the private shows among them."""

    def __init__(self) -> None:
        self._records: list[bytes] = []
        self._ends = [0]  # numbers of records after which one was signed
        self._shows: dict[Seat, list[tuple[int, bytes]]] = {}

    def keep(self, records: Sequence[bytes], signed: bool) -> None:
        """Add records that were made together; whether the last one has a signature."""
        self._records.extend(records)
        if signed and records:
            self._ends.append(len(self._records))

    def keep_show(self, seat: Seat, sequence: int, show: bytes) -> None:
        """Add what the event ``sequence`` shows to ``seat`` alone."""
        self._shows.setdefault(seat, []).append((sequence, show))

    def since(self, seat: Seat, have: int) -> Iterator[Outbox]:
        """All after the first ``have`` records, in parts that end with a signed one."""
        start, private = have, self._shows.get(seat, [])
        # Most are asked for what is newest, and in a long match all before it would be walked.
        for end in self._ends[bisect_right(self._ends, have) :]:
            if end - start >= PART or end == self._ends[-1]:
                first, last = (bisect_left(private, at, key=itemgetter(0)) for at in (start, end))
                shows = tuple(show for _, show in private[first:last])
                yield Outbox(tuple(self._records[start:end]), {seat: shows} if shows else {})
                start = end
