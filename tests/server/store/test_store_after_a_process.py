"""What was acknowledged is there after its process, and nothing is ever half there."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.store import stored_in

ROOT = Path(__file__).parents[3]

_KILLED = """
import os, sys
from pathlib import Path
import trio
from aboveboard_server.store.store import open_store

async def appends(store, task):
    for number in range(5_000):
        body = b"%d" % number
        last = await store.append([(task, "first", body), (task, "second", body)])
        os.write(1, f"{last}\\n".encode())

async def main():
    async with open_store(Path(sys.argv[1])) as store, trio.open_nursery() as nursery:
        for task in "abcdefgh":
            nursery.start_soon(appends, store, task)

trio.run(main)
"""

_FULL = """
import resource, sys
from pathlib import Path
import trio
from aboveboard_server.store.store import StoreError, open_store

async def main():
    async with open_store(Path(sys.argv[1])) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        for attempt in range(1_000):
            try:
                await store.append([("a", "first", bytes(500)), ("a", "second", bytes(500))])
            except StoreError as error:
                print(error, flush=True)
                break
        try:
            await store.append([("a", "third", b"")])
        except StoreError as error:
            print(error, flush=True)
        print(store.last_id, flush=True)

trio.run(main)
"""


@pytest.mark.parametrize("acknowledged", [1, 100, 400])
def test_what_a_killed_process_had_acknowledged_is_there(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "store.db"
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(path)], cwd=ROOT, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(acknowledged)]
        os.kill(child.pid, signal.SIGKILL)
        lines += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    stored = stored_in(path)
    assert max(map(int, lines)) <= len(stored)
    assert [event.id for event in stored] == list(range(1, len(stored) + 1))
    for first, second in zip(stored[::2], stored[1::2], strict=True):
        assert (first.topic, first.body) == (second.topic, second.body)
        assert (first.kind, second.kind) == ("first", "second")


def test_a_full_disk_is_told_in_one_line_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(path)], cwd=ROOT, capture_output=True, text=True
    )
    told, again, last_id = done.stdout.splitlines()
    assert told == again
    assert told.startswith(f"cannot write {path}: ")
    stored = stored_in(path)
    assert 0 < int(last_id) <= len(stored) <= int(last_id) + 2
    assert [event.kind for event in stored] == ["first", "second"] * (len(stored) // 2)
