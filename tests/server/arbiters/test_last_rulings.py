"""A ruling that comes while the archive is written and verified: the close is over what it made."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_server import service
from aboveboard_server.arbiters import ruling
from tests.fakes.arbiters import Desk, ruled


def test_a_ruling_while_the_archive_is_verified_has_it_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified = trio.Event()
    said: list[str] = []

    async def slow(function: Callable[..., Any], *arguments: Any) -> Any:
        if function is service.find_damage:
            verified.set()
            await trio.sleep(5)
        else:
            await trio.lowlevel.checkpoint()
        return function(*arguments)

    async def act(desk: Desk) -> None:
        # In place of what the server has instead of threads here.
        monkeypatch.setattr(trio.to_thread, "run_sync", slow)
        await verified.wait()
        ledger = await desk.when(lambda ledger: ledger.over)
        (match, *_) = ledger.matches
        found = ledger.result(match)
        assert found is not None
        points = ":".join(str(half // 2) for half in found.half_points[::-1])
        said.extend(await desk.says(ruling.rescore(points, ()), match))

    served = ruled(tmp_path, act, rounds=1)
    assert said[0].startswith("ruling 1 is leaf ")
    kinds = [event.kind for event in served.store.events("log")]
    assert kinds[-2:] == ["ruling", "tournament-close"]
