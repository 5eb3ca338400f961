"""Putting a file in place of another, so that there is always a whole one."""

import os
from pathlib import Path

from aboveboard_client.state.journal_file import sync_folder


def replace_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write under another name first, then rename; on disk when this returns.

    ``mode`` is that of a new file, as far as the process's mask lets it. Raises
    ``OSError``; then the old file is as it was.
    """
    new = path.with_name(f"{path.name}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    new.replace(path)
    sync_folder(path.parent)
