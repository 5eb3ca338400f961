"""Writes the vectors that the oracle makes: ``python -m tests.oracle.make_vectors``.

The same bytes at each run. The other files of tests/vectors were made elsewhere; the
oracle is held against them and leaves them as they are.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.oracle.made_bodies import body_vectors
from tests.oracle.made_decks import deck_vectors
from tests.oracle.made_draw import draw_vectors
from tests.oracle.made_log import log_vectors
from tests.oracle.made_match import match_vectors
from tests.oracle.vectors import FOLDER

MADE: dict[str, Callable[[], Any]] = {
    "bodies.json": body_vectors,
    "decks.json": deck_vectors,
    "draw.json": draw_vectors,
    "log.json": log_vectors,
    "match.json": match_vectors,
}


def written(name: str) -> str:
    """The text of a file as the oracle makes it now."""
    return json.dumps(MADE[name](), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    for name in MADE:
        (FOLDER / name).write_text(written(name), encoding="utf-8")


if __name__ == "__main__":
    main()
