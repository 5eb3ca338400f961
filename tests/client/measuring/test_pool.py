"""The same work over many items in several processes."""

import os
from collections.abc import Iterator
from functools import partial

import pytest

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.measuring.pool import in_order


def squared(number: int) -> int:
    return number * number


def refusing(number: int, refused: tuple[int, ...]) -> int:
    if number in refused:
        raise LookupError(number)
    return number


def dying(number: int) -> int:
    if number == 3:
        os._exit(9)
    return number


@pytest.mark.parametrize("processes", [1, 3])
def test_results_come_in_the_order_of_their_items(processes: int) -> None:
    assert list(in_order(squared, range(30), processes)) == [n * n for n in range(30)]


@pytest.mark.parametrize("processes", [1, 2])
def test_what_the_work_raises_comes_when_its_item_does(processes: int) -> None:
    work = partial(refusing, refused=(5, 4))
    results = in_order(work, range(9), processes)
    assert [next(results) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(LookupError, match="4"):
        next(results)


def test_few_items_are_begun_before_the_first_result_is_taken() -> None:
    begun: list[int] = []

    def counted() -> Iterator[int]:
        for number in range(1000):
            begun.append(number)
            yield number

    results = in_order(squared, counted(), 2)
    next(results)
    assert len(begun) <= 8


def test_a_process_that_dies_is_an_outside_failure() -> None:
    with pytest.raises(OutsideFailure, match="ended with code 9"):
        list(in_order(dying, range(8), 2))
