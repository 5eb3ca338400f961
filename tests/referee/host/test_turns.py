"""The steps of a match: when they are taken, and what comes of what goes wrong in them."""

from collections.abc import Callable, Sequence

import outcome
import pytest
import trio
import trio.testing

from aboveboard_referee.host.inbox import Due, Inbox, Item
from aboveboard_referee.host.journal import Done, JournalError, MemoryJournal
from aboveboard_referee.host.turns import Step, Turns
from tests.fakes.hosting import make_host, run, sweeping
from tests.fakes.robots import Robot, opening

LAST = 9.0
"""The item that ends these matches."""


class Steps:
    """Each step writes what its item is, and says when that is on disk."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.done: list[float] = []
        self.writing: list[tuple[Sequence[bytes], Done]] = []
        self.fails: Exception | None = None
        self.turns = Turns(self.inbox, self.step, self.write, lambda: LAST in self.done)

    def step(self, item: Item) -> Step:
        assert isinstance(item, Due)
        if item.at < 0:
            raise ValueError("in a step")
        yield [b"%d" % item.at]
        self.done.append(item.at)

    def write(self, records: Sequence[bytes], done: Done) -> None:
        if self.fails:
            raise self.fails
        self.writing.append((records, done))

    def on_disk(self, result: outcome.Maybe[None] | None = None) -> None:
        self.writing.pop(0)[1](result or outcome.Value(None))

    @property
    def written(self) -> list[bytes]:
        return [record for records, _ in self.writing for record in records]


def play(test: Callable[[Steps], object], steps: Steps) -> None:
    """Have ``test`` done in one turn, after which the match is waited for."""

    async def main() -> None:
        results: list[outcome.Maybe[None]] = []

        async def to_the_end() -> None:
            results.append(await outcome.acapture(steps.turns.play))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(to_the_end)
            await trio.testing.wait_all_tasks_blocked()
            test(steps)
        results[0].unwrap()

    trio.run(main)


def test_a_step_is_taken_in_the_turn_in_which_its_item_comes_or_its_records_are_on_disk() -> None:
    def test(steps: Steps) -> None:
        steps.inbox.put(Due(1))
        assert steps.written == [b"1"]
        assert steps.done == []
        steps.on_disk()
        assert steps.done == [1]
        steps.inbox.put(Due(LAST))
        steps.on_disk()
        assert steps.done == [1, LAST]

    play(test, Steps())


def test_what_comes_while_a_step_waits_for_the_disk_is_taken_in_order_after_it() -> None:
    def test(steps: Steps) -> None:
        for at in (1, 2, 3, LAST):
            steps.inbox.put(Due(at))
            assert steps.written == [b"1"]
        for record in (b"1", b"2", b"3", b"9"):
            assert steps.written == [record]
            steps.on_disk()
        assert steps.done == [1, 2, 3, LAST]

    play(test, Steps())


def test_what_came_before_is_taken_first_and_what_comes_after_the_last_is_left() -> None:
    steps = Steps()
    for at in (1, LAST, 4):
        steps.inbox.put(Due(at))

    def test(steps: Steps) -> None:
        steps.on_disk()
        steps.on_disk()
        steps.inbox.put(Due(5))
        assert not steps.writing

    play(test, steps)
    assert steps.done == [1, LAST]
    assert steps.inbox.drain() == [Due(4), Due(5)]


def _in_a_step(steps: Steps) -> None:
    steps.inbox.put(Due(-1))


def _as_a_write_begins(steps: Steps) -> None:
    steps.fails = JournalError("as it begins")
    steps.inbox.put(Due(1))


def _on_the_disk(steps: Steps) -> None:
    steps.inbox.put(Due(1))
    steps.on_disk(outcome.Error(JournalError("on the disk")))


@pytest.mark.parametrize(
    ("test", "error"),
    [(_in_a_step, ValueError), (_as_a_write_begins, JournalError), (_on_the_disk, JournalError)],
)
def test_an_error_is_raised_in_the_task_of_the_match_and_ends_its_steps(
    test: Callable[[Steps], None], error: type[Exception]
) -> None:
    steps = Steps()

    def then_another(steps: Steps) -> None:
        test(steps)
        steps.fails = None
        steps.inbox.put(Due(2))
        assert not steps.writing

    with pytest.raises(error):
        play(then_another, steps)
    assert steps.done == []


def test_an_error_in_what_was_there_before_is_raised_as_well() -> None:
    steps = Steps()
    steps.inbox.put(Due(-1))
    with pytest.raises(ValueError, match="in a step"):
        trio.run(steps.turns.play)


def test_once_it_is_cancelled_nothing_moves_the_match() -> None:
    steps = Steps()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(steps.turns.play)
            await trio.testing.wait_all_tasks_blocked()
            steps.inbox.put(Due(1))
            nursery.cancel_scope.cancel()
            steps.on_disk()
            steps.inbox.put(Due(2))
        steps.inbox.put(Due(3))

    trio.run(main)
    assert steps.done == []
    assert not steps.writing


class Wakings(trio.abc.Instrument):
    """How often a task is given a turn."""

    def __init__(self, task: trio.lowlevel.Task) -> None:
        self.task = task
        self.count = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.count += task is self.task


def test_the_task_of_a_match_is_not_woken_for_answers() -> None:
    terms = opening()
    journal = MemoryJournal()

    async def main() -> int:
        host = make_host(journal)
        wakings = Wakings(trio.lowlevel.current_task())
        async with sweeping(host) as doors:
            for seat in range(2):
                doors.start_soon(Robot(terms, seat).play, host, doors)
            trio.lowlevel.add_instrument(wakings)
            await host.play(terms)
            trio.lowlevel.remove_instrument(wakings)
        assert host.answers > 100
        return wakings.count

    # The seats' coming, the opening, the end, the close and what comes before it.
    assert run(main) < 20
