"""A folder that one process alone uses at a time."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.journal_file import sync_folder


@contextmanager
def locked_folder(path: Path, what: str, whose: str) -> Iterator[None]:
    """Hold a folder for as long as the block lasts; it is made if it is not there.

    ``what`` it is and by ``whose`` process it can be in use is for messages. The file
    ``lock`` in it is held, which ends with the process however that ends. Raises
    ``WrongUse`` where somebody else holds it, ``OutsideFailure`` where it cannot be used.
    """
    try:
        if not path.exists():
            path.mkdir(mode=0o700)
            sync_folder(path.absolute().parent)
        lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except (FileNotFoundError, FileExistsError, NotADirectoryError):
        raise WrongUse(f"{path} is no folder and cannot be made one") from None
    except OSError as error:
        raise unusable(path, what, error) from error
    try:
        _hold(lock, path, whose)
        yield
    finally:
        os.close(lock)


def _hold(lock: int, path: Path, whose: str) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WrongUse(f"{path} is in use by another {whose}; stop that one first") from None


def unusable(path: Path, what: str, error: OSError) -> OutsideFailure:
    """That a folder cannot be used, for a person."""
    return OutsideFailure(f"{what} {path} cannot be used: {error.strerror}")
