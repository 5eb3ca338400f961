"""The SQLite file behind a server's store: who may open it, what it holds, how it is read.

::

    event( id INTEGER PRIMARY KEY, topic TEXT, kind TEXT, body BLOB )     append-only
    application_id "Abbd", user_version = the schema's version

Beside the file stand SQLite's own ``-wal`` and ``-shm`` while it is open, and ``-lock``,
which is empty and stays. Everything here blocks and belongs in a thread.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

SCHEMA_VERSION = 2
APPLICATION_ID = int.from_bytes(b"Abbd", "big")

BUSY_SECONDS = 2.0
"""How long to wait for another program that has locked the database."""

ROWS_A_STATEMENT = 250
"""Three values each, so below the 999 that SQLite may be built to stop at."""

Row = tuple[str, str, bytes]
"""Topic, kind and body of an event."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE event(
    id INTEGER PRIMARY KEY, topic TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL
);
CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""


class StoreError(Exception):
    """The store cannot be used; the message is one line for the operator.

    ::

        StoreError
        ├── StoreBusy       another process serves from this file
        └── StoreVersion    the file is of another release or another program
    """


class StoreBusy(StoreError):
    """Another process serves from this file."""


class StoreVersion(StoreError):
    """The file is a database, but of another release or another program; it is untouched."""


class Stored(NamedTuple):
    """An event as it was appended. Ids start at 1 and have no gaps."""

    id: int
    topic: str
    kind: str
    body: bytes


class Database:
    """The open file, kept from every other server process until ``close``.

    It may be used in any thread, but in one at a time. A missing or empty file is made
    a new store, readable by its owner only, since referees keep secrets in it.

    Raises StoreBusy, StoreVersion, and StoreError for whatever else is in the way.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        with _explained("open", self.path):
            self._lock = _lock(self.path)
            try:
                self._connection = _open(self.path)
            except BaseException:
                os.close(self._lock)
                raise

    def last_id(self) -> int:
        """The id of the last event; 0 if there is none."""
        with _explained("read", self.path):
            (last,) = self._connection.execute("SELECT max(id) FROM event").fetchone()
        return last or 0

    def insert(self, values: list[str | bytes]) -> int:
        """Put all rows on disk or none; the id of the last one.

        ``values`` are topic, kind and body of each row in turn. A row at a time would
        give up the interpreter's lock at each, and beside a busy loop it takes
        milliseconds to get it back; one statement gives it up once, fsync included.
        Raises StoreError.
        """
        step = 3 * ROWS_A_STATEMENT
        with _explained("write", self.path):
            if len(values) <= step:
                return self._insert(values)  # alone it is a transaction of its own
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for start in range(0, len(values), step):
                    last_id = self._insert(values[start : start + step])
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            return last_id

    def _insert(self, values: list[str | bytes]) -> int:
        rows = ", ".join(["(?, ?, ?)"] * (len(values) // 3))
        statement = f"INSERT INTO event(topic, kind, body) VALUES {rows}"  # noqa: S608 - no values
        last_id = self._connection.execute(statement, values).lastrowid
        assert last_id is not None
        return last_id

    def close(self) -> None:
        self._connection.close()
        os.close(self._lock)


def read_events(path: Path, topic_prefix: str = "") -> Iterator[Stored]:
    """The events whose topic starts so, in order, as of when the first one is read.

    Needs no lock and disturbs no server that has the file open. Raises StoreError.
    """
    with _explained("read", path), closing(_connect(path, "ro")) as connection:
        yield from map(
            Stored._make,
            connection.execute(
                "SELECT id, topic, kind, body FROM event WHERE substr(topic, 1, ?) = ? ORDER BY id",
                (len(topic_prefix), topic_prefix),
            ),
        )


PAGES_A_STEP = 256
"""Pages that are copied at a time, a megabyte: then the disk is somebody else's for a moment."""


def pause() -> None:
    """Let others have the disk."""
    time.sleep(0.002)


def copy_database(path: Path, copy: Path, between: Callable[[], object] = pause) -> None:
    """Copy all that is stored at one moment into a new file, while a server goes on writing.

    ``between`` is called after every step.
    Within one transaction, so that the copy need not begin anew whenever something is
    stored; nobody waits for its reader. Raises StoreError.
    """
    with _explained("read", path), closing(_connect(path, "ro")) as source:
        source.execute("BEGIN")
        # The first one to read begins what the transaction sees.
        (application,) = source.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            raise StoreVersion(f"{path} is a database of another program")
        with _explained("write", copy):
            os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            with closing(_connect(copy, "rw")) as target:
                source.backup(target, pages=PAGES_A_STEP, progress=lambda *_: between())
                # One file, which nobody needs a log beside to read.
                target.execute("PRAGMA journal_mode = DELETE").close()
                (said,) = target.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise StoreError(f"{path} is damaged: {said}")


def _lock(path: Path) -> int:
    """A lock that goes with the process, however that ends.

    It is on a file of its own: closing a database file that SQLite has open as well
    would drop SQLite's locks on it.
    """
    lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise StoreBusy(f"{path} is in use by another server") from error
        raise
    return lock


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions are written out where they are
        check_same_thread=False,
        cached_statements=ROWS_A_STATEMENT + 10,  # inserts of every length stay compiled
    )


def _open(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = _connect(path, "rw")
    try:
        _check_or_make(connection, path)
        (journal,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if journal != "wal":
            raise StoreError(f"{path} lies where SQLite cannot keep a write-ahead log")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: through the drive's cache as well
    except BaseException:
        connection.close()
        raise
    return connection


def _check_or_make(connection: sqlite3.Connection, path: Path) -> None:
    """Change nothing unless the file is empty."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (application, version, tables) == (0, 0, 0):
        connection.executescript(_SCHEMA)
    elif application != APPLICATION_ID:
        raise StoreVersion(f"{path} is a database of another program")
    elif version != SCHEMA_VERSION:
        raise StoreVersion(
            f"{path} has schema version {version}, this release knows {SCHEMA_VERSION}"
        )


@contextmanager
def _explained(doing: str, path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one line that names the file."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise StoreError(f"cannot {doing} {path}: it is damaged") from error
    except sqlite3.Error as error:
        raise StoreError(f"cannot {doing} {path}: {error}{_remedy(error)}") from error
    except OSError as error:
        raise StoreError(f"cannot {doing} {path}: {error.strerror}") from error


def _remedy(error: sqlite3.Error) -> str:
    """What the operator can do, where that is known. An extended code has the plain one below."""
    match (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF:
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            what = "make room, or see what is wrong with the disk"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            what = "end the program that holds it"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            what = "let this user write to the file and its folder"
        case _:
            return ""
    return f"; {what}, and serve again: all that was taken is stored"
