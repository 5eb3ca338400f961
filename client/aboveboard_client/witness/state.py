"""A witness's state folder: what it last co-signed of each log, and nothing else.

::

    witness      the witness's own vkey, written once
    lock         held by the one process that uses the folder
    H.head       for each log, H = SHA-256 of its origin in hexadecimal:

                 "aboveboard witness head v1 " ‖ SHA-256 of the note in hexadecimal ‖ "\\n"
                 note                          the last co-signed checkpoint, byte for byte

    H.fork       only if the log has signed two roots of one size; the first time it was seen:

                 "aboveboard witness fork v1 " ‖ n in decimal ‖ "\n"
                 note[n]                       what was co-signed
                 note                          what was offered later and refused

A head is replaced as a whole: written under another name, put on disk, renamed, and the
folder put on disk. Only then does a co-signature leave. So a process that ends anywhere
leaves the head before or the head after, and has co-signed nothing that it forgets.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from aboveboard_client.errors import WrongUse
from aboveboard_client.state.journal_file import sync_folder
from aboveboard_client.state.locked_folder import locked_folder, unusable
from aboveboard_client.terminal.output import printable

NOTE_LIMIT = 64 * 1024
"""Most bytes of a note: it came in a request that is no longer."""

WHAT = "the witness's state"
REMEDY = (
    "a witness whose memory is lost must not co-sign with the same key any more; "
    "see docs/witness.md"
)

_HEADER = re.compile(rb"aboveboard witness head v1 ([0-9a-f]{64})\n")


class Disk:
    """The steps that put a file in place of another, one by one: tests stop between them."""

    def create(self, path: Path) -> int:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)

    def write(self, descriptor: int, data: bytes) -> int:
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        os.close(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        os.rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        sync_folder(folder)


class StateFolder:
    """The heads in a folder that is this process's alone; `state_folder` opens one."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def head(self, origin: str) -> bytes | None:
        """The note of the log's last co-signed checkpoint; None if there is none.

        Raises ``WrongUse`` for a file that is not as it was written: a witness that took
        it for nothing would co-sign a second history.
        """
        path = self.path(origin)
        try:
            with path.open("rb") as file:
                data = file.read(NOTE_LIMIT + 1024)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise unusable(path, WHAT, error) from error
        header = _HEADER.match(data)
        if header is None or sha256(note := data[header.end() :]).hexdigest() != header[1].decode():
            raise WrongUse(f"{path} is damaged: {REMEDY}")
        return note

    def keep(self, origin: str, note: bytes) -> None:
        """Return once the note is on disk as the log's head. Raises ``OSError``."""
        self._replace(self.path(origin), head_file(note))

    def keep_fork(self, origin: str, head: bytes, refused: bytes) -> Path:
        """Have a log's two notes of one size on disk, the first such pair; where it is.

        They prove that log's key false to whoever has it. Raises ``OSError``.
        """
        path = self.path(origin).with_suffix(".fork")
        if not path.exists():
            self._replace(path, b"aboveboard witness fork v1 %d\n" % len(head) + head + refused)
        return path

    def path(self, origin: str) -> Path:
        """Where the head of a log is kept: any origin makes a harmless name."""
        return self._folder / f"{sha256(origin.encode()).hexdigest()}.head"

    def claim(self, vkey: str) -> bool:
        """Make the folder this witness's, if it is nobody's; whether it was.

        Raises ``WrongUse`` if it is another's: what one key has co-signed says nothing
        about another. Raises ``OSError``.
        """
        path = self._folder / "witness"
        try:
            with path.open("rb") as file:
                owner = file.read(NOTE_LIMIT)
        except FileNotFoundError:
            if any(self._folder.glob("*.head")):
                raise WrongUse(f"{path} is missing: {REMEDY}") from None
            self._replace(path, f"{vkey}\n".encode())
            return True
        if owner != f"{vkey}\n".encode():
            name = printable(owner.decode(errors="replace").strip())
            raise WrongUse(
                f"{self._folder} is the state of another witness, {name}: "
                "every witness needs a folder of its own"
            )
        return False

    def _replace(self, path: Path, data: bytes) -> None:
        disk = self._disk
        new = path.with_name(f"{path.name}.new")
        descriptor = disk.create(new)
        try:
            done = 0
            while done < len(data):
                done += disk.write(descriptor, data[done:])
            disk.sync(descriptor)
        finally:
            disk.close(descriptor)
        disk.rename(new, path)
        disk.sync_folder(self._folder)


def head_file(note: bytes) -> bytes:
    """The content of the file that keeps a note, as drawn above."""
    return b"aboveboard witness head v1 " + sha256(note).hexdigest().encode() + b"\n" + note


@contextmanager
def state_folder(
    path: Path, vkey: str, disk: Disk | None = None
) -> Iterator[tuple[StateFolder, bool]]:
    """The state of the witness ``vkey`` in a folder, and whether it begins with nothing.

    The folder is made if it is not there. Nobody else can use it for as long as the block
    lasts. Raises ``WrongUse`` where somebody does already, where it is another witness's
    or damaged; ``OutsideFailure`` where it cannot be read or written.
    """
    with locked_folder(path, WHAT, "witness process"):
        folder = StateFolder(path, disk or Disk())
        try:
            new = folder.claim(vkey)
        except OSError as error:
            raise unusable(path, WHAT, error) from error
        yield folder, new
