"""Inputs that claim to be huge, or are as large as they may be and hold as much as they can.

``python -m tests.fuzz.claims`` gives them to every target in a process that has little
memory, and says what was not refused as declared.
"""

import resource
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.fuzz.corpus import kept
from tests.fuzz.mutate import varint
from tests.fuzz.table import TARGETS
from tests.fuzz.target import Target

MEMORY_MIB = 256
"""What all targets together may take beyond what they need for their seeds."""

LARGE = 1 << 20
PLACES = 10

LENGTHS = (b"\x7f\xff\xff\xff", varint(2**63))
"""Lengths and counts as somebody might believe them."""

TAGS = range(0x0A, 0x42, 8)
"""Of the fields 1 to 7, with a length."""

FULL = (
    *(bytes([tag, 0]) * (LARGE // 2) for tag in TAGS),  # empty items of a list
    *(bytes([tag]) + varint(LARGE - 5) + b"\1" * (LARGE - 5) for tag in TAGS),
    b"\0\0\0\1a" * (LARGE // 5),
    bytes(LARGE),
    b"\xff" * LARGE,
    b"[" * LARGE,
    b"\n" * LARGE,
    b" " * LARGE,
    b"9" * LARGE,
    b"a\n\n" + b"\xe2\x80\x94 a AAAAAAA=\n" * 1_000_000,
    b"rounds = " + b"9" * (LARGE - 100),
    b"-----BEGIN PRIVATE KEY-----\n" + b"A" * LARGE,
)
"""As much as there can be in a mebibyte, of one thing after the other."""


def claims(target: Target) -> Iterator[bytes]:
    """Its seeds with a length put in the place of what is there, and whatever is full."""
    for seed in kept(target)[:3]:
        for at in range(0, len(seed), max(1, len(seed) // PLACES)):
            for length in LENGTHS:
                yield seed[:at] + length + seed[at + 1 :]
                yield seed[:at] + length + seed[at + len(length) :]
    yield from FULL


def main() -> None:
    for target in TARGETS:
        for seed in kept(target):
            target.run(seed)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = used + (MEMORY_MIB << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for target in TARGETS:
        # Others read the same, with signatures believed or by the tests' own slow readers.
        if target.name.endswith(("-believed", "-twice")):
            continue
        if said := next(filter(None, map(partial(failure, target), claims(target))), None):
            print(f"{target.name}: {said[:300]}")


def failure(target: Target, data: bytes) -> str:
    """What came of an input that was not declared, in words; nothing if it was."""
    try:
        target.run(data)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told
        return f"{type(error).__name__} {error}, of {data[:20]!r}…"
    return ""


if __name__ == "__main__":
    main()
