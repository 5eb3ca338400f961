"""What a bot's process goes on with from an earlier one, and leaves for a later one."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_state import FileLogs, LogStore, MemoryLogs
from aboveboard_client.public_log.receipt_book import ReceiptBook
from aboveboard_client.state.journal import Journals, MemoryJournals
from aboveboard_client.state.report_folder import ReportFolder
from aboveboard_client.state.state_folder import SECRET_BYTES, state_folder


@dataclass(frozen=True)
class Kept:
    """What a process goes on with, and where it keeps more."""

    secret: bytes
    journals: Journals
    logs: LogStore
    folder: Path = Path()
    lasting: bool = False

    def receipts(self, chosen: Path | None) -> ReceiptBook | None:
        """The receipt where the user wants it, or in the state folder if there is one."""
        if chosen is not None:
            return ReceiptBook(chosen, chosen=True)
        return ReceiptBook(self.folder / "receipt.json") if self.lasting else None

    def reports(self, chosen: Path | None) -> ReportFolder | None:
        """Reports on lost matches where the user wants them, or in the state folder."""
        if chosen is not None:
            return ReportFolder(chosen)
        return ReportFolder(self.folder / "reports") if self.lasting else None


def folder_of(key_file: Path) -> Path:
    """Where what is played with a key is kept unless something else is said."""
    return key_file.with_name(f"{key_file.name}.state")


@contextmanager
def kept_state(key_file: Path | None, folder: Path | None) -> Iterator[Kept]:
    """The stored secret, and what was kept of all that was played with it."""
    if key_file is None:
        if folder is not None:
            raise WrongUse("--state goes with --key: a new key cannot go on with anything")
        yield Kept(secrets.token_bytes(SECRET_BYTES), MemoryJournals(), MemoryLogs())
        return
    folder = folder or folder_of(key_file)
    with state_folder(folder) as (secret, journals):
        yield Kept(secret, journals, FileLogs(folder), folder, lasting=True)
