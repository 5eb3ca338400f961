"""How the verification of an archive grows with the number of its matches, in time and memory.

Tournaments of ten rounds for 2, 20 and 200 bots have 10, 100 and 1,000 matches. All are
real ones: each match is played by the core, from its opening in the log to its close, but
a bot resigns after a dozen answers, so that 1,000 of them are played in seconds. Each archive is
written to disk and verified by a process that does nothing else, of which the greatest
memory counts, less what the same process has before it begins. One transcript at a time is
in memory; what grows is the log, twice as much as it has on disk, and with the square of
the bots the pairing of a round: 10 MiB for 200.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aboveboard_client.archives.archive_folder import ArchiveFolder
from aboveboard_referee.verify.archive import LEAVES, MATCHES
from aboveboard_referee.verify.tournament import verify_archive
from tests.fakes.archive import Organiser, Trouble
from tests.fakes.troubles import resigns

ENTRANTS = (2, 20, 200)
ROUNDS = 10
ANSWERS = 12


def write(folder: Path, entrants: int) -> None:
    """Play a tournament and put its archive into a folder."""
    season = Organiser("growth", entrants, ROUNDS, ("cribbage",)).season()
    trouble = Trouble(resigns, seats=(0, 1), after=ANSWERS)
    for _ in range(ROUNDS):
        for planned in season.draw():
            season.attempt(planned, trouble)
        season.standings()
    for path, data in season.published().files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def memory_kib() -> int:
    """The most memory that this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def verify(folder: Path) -> dict[str, Any]:
    """Verify the archive in a folder in this process; what it took."""
    files = ArchiveFolder(folder)
    before = memory_kib()
    started = time.process_time()
    report = verify_archive(files)
    seconds = time.process_time() - started
    assert report.good
    return {
        "seconds": seconds,
        "kib": memory_kib() - before,
        "counts": vars(report.counts),
        "log": files.size(LEAVES),
        "bytes": sum(files.size(path) for path in files),
        "longest": max(files.size(path) for path in files if path.startswith(MATCHES)),
    }


def measure(sizes: Sequence[int]) -> None:
    print(f"\ngrowth: {ROUNDS} rounds, matches of {ANSWERS} answers, one process each")
    print(
        "matches    events signatures    archive        log   CPU s  ms a match"
        "  matches/s  events/s  signatures/s  memory MiB",
        flush=True,
    )
    for entrants in sizes:
        with tempfile.TemporaryDirectory() as folder:
            _child("--write", folder, str(entrants))
            took = json.loads(_child("--verify", folder))
        counts, seconds = took["counts"], took["seconds"]
        print(
            f"{counts['matches']:7,} {counts['events']:9,} {counts['signatures']:10,}"
            f" {took['bytes'] >> 10:6,} KiB {took['log'] >> 10:6,} KiB"
            f" {seconds:7.2f} {1000 * seconds / counts['matches']:11.2f}"
            f" {counts['matches'] / seconds:10,.0f} {counts['events'] / seconds:9,.0f}"
            f" {counts['signatures'] / seconds:13,.0f} {took['kib'] / 1024:11.1f}",
            flush=True,
        )


def _child(*arguments: str) -> str:
    """What a process of its own prints. Its memory begins as that of this one, so this one
    plays and verifies nothing itself.
    """
    command = [sys.executable, "-m", "tests.bench.verify_growth", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verify", metavar="FOLDER", type=Path)
    parser.add_argument("--write", metavar=("FOLDER", "ENTRANTS"), nargs=2)
    chosen = parser.parse_args()
    if chosen.verify is not None:
        print(json.dumps(verify(chosen.verify)))
    elif chosen.write is not None:
        folder, entrants = chosen.write
        write(Path(folder), int(entrants))
    else:
        measure(ENTRANTS)


if __name__ == "__main__":
    main()
