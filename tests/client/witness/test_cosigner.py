"""A witness co-signs what follows from the last, once at a time, and nothing else."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.witness.cosigner import TURN_SECONDS
from aboveboard_client.witness.exchange import BODY_LIMIT, Said
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.fork import LogView, find_fork
from aboveboard_referee.log.note import ED25519, NoteKey
from tests.fakes.hosting import run
from tests.fakes.keys import key
from tests.fakes.witnesses import (
    COMMON,
    WITNESS_KEY,
    ForkedLog,
    Running,
    Unsynced,
    World,
)

LOG = ForkedLog()


def ask(witness: Running, body: bytes) -> Said:
    return run(lambda: witness.ask(body))


def test_a_growing_log_is_co_signed_step_by_step(tmp_path: Path) -> None:
    world = World(LOG)
    with Running(tmp_path / "state", LOG) as witness:
        for old, size in ((0, 1), (1, 5), (5, 6), (6, 40)):
            assert run(lambda at=(old, size): world.ask(witness.ask, "a", *at)).status == 200
        assert witness.granted == [(LOG.origin, size) for size in (1, 5, 6, 40)]
    assert [seen.size for seen in world.cosigned] == [1, 5, 6, 40]


def test_the_same_checkpoint_is_co_signed_again(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        first = ask(witness, LOG.request("a", 0, 8))
        assert ask(witness, LOG.request("a", 8, 8)) == first


def test_the_answer_names_the_time_at_which_it_was_given(tmp_path: Path) -> None:
    with (
        Running(tmp_path / "state", LOG, now_s=lambda: 1_000) as one,
        Running(tmp_path / "another", LOG, now_s=lambda: 2_000) as two,
    ):
        assert ask(one, LOG.request("a", 0, 8)).body != ask(two, LOG.request("a", 0, 8)).body


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"old 8\n", 400),
        (b"old 08\n\n" + LOG.note("a", 9), 400),
        (b"old 8\nnot base64\n\n" + LOG.note("a", 9), 400),
        (b"old 8\n\nno note", 400),
        (b"\xff" * 1000, 400),
        (LOG.request("a", 9, 8), 400),
        (b"x" * (BODY_LIMIT + 1), 413),
        (ForkedLog("unknown").request("a", 8, 9), 404),
        (LOG.request("a", 8, 9).replace("— aboveboard".encode(), "— nobody".encode()), 403),
        (LOG.request("a", 8, 9).replace(b"\n9\n", b"\n10\n"), 403),
        (LOG.request("a", 0, 9), 409),
        (LOG.request("a", 7, 9), 409),
        (LOG.request("a", 3, 7), 409),
        (LOG.request("b", 8, 8), 409),
        (LOG.request("b", 8, 9), 422),
        (b"old 8\n\n" + LOG.note("a", 9), 422),
        (LOG.request("a", 8, 9).replace(b"old 8\n", b"old 8\n" + b"A" * 43 + b"=\n"), 422),
    ],
)
def test_what_does_not_follow_is_refused_and_changes_nothing(
    tmp_path: Path, body: bytes, status: int
) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
        said = ask(witness, body)
        assert said.status == status
        assert "—".encode() not in said.body
        assert ask(witness, LOG.request("a", 8, 9)).status == 200


@settings(derandomize=True, deadline=None, max_examples=100, database=None)
@given(st.data())
def test_a_request_that_was_altered_anywhere_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    body = LOG.request("a", 8, 9)
    at = data.draw(st.integers(0, len(body) - 1))
    put = data.draw(st.binary(max_size=2))
    altered = body[:at] + put + body[at + 1 :]
    with Running(tmp_path_factory.mktemp("witness") / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
        said = ask(witness, altered)
        refused = {400, 403, 404, 409, 422}
        assert said.status in ({200} if altered == body else refused)


def test_a_size_is_told_with_the_type_of_a_size(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
        assert ask(witness, LOG.request("a", 0, 9)) == Said(409, b"8\n", "text/x.tlog.size")


def test_a_history_that_does_not_follow_is_told_of(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
        ask(witness, LOG.request("a", 0, 9))
        assert witness.contradicted == []
        ask(witness, LOG.request("b", 8, 9))
        assert len(witness.contradicted) == 1


def test_two_roots_of_one_size_are_kept_and_convict_the_log(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with Running(state, LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
        ask(witness, LOG.request("b", 8, 8))
        [fork] = state.glob("*.fork")
        [told] = witness.contradicted
        assert str(fork) in told
        kept = fork.read_bytes()
        ask(witness, LOG.request("a", 8, 9))
        ask(witness, LOG.request("b", 9, 9))
        assert fork.read_bytes() == kept, "the first pair is proof enough"
    head, _, notes = kept.partition(b"\n")
    size = int(head.removeprefix(b"aboveboard witness fork v1 "))
    views = [LogView((notes[:size],)), LogView((notes[size:],))]
    assert find_fork(views, LOG.origin, LOG.key.key) is not None
    assert notes == LOG.note("a", 8) + LOG.note("b", 8)


def test_an_empty_log_with_a_root_is_told_of_and_proves_nothing(tmp_path: Path) -> None:
    wrong = sign_checkpoint(Checkpoint(LOG.origin, 0, bytes(32)), LOG.private)
    with Running(tmp_path / "state", LOG) as witness:
        assert ask(witness, b"old 0\n\n" + wrong).status == 409
        assert len(witness.contradicted) == 1
    assert not list((tmp_path / "state").glob("*.fork"))


def test_a_smaller_log_is_refused_after_a_restart_as_well(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
    with Running(tmp_path / "state", LOG) as witness:
        assert ask(witness, LOG.request("a", 0, COMMON)).body == b"8\n"
        assert ask(witness, LOG.request("a", 0, 8)).body == b"8\n"
        assert ask(witness, LOG.request("a", 8, 8)).status == 200


def test_logs_do_not_touch_each_other(tmp_path: Path) -> None:
    other = ForkedLog("other")
    with Running(tmp_path / "state", LOG, other) as witness:
        assert ask(witness, LOG.request("a", 0, 8)).status == 200
        assert ask(witness, other.request("b", 0, 7)).status == 200
    with Running(tmp_path / "state", other, LOG) as witness:
        assert ask(witness, LOG.request("a", 0, 9)).body == b"8\n"
        assert ask(witness, other.request("b", 0, 9)).body == b"7\n"


def test_a_log_that_was_left_out_for_a_time_is_remembered(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
    with Running(tmp_path / "state", ForkedLog("other")) as witness:
        assert ask(witness, LOG.request("a", 8, 9)).status == 404
    with Running(tmp_path / "state", LOG) as witness:
        assert ask(witness, LOG.request("b", 0, 8)).body == b"8\n"


def test_a_log_is_named_once_and_by_a_logs_key(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="named twice"), Running(tmp_path / "state", LOG, LOG):
        pass
    log = ForkedLog("witness's")
    log.key = WITNESS_KEY
    with (
        pytest.raises(WrongUse, match="a witness's, not a log's"),
        Running(tmp_path / "state", log),
    ):
        pass


def test_another_key_does_not_take_a_log_over(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, 8))
    usurper = ForkedLog()
    usurper.key = NoteKey(LOG.origin, ED25519, key("usurper").public)
    with (
        pytest.raises(WrongUse, match="not what this log's key has signed"),
        Running(tmp_path / "state", usurper),
    ):
        pass


# --- At the same time ------------------------------------------------------------------------


async def slowly(function: Callable[[], Any]) -> Any:
    """A disk that takes a second."""
    await trio.sleep(1)
    return function()


@pytest.mark.parametrize("order", range(8))
def test_two_histories_offered_at_once_do_not_both_get_through(tmp_path: Path, order: int) -> None:
    world = World(LOG)
    statuses: list[int] = []
    with Running(tmp_path / "state", LOG, run=slowly) as witness:

        async def offer(history: str, size: int) -> None:
            said = await world.ask(witness.ask, history, 0, size)
            statuses.append(said.status)

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                for history, size in (("a", 8), ("b", 8), ("a", 9), ("b", 9)):
                    nursery.start_soon(offer, history, size)

        run(main, order)
    assert not world.forked
    assert sorted(statuses) == [200, 409, 409, 409]


def test_one_logs_disk_does_not_hold_another_log_up(tmp_path: Path) -> None:
    other = ForkedLog("other")
    with Running(tmp_path / "state", LOG, other, run=slowly) as witness:

        async def main() -> float:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(witness.ask, LOG.request("a", 0, 8))
                nursery.start_soon(witness.ask, other.request("a", 0, 8))
            return trio.current_time()

        begin = 0.0
        assert run(main) - begin < 2


def test_whoever_waits_too_long_for_its_turn_is_turned_away(tmp_path: Path) -> None:
    async def stuck(function: Callable[[], Any]) -> Any:
        await trio.sleep(TURN_SECONDS + 1)
        return function()

    statuses: list[int] = []
    with Running(tmp_path / "state", LOG, run=stuck) as witness:

        async def offer(size: int) -> None:
            statuses.append((await witness.ask(LOG.request("a", 0, size))).status)

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(offer, 8)
                nursery.start_soon(offer, 9)

        run(main)
    assert statuses == [503, 200]


def test_whoever_hangs_up_while_it_is_kept_changes_nothing_about_that(tmp_path: Path) -> None:
    """The thread that writes runs to its end, so what the witness knows must go with it."""
    world = World(LOG)
    hung_up = []

    async def in_a_thread(function: Callable[[], Any]) -> Any:
        def hang_up_and_write() -> Any:
            hung_up.append(trio.from_thread.run_sync(scope.cancel))
            return function()

        return await trio.to_thread.run_sync(hang_up_and_write)

    scope = trio.CancelScope()
    with Running(tmp_path / "state", LOG, run=in_a_thread) as witness:

        async def main() -> None:
            with scope:
                await world.ask(witness.ask, "a", 0, 8)
            assert hung_up
            assert (await world.ask(witness.ask, "b", 0, 8)).body == b"8\n"
            assert (await world.ask(witness.ask, "a", 8, 8)).status == 200

        trio.run(main)
    assert not world.forked


class Full(Unsynced):
    """No room is left for what is written."""

    def write(self, descriptor: int, data: bytes) -> int:
        if data.startswith(b"aboveboard witness head"):
            raise OSError(28, os.strerror(28))
        return super().write(descriptor, data)


def test_what_cannot_be_kept_is_not_co_signed_and_ends_the_witness(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        ask(witness, LOG.request("a", 0, COMMON))
    with Running(tmp_path / "state", LOG, disk=Full()) as witness:
        with pytest.raises(OutsideFailure, match="cannot be written: No space left"):
            ask(witness, LOG.request("a", COMMON, 8))
        assert witness.granted == []
    with Running(tmp_path / "state", LOG) as witness:
        assert ask(witness, LOG.request("a", 0, 8)).body == b"5\n"
