"""A file with a row for each answer of a bot and where its time went: ``join --times``."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.session.match_times import COLUMNS
from aboveboard_client.terminal.reports import MatchEnd

HEADER = ("match", "attempt", "seat", "game", *COLUMNS)

TimesSheet = Callable[[MatchEnd], None]
"""Takes the times of a match that has ended."""


def no_sheet(_: MatchEnd) -> None:
    """Nobody wants them."""


@contextmanager
def times_sheet(path: Path | None) -> Iterator[TimesSheet]:
    """The sheet in a file, which is made anew.

    Raises ``OutsideFailure`` where it cannot be; a disk that fails later costs further rows
    and is told of at the end.
    """
    if path is None:
        yield no_sheet
        return
    failures: list[OSError] = []
    try:
        file = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise _unwritten(path, error) from error
    writer = csv.writer(file, lineterminator="\n")

    def write(rows: Iterable[Sequence[object]]) -> None:
        try:
            writer.writerows(rows)
            file.flush()
        except OSError as error:
            failures.append(error)

    def add(end: MatchEnd) -> None:
        ticket = end.ticket
        place = (ticket.match, ticket.attempt, ticket.seat, ticket.game.name)
        write([*place, *time.as_row().values()] for time in end.times)

    write([HEADER])
    try:
        yield add
    finally:
        # What could not be written before is tried once more here.
        with suppress(OSError):
            file.close()
    if failures:
        raise _unwritten(path, failures[0])


def _unwritten(path: Path, error: OSError) -> OutsideFailure:
    return OutsideFailure(f"{path} cannot be written: {error.strerror}")
