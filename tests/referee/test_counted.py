"""Numbers before what they count."""

import pytest

from aboveboard_referee.counted import counted


@pytest.mark.parametrize(
    ("number", "what", "text"),
    [
        (0, "point", "0 points"),
        (1, "point", "1 point"),
        (2, "point", "2 points"),
        (0.5, "point", "0.5 points"),
        ("1", "point", "1 point"),
        ("1,000", "leaf", "1,000 leaves"),
        (1, "leaf", "1 leaf"),
        (1, "match", "1 match"),
        (3, "match", "3 matches"),
        (4, "witness", "4 witnesses"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
    ],
)
def test_one_is_one_and_all_others_are_several(
    number: int | float | str, what: str, text: str
) -> None:
    assert counted(number, what) == text
