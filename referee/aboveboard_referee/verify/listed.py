"""The files beside the log, which the tournament's close lists one by one."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.verify.archive import LOG, LOG_FILES, STANDINGS
from aboveboard_referee.verify.report import ALTERED, Check, Report


@dataclass(frozen=True)
class Listed:
    """Which files the organiser signed for, and which are not as it signed."""

    paths: frozenset[str] = frozenset()
    altered: set[str] = field(default_factory=set)

    def blame(self, path: str, blame: str) -> str:
        """``blame`` for what is in a file that the organiser signed for as it is.

        Any other can have been put there, or changed, by anybody.
        """
        return blame if path in self.paths - self.altered else ALTERED


def check_files(
    files: Mapping[str, bytes], close: pb.TournamentClose | None, place: str, report: Report
) -> Listed:
    """Hold each file against the close; ``place`` is where that is.

    Without a close there is nothing to hold them against.
    """
    for path in sorted(path for path in files if path.startswith(LOG) and path not in LOG_FILES):
        _find(report, path, "only files that a log has", "this file besides")
    if close is None:
        return Listed()
    paths = [file.path for file in close.files]
    if paths != sorted(set(paths)) or any(path.startswith(LOG) for path in paths):
        report.find(Check.FILES, place, "every file but the log's once, sorted", "another list")
    listed = Listed(frozenset(paths))
    for file in close.files:
        _check(files, file, listed, report)
    for path in sorted(set(files) - listed.paths):
        if not path.startswith(LOG):
            listed.altered.add(path)
            _find(report, path, "only files that the close lists", "this file besides")
    return listed


def check_known(listed: Listed, transcripts: Iterable[str], report: Report) -> None:
    """Nothing is listed but the transcripts of the log's attempts, and the table."""
    for path in sorted(listed.paths - listed.altered - {STANDINGS, *transcripts}):
        report.find(
            Check.FILES, path, "only the table and transcripts of attempts in the log", "this file"
        )


def _check(
    files: Mapping[str, bytes], file: pb.ArchiveFile, listed: Listed, report: Report
) -> None:
    data = files.get(file.path)
    if data is None:
        listed.altered.add(file.path)
        _find(report, file.path, "the file that the close lists", "no file")
        return
    digest = hashlib.sha256(data).digest()
    if (len(data), digest) != (file.size, file.sha256):
        listed.altered.add(file.path)
        _find(
            report,
            file.path,
            f"{file.size} bytes with SHA-256 {file.sha256.hex()[:16]}…",
            f"{counted(len(data), 'byte')} with {digest.hex()[:16]}…",
        )
        return
    report.counts.files += 1


def _find(report: Report, path: str, expected: str, found: str) -> None:
    report.find(Check.FILES, path, expected, found, ALTERED)
