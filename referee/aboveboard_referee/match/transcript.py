"""A transcript file: the records of one match, each behind its length.

    ┌─────────────┬────────────────┬─────────────┬────────────────┬───
    │ u32 length  │ Signed record  │ u32 length  │ Signed record  │ …
    └─────────────┴────────────────┴─────────────┴────────────────┴───

Big-endian lengths, nothing before, between or after. The first record is MatchOpen,
then come the events in sequence, the last is MatchClose.
"""

from collections.abc import Iterable

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.bytes import lp

RECORD_LIMIT = 1 << 20
"""No record is longer than this many bytes."""


RECORDS_LIMIT = 1 << 19
"""No file holds more records; an honest match has some thousand."""


class NoRecord(Refused):
    """Where a record should be there is no whole one; ``record`` is its number, from 0."""

    def __init__(self, record: int, rule: str) -> None:
        super().__init__(rule)
        self.record = record


def join(records: Iterable[bytes]) -> bytes:
    """The file that holds these records."""
    return b"".join(lp(record) for record in records)


def split(data: bytes, limit: int = RECORD_LIMIT) -> tuple[bytes, ...]:
    """The records in a file; ``NoRecord`` if they do not fill it exactly, or one is too long."""
    records: list[bytes] = []
    at = 0
    while at < len(data):
        number = len(records)
        if at + 4 > len(data):
            raise NoRecord(number, f"the file ends in the length of record {number}, at byte {at}")
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 0 or size > limit:
            raise NoRecord(number, f"{size} bytes as record {number}, at byte {at}")
        if at + 4 + size > len(data):
            raise NoRecord(number, f"the file ends in record {number}, at byte {at}")
        if number == RECORDS_LIMIT:
            raise NoRecord(number, f"more than {RECORDS_LIMIT} records")
        records.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return tuple(records)
