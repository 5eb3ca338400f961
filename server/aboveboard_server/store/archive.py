"""Writing a finished tournament's archive, from the store to a folder of plain files."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.bytes import lp
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.verify.archive import (
    CHECKPOINT,
    CHECKPOINTS,
    LEAVES,
    STANDINGS,
    match_file,
)
from aboveboard_referee.verify.attempts import attempt_match
from aboveboard_referee.verify.blame import blamed
from aboveboard_server.store import book
from aboveboard_server.store.book import attempt_of, is_close
from aboveboard_server.store.database import Stored
from aboveboard_server.store.store import EventStore

LAYOUT = re.compile(
    r"standings\.csv|log(/(checkpoint|(leaves|checkpoints)\.records))?"
    r"|matches(/[a-z0-9.-]+\.records)?"
)
"""What an archive's folder holds."""


def write_files(store: EventStore, table: bytes, folder: Path) -> list[pb.ArchiveFile]:
    """Write all that the close has to list into ``folder`` anew; what it has to list.

    ``table`` is the file ``standings.csv``.

    The same tournament gives the same bytes however often it is written. Raises
    ``OutsideFailure`` where the disk does not take it.
    """
    try:
        _clear(folder)
        folder.mkdir(parents=True)
        (folder / "matches").mkdir()
        (folder / STANDINGS).write_bytes(table)
        _write_matches(store.events(book.MATCH), folder)
        return sorted(
            (_listed(folder, file) for file in folder.rglob("*") if file.is_file()),
            key=lambda listed: listed.path,
        )
    except OSError as error:
        raise OutsideFailure(_no_room(folder, error)) from error


def find_damage(folder: Path) -> str | None:
    """The first transcript that cannot be verified, in a line; ``None`` if all can be."""
    for path in sorted((folder / "matches").iterdir()):
        data = path.read_bytes()
        outcome = attempt_match(data)
        if isinstance(outcome, Deviation):
            return f"{path.name}: {blamed(outcome, data)}"
    return None


def finish(store: EventStore, folder: Path, archive: Path) -> None:
    """Add the log to the files in ``folder`` and put them in the archive's place.

    The log's last leaf is the close, and its last checkpoint covers it.
    """
    try:
        (folder / LEAVES).parent.mkdir()
        _write_records(store.events(book.LOG), folder / LEAVES)
        _write_records(store.events(book.CHECKPOINT), folder / CHECKPOINTS)
        *_, last = store.events(book.CHECKPOINT)
        (folder / CHECKPOINT).write_bytes(last.body)
        for file in folder.rglob("*"):
            _sync(file)
        check_own(next(store.events(book.LOG)).body, archive)
        _clear(archive)
        os.replace(folder, archive)
        _sync(archive.parent)
    except OSError as error:
        raise OutsideFailure(_no_room(archive, error)) from error


def check_clear(*folders: Path) -> None:
    """``WrongUse`` if there is anything in a folder that no archive has.

    An archive is written anew in place of an older one of the same store, and nothing
    else is ever deleted.
    """
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            known = LAYOUT.fullmatch(path.relative_to(folder).as_posix())
            if os.path.lexists(path) and (known is None or path.is_symlink()):
                raise WrongUse(
                    f"{path} is no part of an archive and would be lost; move it elsewhere"
                )


def is_archive(folder: Path) -> bool:
    """Whether a folder holds the log of a tournament that has ended."""
    return os.path.lexists(folder / LEAVES)


def check_own(manifest: bytes, *folders: Path) -> None:
    """``WrongUse`` if there is the archive of a tournament with another leaf 0 in a folder."""
    first = lp(manifest)
    for folder in folders:
        if is_archive(folder):
            try:
                with (folder / LEAVES).open("rb") as file:
                    found = file.read(len(first))
            except OSError as error:
                raise OutsideFailure(f"{folder / LEAVES}: {error.strerror or error}") from error
            if found != first:
                raise WrongUse(
                    f"{folder} is the archive of another tournament and would be lost;"
                    " move it elsewhere"
                )


def _clear(folder: Path) -> None:
    check_clear(folder)
    if folder.exists():
        shutil.rmtree(folder)


def _write_records(events: Iterator[Stored], path: Path) -> None:
    with path.open("xb") as file:
        for event in events:
            file.write(lp(event.body))


def _write_matches(events: Iterator[Stored], folder: Path) -> None:
    """One pass over the store; only the files of matches that ran at one time are open."""
    files: dict[str, IO[bytes]] = {}
    try:
        for event in events:
            file = files.get(event.topic)
            if file is None:
                path = folder / match_file(*attempt_of(event.topic))
                file = files[event.topic] = path.open("xb")
            file.write(lp(event.body))
            if is_close(event.body):
                files.pop(event.topic).close()
    finally:
        for file in files.values():
            file.close()


def _listed(folder: Path, file: Path) -> pb.ArchiveFile:
    with file.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").digest()
    return pb.ArchiveFile(
        path=file.relative_to(folder).as_posix(), sha256=digest, size=file.stat().st_size
    )


def _no_room(folder: Path, error: OSError) -> str:
    return f"the archive {folder}: {error.strerror or error}; make room, and serve again"


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
