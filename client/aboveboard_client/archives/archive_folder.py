"""An archive's files on disk, read one at a time and only where they are what they seem.

An archive may come from anybody. So no link is followed, nothing but plain files of a
bounded size is opened, and a file that changes while it is being checked is noticed.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_referee.verify.archive import LEAVES

FILE_LIMIT = 64 << 20
"""Most bytes of one file. A match has a few hundred thousand."""

DEEPEST = 8
"""Folders within each other that are looked into. An archive has one within its own."""


ARCHIVE = "archive"
"""What the folder is called in which a server's state folder has the archive."""


class ArchiveFolder(Mapping[str, bytes]):
    """Each plain file below a folder, by its path with slashes; read when it is asked for.

    ``strange`` says of each path that is not taken what it is instead. Raises
    ``WrongUse`` if there is no such folder and ``OutsideFailure`` where the disk fails.
    """

    def __init__(self, root: Path, limit: int = FILE_LIMIT) -> None:
        self.root = root
        self.strange: dict[str, str] = {}
        self._limit = limit
        self._sizes: dict[str, int] = {}
        self._digests: dict[str, bytes] = {}
        try:
            self._list(root, "")
        except (FileNotFoundError, NotADirectoryError):
            raise WrongUse(f"there is no folder {root}") from None
        except OSError as error:
            raise OutsideFailure(f"{error.filename} cannot be read: {error.strerror}") from error

    def size(self, path: str) -> int:
        """The bytes of a file, as it was listed."""
        return self._sizes[path]

    def __getitem__(self, path: str) -> bytes:
        if path not in self._sizes:
            raise KeyError(path)
        try:
            data = _read(self.root / path, self._limit, os.O_RDONLY | os.O_NOFOLLOW)
        except OSError as error:
            raise OutsideFailure(f"{path} cannot be read: {error.strerror}") from error
        digest = hashlib.sha256(data).digest()
        if self._digests.setdefault(path, digest) != digest:
            raise OutsideFailure(f"{path} was changed while it was being read")
        return data

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __len__(self) -> int:
        return len(self._sizes)

    def __contains__(self, path: object) -> bool:
        return path in self._sizes

    def _list(self, folder: Path, prefix: str) -> None:
        with os.scandir(folder) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
        for entry in entries:
            path = prefix + entry.name
            if entry.is_symlink():
                self.strange[path] = "a symbolic link"
            elif entry.is_dir(follow_symlinks=False):
                if prefix.count("/") < DEEPEST:
                    self._list(Path(entry.path), f"{path}/")
                else:
                    self.strange[path] = "a folder in too many others"
            elif not entry.is_file(follow_symlinks=False):
                self.strange[path] = "no plain file"
            elif (size := entry.stat(follow_symlinks=False).st_size) > self._limit:
                self.strange[path] = f"one of {size} bytes"
            else:
                self._sizes[path] = size


def read_plain(path: Path, limit: int = FILE_LIMIT) -> bytes:
    """The content of a plain file of at most ``limit`` bytes that a person named, or a link to it.

    Raises ``WrongUse`` if it is not there or something else, and ``OutsideFailure`` where it
    cannot be read.
    """
    try:
        return _read(path, limit, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        raise WrongUse(f"there is no file {path}") from None
    except IsADirectoryError:
        raise WrongUse(f"{path} is a folder, not a file") from None
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be read: {error.strerror}") from error


def _read(path: Path, limit: int, flags: int) -> bytes:
    """Raises ``OSError``, and ``WrongUse`` for what is no plain file or too long."""
    # A pipe would wait for its other end if it were opened to be waited for.
    with open(path, "rb", opener=lambda name, _: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise WrongUse(f"{path} is no plain file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise WrongUse(f"{path} has more than {limit} bytes")
    return data


def no_archive(files: Mapping[str, bytes] | Path) -> str:
    """Why a folder is no archive; of a server's state folder also where in it the archive is."""
    why = f"there is no {LEAVES}: not an archive"
    root = files.root if isinstance(files, ArchiveFolder) else files
    if isinstance(root, Path) and os.path.lexists(root / ARCHIVE / LEAVES):
        return f"{why}; {root / ARCHIVE} is one"
    return why
