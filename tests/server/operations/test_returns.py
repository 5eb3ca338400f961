"""The mark of a restored state: what it says, when it goes, and who is waited for until then."""

import os
from pathlib import Path

import pytest
import trio
import trio.testing

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.witness.ask import WitnessAddress
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.operations import restored
from aboveboard_server.operations.restored import (
    MARK,
    TELL_SECONDS,
    Returns,
    mark_restored,
    restored_from,
)
from tests.fakes.cosigners import Witness
from tests.fakes.disks import Disk
from tests.fakes.hosting import run
from tests.fakes.leaves import Leaves, signed
from tests.fakes.ledger_books import book_of
from tests.fakes.serving import config
from tests.fakes.store import MemoryStore

MADE = "2030-01-01T20:00:00Z"


def home() -> Leaves:
    made = Leaves(3, 2, "returns")
    made.close_entries()
    return made


def returns(
    folder: Path, made: Leaves, told: list[str], word: bool = False, *witnesses: WitnessAddress
) -> Returns:
    event = config(folder, witnesses=witnesses)
    log = PublicLog(book_of(made), MemoryStore(), made.log)
    log.note = b"some checkpoint"
    return Returns(event, log, told.append, word)


@pytest.mark.parametrize(
    ("mark", "made"),
    [
        (b'{"backup_of": "2030-01-01T20:00:00Z"}', MADE),
        (b'{"backup_of": "\\u001b[31m"}', "\N{REPLACEMENT CHARACTER}[31m"),
        (b"", "an unknown time"),
        (b"\xff", "an unknown time"),
        (b"[]", "an unknown time"),
        (b"{}", "an unknown time"),
    ],
)
def test_a_mark_counts_whatever_is_left_of_it(tmp_path: Path, mark: bytes, made: str) -> None:
    (tmp_path / MARK).write_bytes(mark)
    assert restored_from(tmp_path) == made


def test_a_state_without_a_mark_was_not_restored(tmp_path: Path) -> None:
    assert restored_from(tmp_path) is None
    mark_restored(tmp_path, MADE)
    assert restored_from(tmp_path) == MADE
    assert (tmp_path / MARK).stat().st_mode & 0o777 == 0o600


def test_a_mark_that_cannot_be_read_is_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / MARK).mkdir()
    with pytest.raises(OutsideFailure, match="restored cannot be read: Is a directory"):
        restored_from(tmp_path)


def test_the_mark_is_gone_for_good_before_anybody_is_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    held = returns(tmp_path, home(), told)
    state = tmp_path / "state"
    mark_restored(state, MADE)
    disk = Disk(monkeypatch)
    seen: list[tuple[bool, bool]] = []

    async def comes(entrant: int) -> None:
        await held.come(entrant)
        seen.append(((state / MARK).exists(), disk.has(state)))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for entrant in range(3):
                nursery.start_soon(comes, entrant)
            await trio.testing.wait_all_tasks_blocked()
            assert seen == []
            await held.confirm()

    run(main)
    assert seen == [(False, True)] * 3
    assert told[-1] == "nobody was shown more"


def test_a_mark_that_is_not_gone_for_good_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = returns(tmp_path, home(), [], word=True)
    mark_restored(tmp_path / "state", MADE)

    def fails(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(held.come, 0)
            with pytest.raises(OutsideFailure, match="restored cannot be removed: Input/output"):
                await held.confirm()
            with trio.move_on_after(100) as waited:
                await held.come(1)
            assert waited.cancelled_caught
            nursery.cancel_scope.cancel()

    run(main)


def test_who_has_left_is_not_waited_for_and_whoever_is_missing_is_told_again_and_again(
    tmp_path: Path,
) -> None:
    made, told = home(), []
    withdraw = pb.Withdraw(tournament=made.tournament, entrant=1, round=1)
    made.add(signed("withdraw", withdraw, made.keys[1]))
    held = returns(tmp_path, made, told)
    mark_restored(tmp_path / "state", MADE)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(held.confirm)
            nursery.start_soon(held.come, 0)
            nursery.start_soon(held.come, None)  # a stranger
            await trio.sleep(2.5 * TELL_SECONDS)
            await held.come(2)

    run(main)
    assert told.count("waiting for bot2") >= 2
    assert not any("bot1" in line for line in told)


def test_a_witness_that_takes_for_ever_holds_up_nobody_but_who_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    async def hangs(_witness: WitnessAddress, _note: bytes) -> int | None:
        asked.append(trio.current_time())
        if len(asked) < 4:
            await trio.sleep_forever()
        return 0

    monkeypatch.setattr(restored, "size_seen", hangs)
    address = Witness("ann").address
    patience = config(tmp_path).witness_wait_us / 1e6
    vouched = returns(tmp_path, home(), [], True, address)
    mark_restored(tmp_path / "state", MADE)
    run(vouched.confirm)
    assert asked == [0.0]

    told: list[str] = []
    held = returns(tmp_path, home(), told, False, address)
    held._missing.clear()
    mark_restored(tmp_path / "state", MADE)
    run(held.confirm)
    assert asked[1:] == [0.0, patience + TELL_SECONDS, 2 * (patience + TELL_SECONDS)]
    assert told.count("waiting for witness witness.example/ann") == 2
