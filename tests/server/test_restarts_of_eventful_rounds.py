"""A server that is killed after whatever an arbiter or an entrant did goes on all the same."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.fakes.eventful_season import (
    ENTRANTS,
    come_to,
    eventful_season,
    first_of_each_kind,
)
from tests.fakes.snapshots import Snapshots


@cache
def undisturbed() -> Snapshots:
    """The store of a tournament whose server was never killed."""
    with TemporaryDirectory() as folder:
        served = eventful_season(Path(folder))
        assert served.report().findings == []
        return served.store


@cache
def expected() -> Any:
    return come_to(undisturbed())


KINDS = first_of_each_kind(undisturbed().events())
MARKS = undisturbed().marks


def check(mark: int, tmp_path: Path) -> None:
    served = eventful_season(tmp_path, undisturbed().until(mark))
    assert served.report().findings == []
    assert come_to(served.store) == expected()


def test_all_of_it_happens_in_the_undisturbed_one() -> None:
    assert set(KINDS) >= {"late-entry", "withdraw", "return", "bye-request"}
    assert set(KINDS) >= {"by_hand", "rescore", "paused", "disqualified", "resumed", "ended"}
    papers, closes = expected()
    assert [kind for kind, *_ in papers].count("pairings") == 5
    assert len(closes) == len({match for (match, _), _ in closes})
    assert ENTRANTS + 1 == 6


@pytest.mark.parametrize("kind", KINDS)
def test_killed_right_after_a_leaf_of_each_kind_it_comes_to_the_same(
    kind: str, tmp_path: Path
) -> None:
    check(min(mark for mark in MARKS if mark >= KINDS[kind]), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS)
def test_killed_after_any_append_it_comes_to_the_same(mark: int, tmp_path: Path) -> None:
    check(mark, tmp_path)
