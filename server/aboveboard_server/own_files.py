"""Files that a server makes: readable by their owner alone, and whole or not there."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.state.journal_file import sync_folder


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that must not be there yet, on disk when the block ends. Raises ``OSError``."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def save_new(path: Path, data: bytes) -> None:
    """Save a new file. Raises ``OSError``."""
    with new_file(path) as file:
        file.write(data)


def make_file(path: Path, save: Callable[[Path], None]) -> None:
    """Save a file so that whenever the process is killed there is a whole one or none.

    Of two processes that do so at once the first one's file stays, and both read it.
    Raises ``OutsideFailure``.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        # What a process of the same number left behind when it was killed is nobody's.
        new.unlink(missing_ok=True)
        save(new)
        with suppress(FileExistsError):
            os.link(new, path)
        new.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be written: {error.strerror}") from error
