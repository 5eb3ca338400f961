"""Files of records: each behind its length (section 18)."""

from collections.abc import Iterable

from tests.oracle.primitives import lp
from tests.oracle.wire import LIMIT


def join(records: Iterable[bytes]) -> bytes:
    return b"".join(map(lp, records))


def split(data: bytes) -> list[bytes]:
    """The records of a file, or ValueError if they do not fill it."""
    records = []
    while data:
        size, rest = int.from_bytes(data[:4], "big"), data[4:]
        if len(data) < 4 or not 1 <= size <= LIMIT or len(rest) < size:
            raise ValueError("this is no file of records")
        records.append(rest[:size])
        data = rest[size:]
    return records
