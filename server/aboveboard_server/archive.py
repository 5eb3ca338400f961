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
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.archive import (
    CLOSE,
    ENTRIES,
    MANIFEST,
    STANDINGS,
    match_file,
    round_file,
    standings_csv,
)
from aboveboard_referee.verify.blame import blamed
from aboveboard_referee.verify.tournament import attempt_match
from aboveboard_server.book import CLOSE_TYPE, MATCH, Book, attempt_of
from aboveboard_server.database import Stored
from aboveboard_server.store import EventStore

LAYOUT = re.compile(
    r"(manifest|close)\.signed|entries\.records|standings\.csv"
    r"|(rounds|matches)(/[a-z0-9.-]+\.(signed|records))?"
)
"""What an archive's folder holds."""


def write_files(
    book: Book, store: EventStore, rows: list[pb.StandingsRow], folder: Path
) -> list[pb.ArchiveFile]:
    """Write everything but the close into ``folder`` anew; what the close has to list.

    The same tournament gives the same bytes however often it is written. Raises
    ``OutsideFailure`` where the disk does not take it.
    """
    try:
        _clear(folder)
        folder.mkdir(parents=True)
        (folder / "rounds").mkdir()
        (folder / "matches").mkdir()
        for path, data in _small_files(book, rows):
            (folder / path).write_bytes(data)
        _write_matches(store.events(MATCH), folder)
        return sorted(
            (_listed(folder, file) for file in folder.rglob("*") if file.is_file()),
            key=lambda listed: listed.path,
        )
    except OSError as error:
        raise OutsideFailure(f"the archive {folder}: {error.strerror or error}") from error


def find_damage(folder: Path) -> str | None:
    """The first transcript that cannot be verified, in a line; ``None`` if all can be."""
    for path in sorted((folder / "matches").iterdir()):
        data = path.read_bytes()
        outcome = attempt_match(data)
        if isinstance(outcome, Deviation):
            return f"{path.name}: {blamed(outcome, data)}"
    return None


def finish(folder: Path, close: bytes, archive: Path) -> None:
    """Add the close to the files in ``folder`` and put them in the archive's place."""
    try:
        (folder / CLOSE).write_bytes(close)
        for file in folder.rglob("*"):
            _sync(file)
        _clear(archive)
        os.replace(folder, archive)
        _sync(archive.parent)
    except OSError as error:
        raise OutsideFailure(f"the archive {archive}: {error.strerror or error}") from error


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


def _clear(folder: Path) -> None:
    check_clear(folder)
    if folder.exists():
        shutil.rmtree(folder)


def _small_files(book: Book, rows: list[pb.StandingsRow]) -> Iterator[tuple[str, bytes]]:
    yield MANIFEST, book.signed_manifest
    yield ENTRIES, join([*(entry.to_bytes() for entry in book.signed_entries), book.closed])
    for pairings, data in zip(book.rounds, book.signed_rounds, strict=True):
        yield round_file(pairings.round), data
    assert book.manifest is not None
    yield STANDINGS, standings_csv(book.manifest, book.names, rows)


def _write_matches(events: Iterator[Stored], folder: Path) -> None:
    """One pass over the store; only the files of matches that ran at one time are open."""
    files: dict[str, IO[bytes]] = {}
    try:
        for event in events:
            if event.kind != "record":
                continue
            file = files.get(event.topic)
            if file is None:
                path = folder / match_file(*attempt_of(event.topic))
                file = files[event.topic] = path.open("xb")
            file.write(lp(event.body))
            if CLOSE_TYPE.encode() in event.body[:64]:
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


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
