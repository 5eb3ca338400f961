"""Watches what is asked to be on disk, and when."""

import os
from pathlib import Path

import pytest


class Disk:
    """Remembers each file and folder that was synced, with the size that it had then."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._synced: list[tuple[int, int]] = []  # inode and size
        self._sync = os.fsync
        patch.setattr(os, "fsync", self._note)

    def _note(self, descriptor: int) -> None:
        self._sync(descriptor)
        stat = os.fstat(descriptor)
        self._synced.append((stat.st_ino, stat.st_size))

    def forget(self) -> None:
        """Begin anew."""
        self._synced.clear()

    def has(self, path: Path) -> bool:
        """Whether all that a file has now was asked to be on disk, or a folder was."""
        stat = path.stat()
        sizes = [size for inode, size in self._synced if inode == stat.st_ino]
        return bool(sizes) and (path.is_dir() or sizes[-1] == stat.st_size)

    def order(self, *paths: Path) -> list[Path]:
        """These paths in the order in which they were last synced."""
        inodes = [inode for inode, _ in self._synced]
        places = {path: len(inodes) - inodes[::-1].index(path.stat().st_ino) for path in paths}
        return sorted(paths, key=places.__getitem__)
