"""Taking a backup of a state folder, while its server runs or not, and putting one back."""

import io
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from google.protobuf.message import DecodeError

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.release import SOFTWARE
from aboveboard_client.state.journal_file import sync_folder
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_server.operations.backup_file import (
    BackedUp,
    BadBackup,
    Manifest,
    check_end,
    digest_of,
    pieces,
    read_manifest,
    storable,
    write_backup,
)
from aboveboard_server.operations.restored import MARK, mark_restored
from aboveboard_server.own_files import new_file
from aboveboard_server.store.book import Book
from aboveboard_server.store.database import StoreError, copy_database, read_events

DATABASE = "tournament.db"

BESIDE = "beside"
"""In the state folder, a folder for what the tournament's file names elsewhere, and for itself."""

SMALL = 64 << 20
"""Most bytes of a file that is no database: all of them are read at one moment."""

_MADE_AGAIN = (f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-lock", DATABASE, MARK)
_FOLDERS_MADE_AGAIN = ("archive", "archive.partial")
_ENDINGS_LEFT_OUT = (".log", ".log.1", ".new")


@dataclass(frozen=True)
class Taken:
    """A backup that was written and read again; ``left_out`` are files that it cannot hold."""

    manifest: Manifest
    size: int
    left_out: tuple[str, ...]


def take_backup(state: Path, file: Path, beside: Sequence[Path] = (), log: str = "") -> Taken:
    """Write everything that is needed to go on from ``state`` into ``file``, readable by its
    owner only: keys and secrets are in it.

    ``beside`` are files elsewhere that belong to it, and ``log`` is the server's own log,
    which does not. The archive is left out as well: it is made again from the rest. An
    older ``file`` is replaced once the new one has been read again. Raises ``WrongUse``,
    and ``OutsideFailure`` for disks.
    """
    if not (state / DATABASE).is_file():
        raise WrongUse(f"{state} has no {DATABASE}: it is no tournament's state folder")
    if file.resolve().is_relative_to(state.resolve()):
        raise WrongUse(f"{file} is inside of {state}: put the backup somewhere else")
    new, copy = (file.with_name(f"{file.name}.{kind}new") for kind in ("", "db."))
    with _on_disk(file), ExitStack() as stack:
        for path in (new, copy):
            path.unlink(missing_ok=True)  # of an earlier one that was killed
            stack.callback(path.unlink, missing_ok=True)
        try:
            copy_database(state / DATABASE, copy)
            book = Book().apply_all(read_events(copy))
        except StoreError as error:
            raise OutsideFailure(str(error)) from error
        except (Refused, Illegal, DecodeError) as error:
            raise OutsideFailure(f"{state / DATABASE} is damaged: {error}") from error
        contents: list[tuple[str, IO[bytes]]] = [(DATABASE, stack.enter_context(copy.open("rb")))]
        left_out: list[str] = []
        for name, path in [*_files(state, log), *_named(beside)]:
            if storable(name) and path.stat().st_size <= SMALL:
                # What changes meanwhile is taken as it is now.
                contents.append((name, io.BytesIO(path.read_bytes())))
            else:
                left_out.append(name)
        listings = tuple(_listed(name, content) for name, content in contents)
        manifest = Manifest(
            made=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            software=SOFTWARE,
            leaves=book.ledger.size,
            under_way=tuple(attempt.match for attempt in book.ledger.attempts.under_way),
            files=listings,
        )
        with new_file(new) as out:
            try:
                write_backup(out, manifest, [content for _, content in contents])
            except BadBackup as error:
                raise OutsideFailure(f"{file}: {error}") from error
        try:
            _check(new)
        except BadBackup as error:
            raise OutsideFailure(f"the disk did not keep {file}: {error}") from error
        size = new.stat().st_size
        new.replace(file)
        sync_folder(file.absolute().parent)
    return Taken(manifest, size, tuple(left_out))


def restore_backup(file: Path, state: Path) -> Manifest:
    """Put a backup back as the new folder ``state``, and mark it as restored.

    Every byte is held against its hash first, in a folder beside it; so there is a whole
    state or none. Raises ``VerdictAgainst`` for what is no whole backup, ``WrongUse``, and
    ``OutsideFailure`` for disks.
    """
    if os.path.lexists(state):
        raise WrongUse(f"{state} is there already; restore to a folder that is not")
    new = state.with_name(f"{state.name}.restoring")
    try:
        data = file.open("rb")
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from error
    with data, _on_disk(state):
        if os.path.lexists(new):
            raise WrongUse(f"{new} is left of a restore that was broken off; remove it first")
        state.absolute().parent.mkdir(parents=True, exist_ok=True)
        new.mkdir(mode=0o700)
        try:
            manifest = read_manifest(data)
            for listing in manifest.files:
                _put(new / listing.path, pieces(data, listing))
            check_end(data, manifest)
            mark_restored(new, manifest.made)
            for folder in [path for path in new.rglob("*") if path.is_dir()]:
                sync_folder(folder)
            if os.path.lexists(state):
                raise WrongUse(f"{state} has come meanwhile; restore to a folder that is not")
            new.rename(state)
            sync_folder(state.absolute().parent)
        except BadBackup as error:
            raise VerdictAgainst(f"{file} is no whole backup, nothing is restored: {error}") from (
                error
            )
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return manifest


def _check(file: Path) -> None:
    """Read a backup to its end. Raises ``BadBackup``."""
    with file.open("rb") as data:
        manifest = read_manifest(data)
        for listing in manifest.files:
            for _ in pieces(data, listing):
                pass
        check_end(data, manifest)


def _put(path: Path, content: Iterator[bytes]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with new_file(path) as file:
        for piece in content:
            file.write(piece)


def _files(state: Path, log: str) -> Iterator[tuple[str, Path]]:
    """The plain files of a state folder that are not made again, by their paths in order.

    In this order a bot's checkpoint is read before the leaves below it.
    """
    for path in sorted(state.rglob("*")):
        name = path.relative_to(state).as_posix()
        if name in _MADE_AGAIN or name.split("/")[0] in _FOLDERS_MADE_AGAIN:
            continue
        if path.name == "lock" or path.name.endswith(_ENDINGS_LEFT_OUT):
            continue
        if log and (name == log or name.startswith(f"{log}.")):
            continue
        if stat.S_ISREG(path.lstat().st_mode):
            yield name, path


def _named(files: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Files from elsewhere by their places in a backup, each name once."""
    found: dict[str, Path] = {}
    for number, path in enumerate(files):
        name = path.name if path.name not in found else f"{number}-{path.name}"
        found[name] = path
    for name in sorted(found):
        yield f"{BESIDE}/{name}", found[name]


def _listed(name: str, content: IO[bytes]) -> BackedUp:
    size, sha256 = digest_of(content)
    content.seek(0)
    return BackedUp(name, size, sha256)


@contextmanager
def _on_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = error.filename or path
        raise OutsideFailure(f"{where}: {error.strerror or error}; {path} is as it was") from error
