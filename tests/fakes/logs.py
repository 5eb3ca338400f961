"""A public log in memory, as a server keeps and shows it; a dishonest one shows two."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

import trio
from trio.testing import MockClock

from aboveboard_client.errors import AboveboardError
from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.bridge import Broken, Stream, memory_pair
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.checkpoint import Checkpoint, log_origin, sign_checkpoint
from aboveboard_referee.log.cosignature import add_signature, cosign
from aboveboard_referee.log.note import COSIGNATURE, NoteKey
from aboveboard_referee.log.tree import Tree, leaf_hash

SECONDS = 1_800_000_000

T = TypeVar("T")


class FakeLog:
    """Leaves, the first of them a manifest, under a log key that signs what is asked of it.

    ``witnesses`` co-sign every checkpoint, each by its name.
    """

    def __init__(
        self,
        log_key: PrivateKey,
        leaves: Iterable[bytes],
        witnesses: Sequence[tuple[str, PrivateKey]] = (),
    ) -> None:
        self.key = log_key
        self.witnesses = list(witnesses)
        self.leaves: list[bytes] = []
        self.tree = Tree()
        self.asked: list[service.LogAsk] = []
        self.refuse = ""  # what is answered to each submission
        for leaf in leaves:
            self.append(leaf)
        self.origin = log_origin(tournament_id(parse_signed(self.leaves[0]).body))

    def append(self, leaf: bytes) -> int:
        self.leaves.append(leaf)
        return self.tree.append(leaf_hash(leaf))

    @property
    def size(self) -> int:
        return len(self.leaves)

    def root(self, size: int | None = None) -> bytes:
        return self.tree.root(size)

    def note(self, size: int | None = None) -> bytes:
        """The signed checkpoint of a size, or the newest."""
        size = self.size if size is None else size
        checkpoint = Checkpoint(self.origin, size, self.root(size))
        note = sign_checkpoint(checkpoint, self.key)
        for name, witness in self.witnesses:
            note = add_signature(note, cosign(checkpoint.text(), witness, name, SECONDS))
        return note

    def vkeys(self) -> tuple[NoteKey, ...]:
        return tuple(NoteKey(name, COSIGNATURE, key.public) for name, key in self.witnesses)

    def news(self, since: int = 0, size: int | None = None, note: bool = True) -> service.LogNews:
        size = self.size if size is None else size
        return service.LogNews(
            size_before=since,
            leaf_hashes=self.tree.hashes(since, size),
            checkpoint=self.note(size) if note else b"",
        )

    def receipt(self, leaf: bytes, size: int | None = None) -> service.Receipt:
        """The proof that a leaf is in the log; it is appended if it is not."""
        index = self.tree.find(leaf_hash(leaf))
        if index is None:
            index = self.append(leaf)
        size = self.size if size is None else size
        return service.Receipt(
            index=index, path=self.tree.inclusion(index, size), checkpoint=self.note(size)
        )

    # --- As a service --------------------------------------------------------------------

    async def serve(self, stream: Stream) -> None:
        """Answer questions until the stream ends."""
        try:
            while True:
                asked = decode(service.LogAsk, await stream.receive())
                self.asked.append(asked)
                stream.send(self.said(asked).SerializeToString())
        except (Broken, trio.EndOfChannel):
            return

    def said(self, asked: service.LogAsk) -> service.LogSaid:
        match asked.WhichOneof("frame"):
            case "manifest":
                return service.LogSaid(leaves=service.LogLeaves(leaves=self.leaves[:1]))
            case "checkpoint":
                return service.LogSaid(checkpoint=self.note())
            case "leaves":
                start, end = asked.leaves.start, min(asked.leaves.end, asked.leaves.start + 3)
                leaves = service.LogLeaves(start=start, leaves=self.leaves[start:end])
                return service.LogSaid(leaves=leaves)
            case "consistency":
                proof = asked.consistency
                path = self.tree.consistency(proof.old_size, proof.size)
                return service.LogSaid(path=service.LogPath(path=path))
            case "submit" if not self.refuse:
                return service.LogSaid(receipt=self.receipt(asked.submit))
        refusal = service.Refusal(code=service.REFUSAL_CODE_BAD_PROOF, text=self.refuse)
        return service.LogSaid(refusal=refusal)


def asking(log: FakeLog, ask: Callable[[LogLink], Awaitable[T]], **trusted: Any) -> T:
    """What one user of the link gets."""

    async def main() -> T:
        mine, theirs = memory_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(log.serve, theirs)
            try:
                result = await ask(await begin(mine, **trusted))
                failure = None
            except AboveboardError as error:
                failure = error
            mine.abort()
        if failure is not None:
            raise failure
        return result

    return trio.run(main, clock=MockClock(autojump_threshold=0))
