"""The seeds that are kept: a file for each source of them, of records behind their lengths.

``python -m tests.fuzz.corpus`` writes them anew, from matches played with fixed seeds.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from aboveboard_referee.match.transcript import join, split
from tests.fuzz.target import Target

FOLDER = Path(__file__).with_name("corpus")


@cache
def kept(target: Target) -> tuple[bytes, ...]:
    """The seeds of a target."""
    return split((FOLDER / target.seeds.__name__).read_bytes())


def write(targets: Iterable[Target]) -> None:
    """Make the files of these targets, and no others."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.iterdir():
        file.unlink()
    for seeds in {target.seeds for target in targets}:
        (FOLDER / seeds.__name__).write_bytes(join(dict.fromkeys(seeds())))


if __name__ == "__main__":
    from tests.fuzz.table import TARGETS

    write(TARGETS)
