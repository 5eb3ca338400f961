"""The public log: leaves on disk in one order before anybody acts on them, checkpoints after."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.host.journal import JournalError
from aboveboard_referee.log.checkpoint import Checkpoint, open_checkpoint, sign_checkpoint
from aboveboard_referee.log.note import BadNote, parse_vkey
from aboveboard_referee.log.proofs import check_inclusion
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.tournament.illegal import Illegal
from aboveboard_server.book import CHECKPOINT, Book
from aboveboard_server.book import LOG as LOG_TOPIC
from aboveboard_server.public_log import (
    ROTATIONS,
    SUBMIT_LIMIT,
    Cosign,
    Proof,
    PublicLog,
    unwitnessed,
)
from aboveboard_server.store import StoreError
from tests.fakes.hosting import run
from tests.fakes.keys import key
from tests.fakes.referees import LOG, ORGANISER, manifest
from tests.fakes.robots import entry_key
from tests.fakes.serving import Entrant, Slow, Snapshots, signed
from tests.fakes.store import MemoryStore

T = TypeVar("T")

MANIFEST = signed("tournament-manifest", manifest("cribbage"), ORGANISER)
TOURNAMENT = tournament_id(parse_signed(MANIFEST).body)
GREETING = wire.Greeting(manifest=MANIFEST)


def entry(number: int) -> bytes:
    return Entrant(number).entry(GREETING)


class Kept:
    """A log with its store, and whatever it has shown."""

    def __init__(self, store: MemoryStore | None = None, cosign: Cosign = unwitnessed) -> None:
        self.store = store or Snapshots()
        if self.store.last_id == 0:
            self.store.put(LOG_TOPIC, "tournament-manifest", MANIFEST)
        self.book = Book().apply_all(self.store.events())
        self.log = PublicLog(self.book, self.store, LOG, cosign)
        self.shown: list[tuple[int, bytes]] = []
        self.log.on_shown = lambda: self.shown.append((self.log.size, self.log.note))

    @property
    def leaves(self) -> list[bytes]:
        return [event.body for event in self.store.events(LOG_TOPIC)]

    @property
    def notes(self) -> list[bytes]:
        return [event.body for event in self.store.events(CHECKPOINT)]

    def checkpoint(self, note: bytes) -> Checkpoint:
        return open_checkpoint(note, self.log.origin, LOG.public)

    def running(self, main: Callable[[], Awaitable[T]]) -> T:
        """Run while the log makes its checkpoints."""

        async def both() -> T:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.log.run)
                result = await main()
                nursery.cancel_scope.cancel()
            return result

        return run(both)


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


# --- What others bring -------------------------------------------------------------------------


def withdrawal(entrant: int) -> bytes:
    body = pb.Withdraw(tournament=TOURNAMENT, entrant=entrant, round=1)
    return signed("withdraw", body, entry_key(entrant))


def rotation(entrant: int, number: int) -> bytes:
    old = entry_key(entrant) if number == 0 else key(f"rotated {entrant} {number - 1}")
    new = key(f"rotated {entrant} {number}")
    body = pb.KeyRotate(
        tournament=TOURNAMENT,
        entrant=entrant,
        old_key=old.public.raw,
        new_key=new.public.raw,
        tip=draw_chain(new, TOURNAMENT, 2).tip,
    )
    return sign(type_of("key-rotate"), encode(body), old, new).to_bytes()


def with_entrants(number: int) -> Kept:
    """The log of a tournament that so many have entered, whose entries are closed."""
    kept = Kept()

    async def main() -> None:
        for entrant in range(number):
            await kept.log.append(entry(entrant))
        closed = pb.EntriesClosed(
            tournament=TOURNAMENT,
            entries=[member.digest for member in kept.log.ledger.field],
            time_us=kept.log.ledger.time_us,
        )
        await kept.log.append(signed("entries-closed", closed, ORGANISER))

    run(main)
    return kept


def test_what_signs_for_itself_is_taken_from_anybody() -> None:
    kept = with_entrants(2)
    assert run(lambda: kept.log.submit(withdrawal(1))) == 4
    assert kept.leaves[4] == withdrawal(1)
    assert kept.log.ledger.field[1].left == 1


def test_the_same_bytes_again_are_no_second_leaf() -> None:
    kept = with_entrants(2)

    async def main() -> list[int]:
        return [await kept.log.submit(withdrawal(1)) for _ in range(3)]

    assert run(main) == [4, 4, 4]
    assert len(kept.leaves) == 5


NOT_TAKEN = {
    "an entry": entry(7),
    "entries closed": signed("entries-closed", pb.EntriesClosed(tournament=TOURNAMENT), ORGANISER),
    "pairings": signed("pairings", pb.Pairings(tournament=TOURNAMENT, round=1), ORGANISER),
    "the manifest": MANIFEST,
    "a login": signed("login", pb.Login(), entry_key(0)),
    "rubbish": b"\xff\xff",
    "nothing": b"",
    "a withdrawal by somebody else": signed(
        "withdraw", pb.Withdraw(tournament=TOURNAMENT, entrant=1, round=1), entry_key(0)
    ),
    "a ruling by somebody else": signed(
        "ruling",
        pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text="so be it"),
        entry_key(0),
    ),
    "a ruling that is dated back": signed(
        "ruling",
        pb.Ruling(tournament=TOURNAMENT, number=1, leaf=3, time_us=2**60, text="so be it"),
        ORGANISER,
    ),
    "a ruling that is too long": signed(
        "ruling",
        pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text="x" * SUBMIT_LIMIT),
        ORGANISER,
    ),
    "a referee of somebody else's": signed(
        "referee-added",
        pb.RefereeAdded(tournament=TOURNAMENT, referee=pb.RefereeKey(key=key("r").public.raw)),
        entry_key(0),
    ),
    "an objection to no match": signed(
        "objection", pb.Objection(tournament=TOURNAMENT, match="r1-b1", attempt=1), entry_key(0)
    ),
    "a rotation of rubbish": signed("key-rotate", pb.Login(challenge=b"x"), entry_key(0)),
}


@pytest.mark.parametrize("what", NOT_TAKEN)
def test_what_may_not_be_brought_leaves_nothing_behind(what: str) -> None:
    kept = with_entrants(2)

    async def main() -> None:
        with pytest.raises(Illegal):
            await kept.log.submit(NOT_TAKEN[what])

    run(main)
    assert len(kept.leaves) == kept.log.ledger.size == 4


def test_the_organisers_ruling_is_taken_for_the_place_that_it_names() -> None:
    kept = with_entrants(2)
    ruling = pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text="so be it")
    assert run(lambda: kept.log.submit(signed("ruling", ruling, ORGANISER))) == 4


def test_an_entrant_changes_its_key_only_so_often() -> None:
    kept = with_entrants(2)

    async def main() -> None:
        for number in range(ROTATIONS):
            await kept.log.submit(rotation(0, number))
        with pytest.raises(Illegal, match="one more"):
            await kept.log.submit(rotation(0, ROTATIONS))
        await kept.log.submit(rotation(1, 0))

    run(main)
    assert kept.log.ledger.field[0].key == key(f"rotated 0 {ROTATIONS - 1}").public.raw
