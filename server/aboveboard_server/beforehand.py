"""What can be told of a tournament before its server begins: when it starts, and what is amiss."""

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_server.config import Config
from aboveboard_server.door.tokens import read_digests
from aboveboard_server.store.archive import is_archive


def begins(config: Config, order: str, now_us: int) -> str:
    """When the tournament begins, in a line. ``order`` is the command that an organiser gives."""
    if config.start_at_us is not None:
        at = f"{datetime.fromtimestamp(config.start_at_us / 1e6, UTC):%Y-%m-%d %H:%M:%S} UTC"
        if config.start_at_us <= now_us:
            return f"start_at has passed, {at}: begins as soon as two have entered"
        return f"begins at {at}"
    if config.entrants:
        return f"begins when {config.entrants} have entered"
    return f"begins at the organiser's word: {order}"


def check_files(config: Config) -> None:
    """Refuse what a server would fail at: its state folder, and files that its keys name.

    Nothing is left behind. Raises ``WrongUse`` and ``OutsideFailure`` as the server does.
    """
    refuse_archive(config.state)
    try:
        # Only a trial tells: root may write everywhere, but where no file can be made.
        Path(tempfile.mkdtemp(prefix=".aboveboard-", dir=_nearest(config.state))).rmdir()
    except (FileExistsError, NotADirectoryError):
        raise no_folder(config.state) from None
    except OSError as error:
        raise OutsideFailure(f"{config.state} cannot be made: {error.strerror}") from error
    for path in (config.organiser_key, config.referee_key, config.log_key):
        if path is not None:
            load_key(path)
    if config.entry_tokens is not None:
        read_digests(config.entry_tokens)


def refuse_archive(state: Path) -> None:
    """Raises ``WrongUse`` for a state folder that is an archive."""
    if is_archive(state):
        raise WrongUse(f"{state} is an archive itself; choose another state folder")


def no_folder(state: Path) -> WrongUse:
    """What is wrong with a state folder that is no folder."""
    return WrongUse(f"the state folder {state} is a file, or lies below one")


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that there is. Raises ``OSError``."""
    while True:
        try:
            os.stat(folder)
        except FileNotFoundError:
            if os.path.islink(folder):
                raise FileExistsError from None  # it leads nowhere
            folder = folder.parent
        else:
            return folder
