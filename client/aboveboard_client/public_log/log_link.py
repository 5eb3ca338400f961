"""Asking a tournament's public log, and bringing it what signs for itself.

::

    up    LogAsk    the manifest | the newest checkpoint | leaves | a proof | a submission
    down  LogSaid   what was asked for, or a Refusal

Nothing that comes is taken on trust: whose log it is follows from the manifest, and
checkpoints and proofs are held against the key that it names.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import trio

from aboveboard_client.archives.archive_folder import FILE_LIMIT
from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.session.greeting import Tournament, read_manifest
from aboveboard_client.session.reconnect import busy, reason_of
from aboveboard_protos import bridge
from aboveboard_protos.bridge import Broken, Overflow, Stream, Unavailable
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.checkpoint import Checkpoint, open_checkpoint
from aboveboard_referee.log.follower import MAX_LEAVES
from aboveboard_referee.log.note import BadNote
from aboveboard_referee.log.proofs import BadProof, check_consistency, check_inclusion
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger

ASK = "/aboveboard.v1.Log/Ask"
"""The method that a log stream is opened with."""

ANSWER_SECONDS = 30

_LIMIT = 16 << 20
"""Most bytes of an answer. The largest leaf is the close, which lists all files."""


@dataclass(frozen=True)
class SignedCheckpoint:
    """What the log's key says of the log, and the note that it says it with."""

    checkpoint: Checkpoint
    note: bytes


@dataclass(frozen=True)
class Receipt:
    """Proof that a submitted record is leaf ``index`` of the log, as it was checked."""

    index: int
    signed: SignedCheckpoint


class LogLink:
    """A stream to a log, with the tournament that it is the log of.

    Each method is one question. All raise ``OutsideFailure`` where no answer comes or it
    is none, ``WrongUse`` for a refusal and ``VerdictAgainst`` for what does not hold.
    """

    def __init__(self, stream: Stream, tournament: Tournament) -> None:
        self.tournament = tournament
        self._stream = stream

    async def checkpoint(self) -> SignedCheckpoint:
        """The newest checkpoint."""
        return self._signed(_field(await _ask(self._stream, checkpoint=True), "checkpoint"))

    async def leaves(self, start: int, end: int) -> list[bytes]:
        """The leaves from ``start`` up to ``end``: exact Signed bytes, not checked."""
        if end > MAX_LEAVES:
            raise OutsideFailure(f"the log says that it has more than {MAX_LEAVES} leaves")
        found: list[bytes] = []
        size = 0
        while (at := start + len(found)) < end:
            read = service.LogRead(start=at, end=end)
            said: service.LogLeaves = _field(await _ask(self._stream, leaves=read), "leaves")
            if said.start != at or not 0 < len(said.leaves) <= end - at:
                raise OutsideFailure("the log sent other leaves than were asked for")
            size += sum(map(len, said.leaves))
            if size > FILE_LIMIT:  # which no archive could hold
                raise OutsideFailure(f"the log has more than {FILE_LIMIT} bytes of leaves")
            found += said.leaves
        return found

    async def consistency(self, old: SignedCheckpoint, new: SignedCheckpoint) -> Sequence[bytes]:
        """The proof that the log has only grown from one checkpoint to the other."""
        before, after = old.checkpoint, new.checkpoint
        asked = service.LogProof(old_size=before.size, size=after.size)
        path = _field(await _ask(self._stream, consistency=asked), "path").path
        try:
            check_consistency(before.size, before.root, after.size, after.root, path)
        except BadProof as error:
            raise VerdictAgainst(f"the log is not what it was: {error}") from error
        return list(path)

    async def submit(self, record: bytes) -> Receipt:
        """Bring a Signed to the log; returns once it is a leaf, and proved to be."""
        said: service.Receipt = _field(await _ask(self._stream, submit=record), "receipt")
        signed = self._signed(said.checkpoint)
        size, root = signed.checkpoint.size, signed.checkpoint.root
        try:
            check_inclusion(leaf_hash(record), said.index, size, said.path, root)
        except BadProof as error:
            raise VerdictAgainst(f"the log does not prove that it took it: {error}") from error
        return Receipt(said.index, signed)

    async def history(self) -> tuple[SignedCheckpoint, Ledger, list[bytes]]:
        """The whole log as of its newest checkpoint: what happened, and every leaf."""
        signed = await self.checkpoint()
        leaves = await self.leaves(0, signed.checkpoint.size)
        if Tree(map(leaf_hash, leaves)).root() != signed.checkpoint.root:
            raise VerdictAgainst("the log's leaves are not those that its checkpoint is of")
        ledger = Ledger()
        for number, leaf in enumerate(leaves):
            try:
                ledger.apply(leaf)
            except Illegal as error:
                raise VerdictAgainst(f"leaf {number} of the log is not legal: {error}") from error
        return signed, ledger, leaves

    def _signed(self, note: bytes) -> SignedCheckpoint:
        log = self.tournament.log
        try:
            return SignedCheckpoint(open_checkpoint(note, log.name, log.key), note)
        except BadNote as error:
            raise VerdictAgainst(
                f"the log shows a checkpoint that does not hold: {error}"
            ) from error


@asynccontextmanager
async def log_at(address: str, organiser: PublicKey | None = None) -> AsyncIterator[LogLink]:
    """The log of the tournament that is served at HOST:PORT, whose manifest was checked.

    ``organiser`` is the key that the user trusts. Entering raises as the link's methods.
    """
    try:
        async with bridge.connect(address, max_message=_LIMIT) as channel:
            stream = await channel.open(ASK)
            try:
                yield await begin(stream, organiser)
            finally:
                stream.abort()
    except Unavailable as error:
        raise OutsideFailure(str(error)) from error


async def begin(stream: Stream, organiser: PublicKey | None = None) -> LogLink:
    """A link over a stream that was opened to a log: its first question is whose it is."""
    said: service.LogLeaves = _field(await _ask(stream, manifest=True), "leaves")
    if said.start != 0 or len(said.leaves) != 1:
        raise OutsideFailure("the log does not show its first leaf")
    return LogLink(stream, read_manifest(said.leaves[0], organiser))


async def _ask(stream: Stream, **question: Any) -> service.LogSaid:
    try:
        stream.send(service.LogAsk(**question).SerializeToString())
        with trio.fail_after(ANSWER_SECONDS):
            said = decode(service.LogSaid, await stream.receive(), limit=_LIMIT)
    except trio.TooSlowError:
        raise OutsideFailure(f"the log did not answer within {ANSWER_SECONDS} s") from None
    except trio.EndOfChannel:
        raise OutsideFailure("the log ended the connection") from None
    except (Broken, Overflow) as error:
        raise OutsideFailure(f"the connection to the log is lost: {error}") from error
    except Refused as error:
        raise OutsideFailure(f"the log does not keep to the protocol: {error}") from error
    if said.refusal.code == service.REFUSAL_CODE_BUSY:
        raise OutsideFailure(str(busy(said.refusal)))
    if said.WhichOneof("frame") == "refusal":
        raise WrongUse(f"the log refuses: {reason_of(said.refusal)}")
    return said


def _field(said: service.LogSaid, kind: str) -> Any:
    """What an answer holds, if it is of the kind that was asked for."""
    if said.WhichOneof("frame") != kind:
        raise OutsideFailure(f"the log sent {said.WhichOneof('frame') or 'nothing'}, not {kind}")
    return getattr(said, kind)
