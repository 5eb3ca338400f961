"""A journal as a file that only grows, one record after the other::

    u32 length ‖ u32 CRC-32 of length ‖ payload ‖ u32 CRC-32 of payload

    payload 0            the exact opening record
    payload 1, 2, …      u32 asked ‖ the exact answer

Each record is on disk before the next one is written and before its bytes are sent. So
a last record that is not whole was never sent, and is forgotten; anything else that
does not fit is damage.
"""

import os
import struct
import zlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import trio

from aboveboard_client.state.journal import JournalError

RECORD_LIMIT = 64 * 1024
"""Most bytes of a payload. An opening has a few thousand, an answer 4096 at most."""

FILE_LIMIT = 16 << 20
"""Most bytes of a journal. A long match has some hundred thousand."""

_U32 = struct.Struct(">I")
_HEADER = struct.Struct(">II")

InThread = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs what waits for a disk without holding up the event loop."""


class FileJournal:
    """The journal in one file. ``read`` is the way to get one."""

    def __init__(self, path: Path, payloads: list[bytes], size: int, run: InThread) -> None:
        self._path = path
        self._size = size  # of the whole records
        self._run = run
        self._one_by_one = trio.Lock()
        self._opening = payloads[0] if payloads else b""
        self._answers = {_U32.unpack_from(data)[0]: data[_U32.size :] for data in payloads[1:]}

    @classmethod
    def read(cls, path: Path, run: InThread) -> "FileJournal":
        """The journal in ``path``, which is made if it is not there. Raises ``JournalError``."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            with open(descriptor, "rb") as file:
                data = file.read(FILE_LIMIT + 1)
            sync_folder(path.parent)
        except OSError as error:
            raise JournalError(f"the journal {path} cannot be read: {error.strerror}") from error
        payloads, size = _parse(path, data)
        return cls(path, payloads, size, run)

    @property
    def opening(self) -> bytes:
        return self._opening

    def answer(self, asked: int) -> bytes | None:
        return self._answers.get(asked)

    async def keep_opening(self, record: bytes) -> None:
        await self._append(record)
        self._opening = record

    async def keep_answer(self, asked: int, answer: bytes) -> None:
        await self._append(_U32.pack(asked) + answer)
        self._answers[asked] = answer

    async def _append(self, payload: bytes) -> None:
        record = framed(payload)
        async with self._one_by_one:
            if len(payload) > RECORD_LIMIT or self._size + len(record) > FILE_LIMIT:
                problem = f"the journal {self._path} has no room for {len(payload)} bytes"
                raise JournalError(problem)
            try:
                await self._run(partial(write_at, self._path, self._size, record))
            except OSError as error:
                problem = f"the journal {self._path} cannot be written: {error.strerror}"
                raise JournalError(problem) from error
            self._size += len(record)


def framed(payload: bytes) -> bytes:
    """The bytes of one record."""
    length = _U32.pack(len(payload))
    return length + _checked(length) + payload + _checked(payload)


def sync_folder(path: Path) -> None:
    """Have the names in a folder on disk. Raises ``OSError``."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _checked(data: bytes) -> bytes:
    return _U32.pack(zlib.crc32(data))


def write_at(path: Path, at: int, data: bytes) -> None:
    """Put ``data`` at a place of a file that is there, as its end and on disk."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        # What a failed write has left behind must not stand between two records.
        os.ftruncate(descriptor, at)
        done = 0
        while done < len(data):
            done += os.pwrite(descriptor, data[done:], at + done)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _parse(path: Path, data: bytes) -> tuple[list[bytes], int]:
    """All payloads, and the size of their records; what follows is a torn last record."""
    damaged = JournalError(f"the journal {path} is damaged")
    if len(data) > FILE_LIMIT:
        raise damaged
    payloads: list[bytes] = []
    at = 0
    while len(data) - at >= _HEADER.size:
        length, check = _HEADER.unpack_from(data, at)
        body = at + _HEADER.size
        if not length or check != zlib.crc32(data[at : at + _U32.size]):
            # A power cut can leave a file that has grown and was not filled.
            if any(data[at:]):
                raise damaged
            break
        end = body + length + _U32.size
        payload = data[body : body + length]
        if data[end - _U32.size : end] != _checked(payload):
            if end < len(data):
                raise damaged
            break
        if payloads and length <= _U32.size:
            raise damaged
        payloads.append(payload)
        at = end
    return payloads, at
