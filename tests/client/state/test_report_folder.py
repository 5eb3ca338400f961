"""The folder of reports: whose it is, how large it grows, and what it makes of damage."""

import json
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.state.best_effort import BestEffort
from aboveboard_client.state.report_folder import ONE_BYTES, ReportFolder, read_report
from tests.fakes.guests import in_line
from tests.fakes.memory import hollow, peak_of
from tests.fakes.seats import run


def part(match: str = "r1-b1", **fields: Any) -> dict[str, Any]:
    about = {"tournament": bytes(32).hex(), "match": match, "attempt": 1, "seat": 0}
    return {**about, "result": "lost", **fields}


def keep(folder: ReportFolder, *parts: dict[str, Any]) -> None:
    async def main() -> None:
        for each in parts:
            assert await folder.keep(each) is not None

    run(main)


def test_reports_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    before = os.umask(0)
    try:
        keep(ReportFolder(folder, run=in_line), part())
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert modes == {"reports": 0o700, "r1-b1.1.json": 0o600, "r1-b1.1.txt": 0o600}


def test_the_one_just_kept_is_not_the_oldest_though_the_clock_was_set_back(
    tmp_path: Path,
) -> None:
    folder = ReportFolder(tmp_path, run=in_line, most=2)
    keep(folder, part("r1-b1"), part("r2-b1"))
    for path in tmp_path.iterdir():
        os.utime(path, (2**33, 2**33))
    keep(folder, part("r3-b1"))
    assert (tmp_path / "r3-b1.1.txt").exists()
    assert len(list(tmp_path.glob("*.json"))) == 2


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"{",
        b"\xff{}",
        b"[" * 200_000,
        b"[1]",
        b"{}" + b" " * ONE_BYTES,
        b"{}",
        json.dumps({**part(), "attempt": "1"}).encode(),
        json.dumps({**part(), "referee": []}).encode(),
        json.dumps({**part(), "times": [{}]}).encode(),
        json.dumps({**part(), "question": 7}).encode(),
    ],
    ids=["empty", "torn", "bytes", "deep", "list", "long", "bare", "text", "wrong", "bad", "odd"],
)
def test_what_is_no_report_is_as_if_there_were_none(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "r1-b1.1.json"
    path.write_bytes(damaged)
    assert read_report(path) is None
    keep(ReportFolder(tmp_path, run=in_line), part())
    assert json.loads(path.read_bytes())["result"] == "lost"


def test_a_report_that_has_grown_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = hollow(tmp_path / "r1-b1.1.json", 64 << 20)
    assert peak_of(partial(read_report, path)) < 4 * ONE_BYTES


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "")])
def test_a_failing_disk_is_told_once_and_a_mistake_is_not_hidden(error: OSError) -> None:
    told: list[str] = []
    disk = BestEffort("no report", in_line)
    disk.failed = told.append

    def fails() -> None:
        raise error

    async def main(work: Callable[[], object]) -> object:
        await disk.write(work)
        return await disk.write(work)

    assert run(partial(main, fails)) is None
    assert len(told) == 1
    assert run(partial(main, lambda: 5)) == 5
    with pytest.raises(ZeroDivisionError):
        run(partial(main, lambda: 1 // 0))


def test_one_write_waits_for_the_other() -> None:
    under_way: list[int] = []

    async def slow(work: Callable[[], int]) -> int:
        under_way.append(work())
        assert len(under_way) == 1
        await trio.sleep(1)
        return under_way.pop()

    async def main() -> float:
        disk = BestEffort("no report", slow)
        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(disk.write, lambda number=number: number)
        return trio.current_time()

    assert run(main) == 3
