"""What a bot keeps of each public log, so that it can be shown no other after a restart::

    log/T.leaves        the hashes of the leaves, 32 bytes each; T is the tournament id
    log/T.checkpoint    the newest signed note that these hashes have the root of

Hashes are on disk before the note that covers them takes the place of an older one, and
what the bot does because of a checkpoint it does after that. So a process that ends
anywhere leaves a note whose leaves are all there; hashes beyond it are forgotten.
"""

from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.journal import JournalError
from aboveboard_client.state.journal_file import InThread, write_at
from aboveboard_client.state.replacing import replace_file
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.log.checkpoint import parse_checkpoint
from aboveboard_referee.log.follower import MAX_LEAVES
from aboveboard_referee.log.note import MAX_BYTES, BadNote, parse_note


class LogStore(Protocol):
    """Keeps leaf hashes and the newest checkpoint of logs, by tournament."""

    def read(self, tournament: bytes) -> tuple[bytes, bytes]:
        """The hashes and the note; both empty if there is nothing yet.

        Raises ``WrongUse`` for what is damaged, ``OutsideFailure`` where it cannot be read.
        """
        ...

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        """Return once the hashes from leaf ``start`` on are kept, and then the note.

        Raises ``JournalError``.
        """
        ...


class MemoryLogs:
    """Of a bot that cannot be started anew: nothing is kept but by its process."""

    def read(self, tournament: bytes) -> tuple[bytes, bytes]:
        return b"", b""

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        return


class FileLogs:
    """Of a bot with a state folder."""

    def __init__(self, folder: Path, run: InThread = trio.to_thread.run_sync) -> None:
        """``folder`` is there. Raises ``OutsideFailure``."""
        self._folder = folder / "log"
        self._run = run
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise OutsideFailure(f"{self._folder} cannot be made: {error.strerror}") from error

    def read(self, tournament: bytes) -> tuple[bytes, bytes]:
        leaves, checkpoint = self._paths(tournament)
        try:
            with checkpoint.open("rb") as file:
                note = file.read(MAX_BYTES + 1)
            with leaves.open("rb") as file:
                hashes = file.read(MAX_LEAVES * HASH_BYTES)
        except FileNotFoundError:
            if checkpoint.exists():
                raise _damaged(checkpoint) from None
            return b"", b""
        except OSError as error:
            raise OutsideFailure(f"{error.filename} cannot be read: {error.strerror}") from error
        try:
            covered = parse_checkpoint(parse_note(note).text).size * HASH_BYTES
        except BadNote:
            raise _damaged(checkpoint) from None
        if len(hashes) < covered:
            raise _damaged(leaves)
        return hashes[:covered], note

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        leaves, checkpoint = self._paths(tournament)
        try:
            await self._run(partial(_write, leaves, start * HASH_BYTES, hashes, checkpoint, note))
        except OSError as error:
            problem = f"the log's state in {self._folder} cannot be written: {error.strerror}"
            raise JournalError(problem) from error

    def _paths(self, tournament: bytes) -> tuple[Path, Path]:
        stem = tournament.hex()
        return self._folder / f"{stem}.leaves", self._folder / f"{stem}.checkpoint"


def _write(leaves: Path, at: int, hashes: bytes, checkpoint: Path, note: bytes) -> None:
    leaves.touch(mode=0o600)
    write_at(leaves, at, hashes)
    replace_file(checkpoint, note, mode=0o600)


def _damaged(path: Path) -> WrongUse:
    return WrongUse(
        f"{path} is damaged; without it and its like the bot can be shown another history, "
        "so put back a copy, or delete the folder if you accept that"
    )
