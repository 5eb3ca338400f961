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
    # All are made before one is replaced, so that what fails halfway changes nothing.
    made = {seeds.__name__: join(dict.fromkeys(seeds())) for seeds in {t.seeds for t in targets}}
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.iterdir():
        file.unlink()
    for name, data in made.items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    from tests.fuzz.table import TARGETS

    write(TARGETS)
