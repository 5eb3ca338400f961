"""Rounds that no tournament can have had are refused by the number of the round."""

import re

import pytest

from aboveboard_referee.tournament.history import (
    Bye,
    History,
    Round,
    Table,
    check_history,
    check_places,
)

GOOD = History(3, 2, (2, 0, 1), (Round(1, (Table("a", (0, 1), (2, 0)),)), Round(2, ())))


@pytest.mark.parametrize(
    ("history", "line"),
    [
        (History(3, 2, (0, 1)), "the initial order does not name every entrant once"),
        (History(1, 2, (0,), (Round(2, ()),)), "the first round is round 2"),
        (History(1, 2, (0,), (Round(0, ()),)), "the first round is round 0"),
        (History(1, 2, (0,), (Round(1, ()), Round(1, ()))), "round 1 follows round 1"),
        (History(1, 2, (0,), (Round(1, ()), Round(3, ()))), "round 3 follows round 1"),
        (History(1, 2, (0,), (Round(1, (), (Bye(1, "late", 0),)),)), "round 1: there is no entran"),
        (
            History(2, 2, (0, 1), (Round(1, (Table("a", (0, 1), None),), (Bye(1, "late", 0),)),)),
            "round 1: entrant 1 has two places",
        ),
    ],
)
def test_rounds_that_cannot_have_been_are_refused(history: History, line: str) -> None:
    check_history(GOOD)
    with pytest.raises(ValueError, match=f"^{re.escape(line)}"):
        check_history(history)


def test_the_last_of_countless_places_is_held_against_all_others_at_once() -> None:
    with pytest.raises(ValueError, match=r"^round 1: entrant 0 has two places$"):
        check_places("round 1", (*range(100_000), 0), 100_000)
