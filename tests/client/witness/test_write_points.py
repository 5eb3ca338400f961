"""Killed between any two steps, a witness never co-signs a second history."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aboveboard_client.witness.state import Disk, head_file
from tests.fakes.hosting import run
from tests.fakes.witnesses import (
    COMMON,
    ForkedLog,
    Killed,
    Running,
    Stopping,
    Unsynced,
    World,
    copy_folder,
)

LOG = ForkedLog()

STEPS = ["create", "write", "write", "sync", "close", "rename", "sync folder", "answer"]
"""All that a witness does for one co-signature, one by one."""


@pytest.fixture(params=[0, COMMON, COMMON + 2], ids="after {} leaves".format)
def before(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, World]:
    """A state folder of a witness that has run before, and what it has co-signed."""
    world = World(LOG)
    offer(tmp_path / "before", world, *([("a", request.param)] if request.param else []))
    return tmp_path / "before", world


def offer(folder: Path, world: World, *offers: tuple[str, int], disk: Disk | None = None) -> bool:
    """A process that is asked for these co-signatures, one after the other.

    A ``Stopping`` disk kills it at a step, or just before an answer leaves. Whether it
    lived.
    """

    def answering(*_: object) -> None:
        if isinstance(disk, Stopping):
            disk.step("answer")

    async def main() -> None:
        for history, size in offers:
            await world.offer(witness.ask, history, size)

    try:
        with Running(folder, LOG, disk=disk, granted=answering) as witness:
            run(main)
    except Killed:
        return False
    return True


def test_the_steps_of_keeping_a_head_are_known(tmp_path: Path) -> None:
    disk = Stopping()
    offer(tmp_path / "state", World(LOG), ("a", COMMON))
    offer(tmp_path / "state", World(LOG), ("a", 8), disk=disk)
    assert disk.steps == STEPS


@pytest.mark.parametrize("then", ["ab", "ba"])
def test_killed_at_any_step_it_co_signs_one_history_alone(
    before: tuple[Path, World], then: str, tmp_path: Path
) -> None:
    folder, past = before
    lived: list[bool] = []
    for stop_at in range(2 * len(STEPS)):
        world = World(LOG, list(past.cosigned))
        state = copy_folder(folder, tmp_path / f"stopped at {stop_at}")
        lived.append(offer(state, world, ("a", 8), disk=Stopping(stop_at)))
        offer(state, world, *((history, size) for history in then for size in (8, 9)))
        assert not world.forked, stop_at
        assert world.cosigned[-1].size == 9, "whatever happened, one history goes on"
    assert lived == [False] * len(STEPS) + [True] * len(STEPS)


def test_killed_at_its_first_start_it_starts_again(tmp_path: Path) -> None:
    for stop_at in range(2 * len(STEPS)):
        world = World(LOG)
        offer(tmp_path / f"{stop_at}", world, ("a", 8), disk=Stopping(stop_at))
        offer(tmp_path / f"{stop_at}", world, ("b", 8), ("a", 8))
        assert not world.forked, stop_at
        assert world.cosigned


def test_killed_twice_it_co_signs_one_history_alone(tmp_path: Path) -> None:
    offer(tmp_path / "before", World(LOG), ("a", COMMON))
    for first, second in itertools.product(range(len(STEPS)), repeat=2):
        world = World(LOG)
        state = copy_folder(tmp_path / "before", tmp_path / f"{first} {second}")
        assert not offer(state, world, ("a", 8), disk=Stopping(first))
        offer(state, world, ("b", 8), disk=Stopping(second))
        offer(state, world, ("a", 8), ("b", 8))
        assert not world.forked, (first, second)
        assert world.cosigned, "whatever happened, one history goes on"


class Careless(Unsynced):
    """Does not keep what it is given."""

    def rename(self, old: Path, new: Path) -> None:
        if new.suffix != ".head":
            super().rename(old, new)


def test_a_witness_that_forgot_would_be_caught_here(tmp_path: Path) -> None:
    world = World(LOG)
    for history in "ab":
        offer(tmp_path / "state", world, (history, 8), disk=Careless())
    assert world.forked


# --- Power cuts ------------------------------------------------------------------------------


class Platter(Disk):
    """A disk in memory that says what a power cut may leave of it.

    What was written to a file counts once the file was synced, and a name once its folder
    was; before that, each of them alone may have reached the platter or not.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        self.names = dict(enumerate_names(files))
        self.contents = dict(enumerate(files.values()))
        self.synced = dict(self.contents)
        self.changes: list[Callable[[dict[str, int]], None]] = []  # of names, not yet synced
        self.cuts: list[list[dict[str, bytes]]] = [[files]]  # what each step may leave

    def remains(self) -> Iterator[dict[str, bytes]]:
        """All that may be there after a power cut now."""
        unsynced = [n for n, data in self.contents.items() if data != self.synced.get(n)]
        for taken in itertools.product([False, True], repeat=len(self.changes)):
            names = dict(self.names)
            for change in itertools.compress(self.changes, taken):
                change(names)
            for parts in itertools.product([0, 1, 2], repeat=len(unsynced)):
                part = dict(zip(unsynced, parts, strict=True))
                yield {
                    name: self._remaining(number, part.get(number))
                    for name, number in names.items()
                }

    def _remaining(self, number: int, part: int | None) -> bytes:
        data = self.contents[number]
        if part is None or part == 2:
            return data
        return data[: len(data) // 2] if part else self.synced.get(number, b"")

    def _cut(self) -> None:
        self.cuts.append(list(self.remains()))

    def create(self, path: Path) -> int:
        number = len(self.contents)
        self.contents[number] = b""
        self.changes.append(lambda names: names.update({path.name: number}))
        self._cut()
        return number

    def write(self, descriptor: int, data: bytes) -> int:
        self.contents[descriptor] += data
        self._cut()
        return len(data)

    def sync(self, descriptor: int) -> None:
        self.synced[descriptor] = self.contents[descriptor]
        self._cut()

    def close(self, descriptor: int) -> None:
        self._cut()

    def rename(self, old: Path, new: Path) -> None:
        number = len(self.contents) - 1  # the one that was made last

        def change(names: dict[str, int]) -> None:
            names.pop(old.name, None)
            names[new.name] = number

        self.changes.append(change)
        self._cut()

    def sync_folder(self, folder: Path) -> None:
        for change in self.changes:
            change(self.names)
        self.changes.clear()
        self._cut()


def enumerate_names(files: dict[str, bytes]) -> Iterator[tuple[str, int]]:
    return ((name, number) for number, name in enumerate(files))


def test_a_power_cut_leaves_the_head_before_or_the_head_after(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    offer(folder, World(LOG), ("a", COMMON))
    [head] = folder.glob("*.head")
    platter = Platter({path.name: path.read_bytes() for path in folder.iterdir()})
    assert offer(folder, World(LOG), ("a", 8), disk=platter)
    old, new = (head_file(LOG.note("a", size)) for size in (COMMON, 8))
    assert {left[head.name] for cut in platter.cuts for left in cut} == {old, new}
    # The answer leaves after the last step; before that step both are possible.
    assert {left[head.name] for left in platter.cuts[-2]} == {old, new}
    assert {left[head.name] for left in platter.cuts[-1]} == {new}
