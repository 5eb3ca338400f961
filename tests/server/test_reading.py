"""A server that has much to read before it listens says so first."""

from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure
from aboveboard_server import welcome
from tests.fakes.entrants import Entrant
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Snapshots

SAID = "reading the tournament so far: "


def test_a_restart_says_how_many_records_it_reads_where_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = config(tmp_path, entrants=2, rounds=1)
    entrants = [Entrant(number) for number in range(2)]
    store = serve(event, *entrants).store
    stored = store.last_id
    monkeypatch.setattr(welcome, "MANY_RECORDS", stored)
    again = serve(event, store=store)
    assert again.failure is None
    assert again.lines[0] == f"{SAID}{stored} records"
    assert len(again.lines) > 1
    monkeypatch.setattr(welcome, "MANY_RECORDS", stored + 1)
    assert not any(line.startswith(SAID) for line in serve(event, store=store).lines)


def test_it_is_said_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(welcome, "MANY_RECORDS", 1000)
    store = Snapshots()
    for _ in range(1000):
        store.put("log", "entry", b"nothing that could be read")
    served = serve(config(tmp_path), store=store)
    assert isinstance(served.failure, OutsideFailure)
    assert served.lines == [f"{SAID}1,000 records"]
