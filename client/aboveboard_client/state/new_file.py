"""A file that a person asked for by name, and that takes nobody else's place."""

import os
from pathlib import Path

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.journal_file import sync_folder


def save_new(path: Path, data: bytes, what: str, mode: int = 0o666) -> None:
    """Write a file that is not there yet; on disk when this returns.

    ``what`` it holds is for messages; ``mode`` as far as the process's mask lets it. Raises
    ``WrongUse`` if there is a file already, which is left as it is, or no folder, and
    ``OutsideFailure`` where it cannot be written; then nothing is left of it.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise WrongUse(f"{path} is there already and is not overwritten") from None
    except (FileNotFoundError, NotADirectoryError):
        raise WrongUse(f"there is no folder {path.parent} to put the {what} in") from None
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be written: {error.strerror}") from error
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        sync_folder(path.parent)
    except OSError as error:
        path.unlink()
        raise OutsideFailure(f"{path} cannot be written: {error.strerror}") from error
