"""The tournament's public log: leaves in one order on disk, and checkpoints that cover them.

::

    append ─► ledger: is it legal? ─► disk, with the rows that belong to it ─► tree
                                                                                │
    covering ◄─ shown ◄─ disk ◄─ witnesses' lines ◄─ the log key's signature ◄──┘

One task makes the checkpoints, always of all leaves that there are, so that however many
come at a time they share one. The same size has the same root whenever the process is
killed: what is signed is on disk.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
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
from aboveboard_referee.tournament.illegal import Illegal
from aboveboard_referee.tournament.ledger import SUBMITTED
from aboveboard_server.book import CHECKPOINT, LOG, TYPE_AT, Book
from aboveboard_server.store import EventStore, Row

SUBMIT_LIMIT = 8192
"""Most bytes of a leaf that somebody else brings."""

ROTATIONS = 16
"""Most keys that one entrant may have in a tournament."""

_ROTATE = type_of("key-rotate").encode()

Proof = Callable[[int, int], Sequence[bytes]]
Cosign = Callable[[bytes, Proof], Awaitable[Sequence[bytes]]]
"""Asks witnesses for the lines by which they co-sign a note; bounded in time."""


async def unwitnessed(_note: bytes, _proof: Proof) -> Sequence[bytes]:
    """A log that nobody co-signs."""
    await trio.lowlevel.checkpoint()
    return ()


@dataclass(eq=False)
class _Batch:
    """Leaves that go to the disk together."""

    leaves: list[bytes] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    written: bool = False


class PublicLog:
    """The log of a book's tournament. ``run`` makes its checkpoints, once there is a manifest.

    ``on_shown`` is called whenever a checkpoint may be shown to others.
    """

    def __init__(
        self,
        book: Book,
        store: EventStore,
        key: PrivateKey,
        cosign: Cosign = unwitnessed,
    ) -> None:
        """Raises ``BadNote`` where a stored checkpoint is not of the stored leaves."""
        self.ledger = book.ledger
        self.tree = Tree(map(leaf_hash, book.leaves))
        self.note = book.note  # the checkpoint that was shown last
        self.size = 0  # how many leaves it covers
        self.on_shown: Callable[[], None] = lambda: None
        self._leaves = book.leaves
        self._store = store
        self._key = key
        self._cosign = cosign
        self._batch = _Batch()
        self._turn = trio.Lock()  # to write
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
            signed = parse_signed(leaf, SUBMIT_LIMIT)
            kind = signed.type.removeprefix("aboveboard/").removesuffix("/v1")
            if kind not in kinds:
                raise Illegal(f"one of {', '.join(sorted(kinds))}", kind[:40])
            if (index := self.tree.find(leaf_hash(leaf))) is not None:
                return index
            if kind == "key-rotate":
                self._limit_rotations(decode(pb.KeyRotate, signed.body).entrant)
        except Refused as error:
            raise Illegal("a whole signed record", str(error)) from error
        return await self.append(leaf)

    def _limit_rotations(self, entrant: int) -> None:
        """Refuse a key too many: nothing else bounds what an entrant adds to the log."""
        rotations = (leaf for leaf in self._leaves if leaf.startswith(_ROTATE, TYPE_AT))
        entrants = [decode(pb.KeyRotate, parse_signed(leaf).body).entrant for leaf in rotations]
        if entrants.count(entrant) >= ROTATIONS:
            raise Illegal(f"{ROTATIONS} keys of one entrant at most", "one more")

    def leaf(self, index: int) -> bytes:
        """The bytes of a leaf, exactly as they were signed."""
        return self._leaves[index]

    # --- Checkpoints ---------------------------------------------------------------------

    async def run(self) -> None:
        """Make checkpoints for ever. Raises ``StoreError``."""
        while True:
            while self.size == self.tree.size:
                self._grown = trio.Event()
                await self._grown.wait()
            await self._make_checkpoint(self.tree.size)

    async def _make_checkpoint(self, size: int) -> None:
        signed = sign_checkpoint(Checkpoint(self.origin, size, self.tree.root(size)), self._key)
        lines = await self._cosign(signed, self.tree.consistency)
        note = signed + b"".join(lines)
        with trio.CancelScope(shield=True):
            await self._store.append([(CHECKPOINT, "shown", note)])
        self.note, self.size = note, size
        self._shown.set()
        self._shown = trio.Event()
        self.on_shown()

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
