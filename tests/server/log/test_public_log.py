"""The public log: leaves on disk in one order before anybody acts on them, checkpoints after."""

from collections.abc import Sequence

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.host.journal import JournalError
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.note import BadNote, parse_vkey
from aboveboard_referee.log.proofs import check_inclusion
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_server.log.public_log import (
    Proof,
)
from aboveboard_server.store.book import CHECKPOINT, Book
from aboveboard_server.store.store import StoreError
from tests.fakes.entrants import signed
from tests.fakes.hosting import run
from tests.fakes.kept_log import MANIFEST, TOURNAMENT, Kept, entry
from tests.fakes.keys import key
from tests.fakes.referees import LOG
from tests.fakes.snapshots import Slow, Snapshots

# --- Leaves ------------------------------------------------------------------------------------


def test_a_leaf_is_on_disk_with_the_rows_that_belong_to_it_when_it_was_appended() -> None:
    kept = Kept()
    rows = [("match/r1-b1/1", "record", b"one"), ("match/r1-b1/1", "record", b"two")]
    index = run(lambda: kept.log.append(entry(0), rows))
    assert index == 1
    assert kept.leaves == [MANIFEST, entry(0)]
    assert [tuple(event)[1:] for event in kept.store.events("match/")] == rows
    assert isinstance(kept.store, Snapshots)
    assert kept.store.marks == [0, 4]


def test_what_is_not_legal_leaves_nothing_behind() -> None:
    kept = Kept()

    async def main() -> None:
        for data in (MANIFEST, b"rubbish", entry(0)[:-1], signed("entry", pb.Entry(), LOG)):
            with pytest.raises(Illegal):
                await kept.log.append(data, [("match/r1-b1/1", "record", b"one")])

    run(main)
    assert kept.store.last_id == 1
    assert (kept.log.ledger.size, kept.log.tree.size) == (1, 1)


@pytest.mark.parametrize("order", range(5))
def test_leaves_that_come_together_are_stored_in_the_order_in_which_they_were_judged(
    order: int,
) -> None:
    kept = Kept(Slow())

    async def main() -> list[int]:
        indexes = [0] * 8

        async def put(number: int) -> None:
            indexes[number] = await kept.log.append(entry(number))

        async with trio.open_nursery() as nursery:
            for number in range(8):
                nursery.start_soon(put, number)
        return indexes

    indexes = run(main, order)
    assert sorted(indexes) == list(range(1, 9))
    for number, index in enumerate(indexes):
        assert kept.leaves[index] == entry(number)
    assert list(kept.log.ledger.field.names) == list(
        Book().apply_all(kept.store.events()).ledger.field.names
    )
    assert kept.log.tree.root() == Tree(map(leaf_hash, kept.leaves)).root()


def test_leaves_that_come_while_others_are_written_go_to_the_disk_together() -> None:
    kept = Kept(Slow())

    async def main() -> float:
        async with trio.open_nursery() as nursery:
            for number in range(8):
                nursery.start_soon(kept.log.append, entry(number))
        return trio.current_time()

    assert run(main) <= 2


def test_a_leaf_whose_writer_is_cancelled_is_written() -> None:
    kept = Kept(Slow())

    async def main() -> None:
        with trio.move_on_after(0.5) as scope:
            await kept.log.append(entry(0))
        assert scope.cancelled_caught is False
        with trio.move_on_after(0.5):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(kept.log.append, entry(1))
                nursery.start_soon(kept.log.append, entry(2))

    run(main)
    assert len(kept.leaves) == kept.log.tree.size == 4


def test_a_disk_that_fails_fails_every_leaf_that_waits_for_it() -> None:
    kept = Kept()
    kept.store.breaks_with = "the disk is full"
    failures: list[str] = []

    async def put(number: int) -> None:
        try:
            await kept.log.append(entry(number))
        except StoreError as error:
            failures.append(str(error))

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(put, number)

    run(main)
    assert failures == ["the disk is full"] * 3
    assert kept.leaves == [MANIFEST]
    assert kept.log.tree.size == 1


# --- Checkpoints -------------------------------------------------------------------------------


def test_nobody_is_shown_a_checkpoint_before_it_is_on_disk() -> None:
    kept = Kept(Slow())

    async def main() -> None:
        await trio.sleep(0.9)
        assert (kept.log.size, kept.shown) == (0, [])
        await trio.sleep(0.2)
        assert kept.log.size == 1
        assert kept.notes == [note for _, note in kept.shown]

    kept.running(main)


def test_a_leaf_is_covered_only_by_a_checkpoint_that_counts_it() -> None:
    kept = Kept()

    async def main() -> bytes:
        return await kept.log.covering(await kept.log.append(entry(0)))

    note = kept.running(main)
    shown = kept.checkpoint(note)
    assert (shown.size, shown.root) == (2, Tree(map(leaf_hash, kept.leaves)).root())
    assert note == kept.notes[-1]


def test_many_leaves_share_a_checkpoint() -> None:
    kept = Kept(Slow())

    async def main() -> None:
        async def put(number: int) -> None:
            await kept.log.covering(await kept.log.append(entry(number)))

        async with trio.open_nursery() as nursery:
            for number in range(30):
                nursery.start_soon(put, number)

    kept.running(main)
    assert kept.log.size == 31
    assert len(kept.notes) <= 4


def test_every_checkpoint_is_of_the_leaves_that_were_there() -> None:
    kept = Kept()

    async def main() -> None:
        for number in range(6):
            await kept.log.covering(await kept.log.append(entry(number)))

    kept.running(main)
    tree = Tree(map(leaf_hash, kept.leaves))
    for note in kept.notes:
        shown = kept.checkpoint(note)
        assert shown.root == tree.root(shown.size)
    assert [kept.checkpoint(note).size for note in kept.notes][-6:] == [2, 3, 4, 5, 6, 7]


def test_a_receipt_proves_its_leaf_under_the_newest_checkpoint() -> None:
    kept = Kept()

    async def main() -> wire.Receipt:
        for number in range(5):
            index = await kept.log.append(entry(number))
        await kept.log.covering(index)
        return kept.log.receipt(3)

    receipt = kept.running(main)
    shown = kept.checkpoint(receipt.checkpoint)
    assert receipt.index == 3
    check_inclusion(leaf_hash(entry(2)), 3, shown.size, receipt.path, shown.root)


def test_an_opening_is_proved_once_it_is_covered_and_never_before() -> None:
    kept = Kept(Slow())

    async def main() -> tuple[float, wire.Receipt]:
        await kept.log.append(entry(0))  # any leaf will do
        assert kept.log.size < 2
        receipt = await kept.log.opened(entry(0))
        return trio.current_time(), receipt

    took, receipt = kept.running(main)
    assert took == 2
    assert receipt.index == 1


def test_an_opening_that_is_no_leaf_is_not_waited_for() -> None:
    kept = Kept()

    async def main() -> None:
        with pytest.raises(JournalError):
            await kept.log.opened(entry(0))

    run(main)


def test_the_key_is_shown_as_verifiers_write_it() -> None:
    log = Kept().log
    named = parse_vkey(log.vkey)
    assert (named.name, named.key) == (f"aboveboard/tournament/{TOURNAMENT.hex()}", LOG.public)


# --- Restarts ----------------------------------------------------------------------------------


def grown() -> Snapshots:
    """Seven leaves with checkpoints, every append a mark."""
    kept = Kept()

    async def main() -> None:
        for number in range(6):
            await kept.log.covering(await kept.log.append(entry(number)))

    kept.running(main)
    assert isinstance(kept.store, Snapshots)
    return kept.store


def test_a_log_that_was_stopped_at_any_row_signs_the_same_for_the_same_size() -> None:
    store = grown()
    before = {Kept(store).checkpoint(note).size: note for note in Kept(store).notes}
    for mark in store.marks[1:]:
        again = Kept(store.until(mark))

        async def catch_up(again: Kept = again) -> bytes:
            return await again.log.covering(again.log.ledger.size - 1)

        note = again.running(catch_up)
        size = again.log.ledger.size
        assert size == len(again.leaves)
        assert note == before[size]


def test_what_was_shown_before_is_shown_again_and_not_made_anew() -> None:
    store = grown()
    again = Kept(store.until(store.last_id))
    assert (again.log.size, again.log.note) == (7, again.notes[-1])

    async def nothing_comes() -> None:
        await trio.sleep(5)

    again.running(nothing_comes)
    assert again.shown == []
    assert again.store.last_id == store.last_id


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_stored_checkpoint_of_other_leaves_is_damage(size: int) -> None:
    kept = Kept()
    other = Checkpoint(kept.log.origin, size, bytes(32))
    kept.store.put(CHECKPOINT, "shown", sign_checkpoint(other, LOG))
    with pytest.raises(BadNote, match="other leaves than are stored"):
        Kept(kept.store)


def test_a_stored_checkpoint_by_another_key_is_damage() -> None:
    kept = Kept()
    other = Checkpoint(kept.log.origin, 1, kept.log.tree.root())
    kept.store.put(CHECKPOINT, "shown", sign_checkpoint(other, key("stranger")))
    with pytest.raises(BadNote):
        Kept(kept.store)


# --- Witnesses ---------------------------------------------------------------------------------


def test_witnesses_are_asked_before_a_checkpoint_is_shown_and_their_lines_are_kept() -> None:
    asked: list[bytes] = []

    async def cosign(note: bytes, proof: Proof) -> Sequence[bytes]:
        asked.append(note)
        assert kept.shown == []
        await trio.sleep(1)
        return ["— witness.example/w AAAAAAAA\n".encode()]

    kept = Kept(cosign=cosign)

    async def main() -> bytes:
        return await kept.log.covering(0)

    note = kept.running(main)
    assert note == asked[0] + "— witness.example/w AAAAAAAA\n".encode()
    assert kept.notes == [note]
    assert kept.checkpoint(note).size == 1


def test_witnesses_get_the_proof_between_any_two_sizes() -> None:
    proofs: list[Sequence[bytes]] = []

    async def cosign(note: bytes, proof: Proof) -> Sequence[bytes]:
        await trio.lowlevel.checkpoint()
        size = kept.checkpoint(note).size
        proofs.append(proof(1, size))
        assert list(proof(1, size)) == Tree(map(leaf_hash, kept.leaves)).consistency(1, size)
        return ()

    kept = Kept(cosign=cosign)

    async def main() -> None:
        for number in range(4):
            await kept.log.covering(await kept.log.append(entry(number)))

    kept.running(main)
    assert proofs[-1]
