"""The sheet of times: a disk that fails costs rows and nothing else, and is told by its file."""

from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.session.match_times import COLUMNS
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_client.terminal.times_sheet import HEADER, times_sheet
from tests.fakes.sessions import EVENT, ticket

FULL = Path("/dev/full")


def end() -> MatchEnd:
    return MatchEnd(ticket(EVENT, "r1-b1"), None)


def test_a_sheet_begins_with_the_names_of_its_columns(tmp_path: Path) -> None:
    with times_sheet(tmp_path / "times.csv") as add:
        add(end())
    assert HEADER[-len(COLUMNS) :] == tuple(COLUMNS)
    assert (tmp_path / "times.csv").read_text() == ",".join(HEADER) + "\n"


def test_a_sheet_that_cannot_be_is_told_before_anything_begins(tmp_path: Path) -> None:
    with (
        pytest.raises(OutsideFailure) as caught,
        times_sheet(tmp_path / "none" / "times.csv"),
    ):
        pytest.fail("it begins")
    assert str(caught.value).endswith("times.csv cannot be written: No such file or directory")


def fill(path: Path, ends: int, failure: Exception | None = None) -> None:
    """A bot whose sheet is there, with so many matches before it ends."""
    with times_sheet(path) as add:
        for _ in range(ends):
            add(end())
        if failure is not None:
            raise failure


@pytest.mark.parametrize("ends", [0, 1, 3])
def test_a_full_disk_is_told_when_all_is_over(ends: int) -> None:
    with pytest.raises(OutsideFailure, match=r"^/dev/full cannot be written: No space left on dev"):
        fill(FULL, ends)


def test_a_full_disk_does_not_hide_why_the_bot_ended() -> None:
    with pytest.raises(WrongUse, match="its own reason"):
        fill(FULL, 1, WrongUse("its own reason"))
