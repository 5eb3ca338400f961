"""The tournament's public log: leaves in one order on disk, and checkpoints that cover them.

::

    append ─► ledger: is it legal? ─► disk, with the rows that belong to it ─► tree
                                                                                │
    covering ◄─ shown ◄─ disk ◄─ witnesses' lines ◄─ the log key's signature ◄──┘

One task makes the checkpoints, always of all leaves that there are, so that however many
come at a time they share one. The same size has the same root whenever the process is
killed: what is signed is on disk.

While nothing comes, witnesses whose lines are missing below the newest checkpoint are asked
for it again, and it is shown again with what they gave: the same text, more lines.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.journal import JournalError
from aboveboard_referee.log.checkpoint import (
    Checkpoint,
    log_origin,
    open_checkpoint,
    sign_checkpoint,
)
from aboveboard_referee.log.note import ED25519, BadNote, NoteKey
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import SUBMITTED
from aboveboard_server.operations.older_state import OlderState
from aboveboard_server.store.book import CHECKPOINT, LOG, TYPE_AT, Book
from aboveboard_server.store.store import EventStore, Row

SUBMIT_LIMIT = 8192
"""Most bytes of a leaf that somebody else brings."""

RULING_LIMIT = 900_000
"""Most bytes of a ruling: one that changes something has the whole table in it."""

ROTATIONS = 16
"""Most keys that one entrant may have in a tournament."""

RETURNS = 16
"""Most times that one entrant may come back after it has withdrawn."""

_BOUNDED: dict[str, tuple[type[pb.KeyRotate] | type[pb.Return], int, str]] = {
    "key-rotate": (pb.KeyRotate, ROTATIONS, "keys"),
    "return": (pb.Return, RETURNS, "returns"),
}
"""What an entrant could bring without end, since nothing in the tournament bounds it."""

Proof = Callable[[int, int], Sequence[bytes]]
Cosign = Callable[[bytes, Proof], Awaitable[Sequence[bytes]]]
"""Asks the witnesses that are missing below a note for their lines; bounded in time."""

Missing = Callable[[bytes], Sequence[str]]
"""The names of the witnesses that are missing below a note."""

AGAIN_SECONDS = 5.0
AGAIN_SECONDS_AT_MOST = 60.0
"""How long until witnesses that are missing are asked again: doubled each time, up to this."""


async def unwitnessed(_note: bytes, _proof: Proof) -> Sequence[bytes]:
    """A log that nobody co-signs."""
    await trio.lowlevel.checkpoint()
    return ()


def none_missing(_note: bytes) -> Sequence[str]:
    """A log that nobody has to co-sign."""
    return ()


@dataclass(eq=False)
class _Batch:
    """Leaves that go to the disk together."""

    leaves: list[bytes] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    written: bool = False


class PublicLog:
    """The log of a book's tournament. ``run`` makes its checkpoints, once there is a manifest.

    ``on_shown`` is called whenever a checkpoint may be shown to others: a greater one, or
    the last one with more co-signatures. ``on_brought`` is called with kind and leaf whenever
    a leaf is on disk that somebody else brought.
    """

    def __init__(
        self,
        book: Book,
        store: EventStore,
        key: PrivateKey,
        cosign: Cosign = unwitnessed,
        missing: Missing = none_missing,
    ) -> None:
        """Raises ``BadNote`` where a stored checkpoint is not of the stored leaves."""
        self.ledger = book.ledger
        self.tree = Tree(map(leaf_hash, book.leaves))
        self.note = book.note  # the checkpoint that was shown last
        self.size = 0  # how many leaves it covers
        self.shown_at: float | None = None  # when, by trio's clock; not by an earlier process
        self.on_shown: Callable[[], None] = lambda: None
        self.on_brought: Callable[[str, bytes], None] = lambda _kind, _leaf: None
        self._leaves = book.leaves
        self._store = store
        self._key = key
        self._cosign = cosign
        self._missing = missing
        self._batch = _Batch()
        self._turn = trio.Lock()  # to write
        self._asking = trio.Lock()  # witnesses: checkpoints are shown one after the other
        self._grown = trio.Event()
        self._shown = trio.Event()
        if self.note:
            shown = open_checkpoint(self.note, self.origin, key.public)
            if shown.size > self.tree.size or self.tree.root(shown.size) != shown.root:
                raise BadNote("a checkpoint was shown of other leaves than are stored")
            self.size = shown.size

    @property
    def origin(self) -> str:
        return log_origin(self.ledger.tournament)

    @property
    def vkey(self) -> str:
        """The log's key as its verifiers write it."""
        return NoteKey(self.origin, ED25519, self._key.public).vkey()

    # --- Leaves --------------------------------------------------------------------------

    async def append(self, leaf: bytes, rows: Sequence[Row] = ()) -> int:
        """Put a leaf into the log, together with rows that must not be without it.

        Returns its index when both are on disk. Raises ``Illegal`` where the leaf cannot
        be the next one, and nothing has happened then, and ``StoreError``. It is not to
        be cancelled: a leaf that the ledger took is written.
        """
        kind = self.ledger.apply(leaf)
        index = self.ledger.size - 1
        batch = self._batch
        batch.leaves.append(leaf)
        batch.rows += [(LOG, kind, leaf), *rows]
        with trio.CancelScope(shield=True):
            async with self._turn:
                # Whoever comes first writes for all that have come meanwhile.
                if not batch.written:
                    await self._write(batch)
        return index

    async def _write(self, batch: _Batch) -> None:
        if batch is self._batch:
            self._batch = _Batch()
        await self._store.append(batch.rows)
        batch.written = True
        self._leaves += batch.leaves
        self.tree.extend(map(leaf_hash, batch.leaves))
        self._grown.set()

    async def submit(self, leaf: bytes, kinds: frozenset[str] = SUBMITTED) -> int:
        """Take a leaf that somebody brings who need not be known: it signs for itself.

        The index of its place; of the first one, where the same bytes came before.
        Raises ``Illegal`` and ``StoreError`` as ``append`` does.
        """
        try:
            signed = parse_signed(leaf, RULING_LIMIT)
            kind = signed.type.removeprefix("aboveboard/").removesuffix("/v1")
            if kind not in kinds:
                raise Illegal(f"one of {', '.join(sorted(kinds))}", kind[:40])
            if len(leaf) > SUBMIT_LIMIT and kind != "ruling":
                raise Refused(f"{len(leaf)} bytes; at most {SUBMIT_LIMIT} are allowed")
            if (index := self.tree.find(leaf_hash(leaf))) is not None:
                return index
            if kind in _BOUNDED:
                self._check_few(kind, signed.body)
        except Refused as error:
            raise Illegal("a whole signed record", str(error)) from error
        index = await self.append(leaf)
        self.on_brought(kind, leaf)
        return index

    def _check_few(self, kind: str, body: bytes) -> None:
        """Refuse one too many of a kind by one entrant, who could fill the log up else."""
        message, most, what = _BOUNDED[kind]
        start = type_of(kind).encode()
        alike = (leaf for leaf in self._leaves if leaf.startswith(start, TYPE_AT))
        entrants = [decode(message, parse_signed(leaf).body).entrant for leaf in alike]
        if entrants.count(decode(message, body).entrant) >= most:
            raise Illegal(f"{most} {what} of one entrant at most", "one more")

    def leaf(self, index: int) -> bytes:
        """The bytes of a leaf, exactly as they were signed."""
        return self._leaves[index]

    def check_seen(self, note: bytes, whose: str) -> None:
        """Somebody says that it was shown this checkpoint.

        Raises ``OlderState`` where this log signed it, and it is not of the leaves that are
        stored. A note that the log did not sign says nothing.
        """
        try:
            seen = open_checkpoint(note, self.origin, self._key.public)
        except BadNote:
            return
        if seen.size > self.tree.size:
            raise OlderState(
                f"{whose} holds a checkpoint of {counted(seen.size, 'leaf')},"
                f" and {self.tree.size} are stored here"
            )
        if self.tree.root(seen.size) != seen.root:
            raise OlderState(
                f"{whose} holds a checkpoint of {counted(seen.size, 'leaf')}, which are others than"
                " here"
            )

    # --- Checkpoints ---------------------------------------------------------------------

    async def run(self) -> None:
        """Make checkpoints for ever. Raises ``StoreError``, perhaps in a group."""
        while True:
            if self.size < self.tree.size:
                await self._make_checkpoint(self.tree.size)
            else:
                await self._wait_for_leaves()

    async def _make_checkpoint(self, size: int) -> None:
        async with self._asking:
            signed = sign_checkpoint(Checkpoint(self.origin, size, self.tree.root(size)), self._key)
            await self._show(signed, size)

    async def _show(self, note: bytes, size: int, *, before: bytes = b"") -> None:
        """Show a checkpoint with what witnesses add to it; not if it was shown so ``before``."""
        note += b"".join(await self._cosign(note, self.tree.consistency))
        if note == before:
            return
        with trio.CancelScope(shield=True):
            await self._store.append([(CHECKPOINT, "shown", note)])
        self.note, self.size = note, size
        self.shown_at = trio.current_time()
        self._shown.set()
        self._shown = trio.Event()
        self.on_shown()

    async def _wait_for_leaves(self) -> None:
        """Until there are leaves without a checkpoint: they never wait for a witness's sake."""
        self._grown = grown = trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._complete)
            await grown.wait()
            nursery.cancel_scope.cancel()

    async def _complete(self) -> None:
        """Ask witnesses that are missing again and again; after the close ``witnessed`` does."""
        wait = AGAIN_SECONDS
        while self.ledger.close is None and self.missing():
            await trio.sleep(wait)
            await self._ask_again()
            wait = min(2 * wait, AGAIN_SECONDS_AT_MOST)

    async def _ask_again(self) -> None:
        async with self._asking:
            await self._show(self.note, self.size, before=self.note)

    def missing(self) -> Sequence[str]:
        """The names of the witnesses that have not co-signed the newest checkpoint."""
        return self._missing(self.note) if self.note else ()

    async def witnessed(self, seconds: float) -> Sequence[str]:
        """Wait about so long for all witnesses of the newest checkpoint; who is missing then.

        They are asked at least once, and not by ``run`` any more: the log is closed.
        """
        deadline = trio.current_time() + seconds
        while self.missing():
            await self._ask_again()
            left = deadline - trio.current_time()
            if left <= 0:
                break
            await trio.sleep(min(left, 1))
        return self.missing()

    async def covering(self, index: int) -> bytes:
        """The newest checkpoint, once there is one that covers this leaf."""
        while self.size <= index:
            await self._shown.wait()
        return self.note

    def receipt(self, index: int) -> service.Receipt:
        """The proof that a leaf is under the newest checkpoint, which must cover it."""
        return service.Receipt(
            index=index, path=self.tree.inclusion(index, self.size), checkpoint=self.note
        )

    async def opened(self, record: bytes) -> service.Receipt:
        """As ``OpeningLog`` has it: the opening is stored, so it is a leaf already."""
        index = self.tree.find(leaf_hash(record))
        if index is None:
            raise JournalError("a match's opening is no leaf of the log")
        await self.covering(index)
        return self.receipt(index)
