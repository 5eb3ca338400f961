"""A bot's state folder: all that it needs in order to go on when it is started anew.

::

    secret      32 random bytes, made once: entropy, nonces and match keys come from them
    journal/    a file for each match that it has gone to and that is not over
    played      which matches are over, 32 bytes for each
    lock        held by the one process that uses the folder
"""

import os
import re
import secrets
import shlex
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.state.journal import JournalError, Place
from aboveboard_client.state.journal_file import FileJournal, InThread, sync_folder, write_at
from aboveboard_client.state.locked_folder import locked_folder, unusable
from aboveboard_client.state.replacing import replace_file
from aboveboard_referee.match.terms import MATCH_ID

SECRET_BYTES = 32
WHAT = "the state folder"
CONTEXT_BYTES = 32

_SUFFIX = ".journal"
_NAME = re.compile(
    rf"([0-9a-f]{{64}})-({MATCH_ID.pattern})\.([1-9][0-9]{{0,8}}){_SUFFIX}", re.ASCII
)


class FileJournals:
    """``Journals`` in a state folder."""

    def __init__(self, folder: Path, run: InThread = trio.to_thread.run_sync) -> None:
        """``folder`` has its ``journal`` already. Raises ``OSError``."""
        self._folder = folder / "journal"
        self._played = folder / "played"
        self._run = run
        self._one_by_one = trio.Lock()
        if not self._played.exists():
            os.close(os.open(self._played, os.O_WRONLY | os.O_CREAT, 0o600))
            sync_folder(folder)
        data = self._played.read_bytes()
        # A last name that is not whole was being written when the process ended.
        whole = len(data) - len(data) % CONTEXT_BYTES
        self._over = {data[at : at + CONTEXT_BYTES] for at in range(0, whole, CONTEXT_BYTES)}
        self._played_size = whole

    @property
    def any_begun(self) -> bool:
        return any(self._folder.glob(f"*{_SUFFIX}"))

    def begun(self, place: Place) -> bool:
        return self._path(place).exists()

    def over(self, place: Place) -> bool:
        return place.context in self._over

    async def open(self, place: Place) -> FileJournal:
        read: Callable[[], FileJournal] = partial(FileJournal.read, self._path(place), self._run)
        journal: FileJournal = await self._run(read)
        return journal

    async def end(self, place: Place) -> None:
        await self._end([self._path(place)], [place.context])

    async def end_tournament(self, tournament: bytes) -> None:
        paths = sorted(self._folder.glob(f"{tournament.hex()}-*{_SUFFIX}"))
        left = {path: place for path in paths if (place := _place_of(path)) is not None}
        await self._end(list(left), [place.context for place in left.values()])

    async def _end(self, paths: list[Path], contexts: list[bytes]) -> None:
        async with self._one_by_one:
            new = [context for context in contexts if context not in self._over]
            try:
                await self._run(partial(self._write_end, paths, b"".join(new)))
            except OSError as error:
                problem = f"{self._played} cannot be written: {error.strerror}"
                raise JournalError(problem) from error
            self._over.update(new)
            self._played_size += CONTEXT_BYTES * len(new)

    def _write_end(self, paths: list[Path], names: bytes) -> None:
        """First remember, then forget: whatever happens between, nothing is played again."""
        write_at(self._played, self._played_size, names)
        for path in paths:
            path.unlink(missing_ok=True)

    def _path(self, place: Place) -> Path:
        name = f"{place.tournament.hex()}-{place.match}.{place.attempt}{_SUFFIX}"
        return self._folder / name


def _place_of(path: Path) -> Place | None:
    """The place whose journal this is, by its name; ``None`` for a file that is none of ours."""
    found = _NAME.fullmatch(path.name)
    return Place(bytes.fromhex(found[1]), found[2], int(found[3])) if found else None


@contextmanager
def state_folder(path: Path) -> Iterator[tuple[bytes, FileJournals]]:
    """The stored secret and the journals in a folder, which is made if it is not there.

    Nobody else can use the folder for as long as the block lasts. Raises ``WrongUse``
    where somebody does already or its secret is not as it was made, ``OutsideFailure``
    where it cannot be read or written.
    """
    with locked_folder(path, WHAT, "process of this bot"):
        try:
            secret = _secret(path / "secret")
            (path / "journal").mkdir(mode=0o700, exist_ok=True)
            journals = FileJournals(path)
        except OSError as error:
            raise unusable(path, WHAT, error) from error
        yield secret, journals


def _secret(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            secret = file.read(SECRET_BYTES + 1)
    except FileNotFoundError:
        return _new_secret(path)
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise WrongUse(
            f"{path} is open to other users of this machine; "
            f"close it with: chmod 600 {shlex.quote(str(path))}"
        )
    if len(secret) != SECRET_BYTES:
        raise WrongUse(f"{path} is damaged: it does not have {SECRET_BYTES} bytes")
    return secret


def _new_secret(path: Path) -> bytes:
    secret = secrets.token_bytes(SECRET_BYTES)
    replace_file(path, secret, 0o600)
    return secret
