"""A bot's own copy of the tournament's public log, against which it holds all it is told.

News come over the control stream; proofs and other seats' words come from the matches,
and may be ahead of the news. What does not fit is a ``Disagreement``: it ends all that
the bot does in this tournament, since one of the two histories is false. A checkpoint
that too few witnesses co-signed fits, but does not count until it comes with more of them.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NoReturn, TypeVar

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_state import LogStore
from aboveboard_client.public_log.trust import NOBODY, Trust
from aboveboard_client.session.greeting import Tournament
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.follower import Disagreement, Follower, Unwitnessed
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.tree import leaf_hash

T = TypeVar("T")


class NoNews(Exception):
    """What the log has to show for a match did not come, for which a server that is away
    or witnesses that are can be the reason; in a line.
    """


class LogWatch:
    """Of one tournament. What is kept in ``store`` is gone on from, and added to.

    Methods that take something in raise ``Disagreement`` for what does not fit, and keep
    the first one in ``disagreement``; ``stopped`` is set then. They raise
    ``JournalError`` where it could not be kept. Tasks that outlive a match run in
    ``nursery``.
    """

    def __init__(
        self,
        tournament: Tournament,
        store: LogStore,
        nursery: trio.Nursery,
        trust: Trust = NOBODY,
    ) -> None:
        """Raises ``WrongUse`` where what is kept is not what was written."""
        self.nursery = nursery
        self.disagreement: Disagreement | None = None
        self.stopped = trio.Event()
        self.note = b""  # the newest that counts
        self._manifest = leaf_hash(tournament.signed)
        self.tournament = tournament
        self._trust = trust
        self._store = store
        self._kept = 0  # leaves below ``note``, all of them kept
        self._keeping = trio.Lock()
        self._changed = trio.Event()
        self._heard_since: float | None = None
        self._awaited: list[tuple[int, str]] = []  # sizes that the news have yet to reach
        log = tournament.log
        self._follower = Follower(log.name, log.key, trust.witnesses, trust.needed)
        hashes, note = store.read(tournament.id)
        if note:
            self._restore(hashes, note)

    @property
    def size(self) -> int:
        """How many leaves' hashes are held: where the news have to go on."""
        return self._follower.size

    @property
    def signed_size(self) -> int:
        """How many leaves are below the newest checkpoint that counts."""
        return self._kept

    @property
    def greatest(self) -> bytes:
        """The checkpoint of most leaves that the log signed, with its signature alone; empty if
        none is held. It can be ahead of the news, or lack witnesses.
        """
        notes = self._follower.view().checkpoints
        return self._follower.bare(notes[-1]) if notes else b""

    @property
    def witnesses(self) -> int:
        """How many of the trusted witnesses co-signed the newest checkpoint."""
        return len(check_cosignatures(self.note, self._trust.witnesses)) if self.note else 0

    @property
    def lack(self) -> Unwitnessed | None:
        """What the newest checkpoint lacks to count, if it does not."""
        return self._follower.lack

    def holds(self, index: int, leaf: bytes) -> bool:
        """Whether the server has told of this leaf at this place."""
        return self._follower.holds(index, leaf)

    def has(self, index: int, leaf: bytes) -> bool:
        """Whether this is a leaf of the log, at this place and under what counts."""
        return index < self._kept and self.holds(index, leaf)

    @contextmanager
    def heard(self) -> Iterator[None]:
        """For as long as the server can be heard, so that news can come."""
        self._heard_since = trio.current_time()
        self._change()
        try:
            yield
        finally:
            self._heard_since = None
            self._change()

    def ends(self, close: bytes) -> None:
        """The tournament is over and no news come any more; ``close`` is its last leaf."""
        signed = self._follower.signed_size
        for size, what in self._awaited:
            if size > signed:
                held = counted(size, "leaf")
                self._disagree(f"{what} is of {held}, and the log ends with {signed}")
        leaves = self._follower.view().leaf_hashes
        if signed != self.size or leaves[-HASH_BYTES:] != leaf_hash(close):
            self._disagree("the table that the server ends with is not the log's last leaf")

    # --- What is told --------------------------------------------------------------------

    async def news(self, news: service.LogNews) -> None:
        """The log has grown, the server says."""
        hashes, note = news.leaf_hashes, news.checkpoint
        if self.size == 0 and hashes[:HASH_BYTES] not in (b"", self._manifest):
            self._disagree("the log begins with another manifest", note)
        self._judged(partial(self._follower.news, news.size_before, hashes, note))
        await self._keep()

    async def opened(self, opening: bytes, proof: service.Receipt, seconds: float) -> bytes:
        """The checkpoint that shows a match's opening to be a leaf, once news reached it.

        A note with the log's signature alone. News have ``seconds`` to reach it, and to
        bring one that counts where that of the proof does not. Raises ``NoNews`` where
        they could not come, or no such checkpoint did.
        """
        path, note = list(proof.path), proof.checkpoint
        asked, what = trio.current_time(), "the opening's checkpoint"
        try:
            checkpoint = self._judged(
                partial(self._follower.check_logged, opening, proof.index, path, note)
            )
        except Unwitnessed as lack:
            await self._reached(lack.size, seconds, what)
            with trio.move_on_at(asked + seconds):
                while not self.has(proof.index, opening):
                    await self._changed.wait()
            if not self.has(proof.index, opening):
                raise NoNews(str(self.lack or lack)) from None
            note = self.note
        else:
            await self._reached(checkpoint.size, seconds, what)
        return self._follower.bare(note)

    async def claimed(self, note: bytes, seconds: float, whose: str) -> bool:
        """Another seat signed that it was shown this; True once that fits. As ``opened``.

        False, and nothing has happened, where the log did not sign it.
        """
        checkpoint = self._judged(partial(self._follower.claim, note))
        if checkpoint is None:
            return False
        what = f"the checkpoint that {whose} signed to have seen"
        await self._reached(checkpoint.size, seconds, what)
        return True

    # --- Inside --------------------------------------------------------------------------

    def _restore(self, hashes: bytes, note: bytes) -> None:
        try:
            self._follower.news(0, hashes, note)
        except Disagreement as error:
            raise WrongUse(
                f"what is kept of this tournament's log does not hold: {error}"
            ) from error
        # Under a trust that demands more than before it may not count any longer.
        if self._follower.lack is None:
            self.note = note
            self._kept = self._follower.checkpoint.size

    def _judged(self, judge: Callable[[], T]) -> T:
        """What comes of holding something against the log. Nothing counts any more after
        the first disagreement.
        """
        if self.disagreement is not None:
            raise self.disagreement
        try:
            return judge()
        except Disagreement as error:
            self._stop(error)
            raise

    def _disagree(self, text: str, note: bytes = b"") -> NoReturn:
        view = self._follower.view()
        notes = (*view.checkpoints, note) if note else view.checkpoints
        error = Disagreement(text, LogView(notes, view.leaf_hashes))
        self._stop(error)
        raise error

    def _stop(self, error: Disagreement) -> None:
        self.disagreement = self.disagreement or error
        self.stopped.set()

    async def _keep(self) -> None:
        """Have on disk what the newest checkpoint covers; only then does it count."""
        async with self._keeping:
            size = self._follower.checkpoint.size
            if size > self._kept:
                view = self._follower.view()
                start, end = self._kept * HASH_BYTES, size * HASH_BYTES
                note = view.checkpoints[0]  # the one that counts comes before all others
                await self._store.keep(
                    self.tournament.id, self._kept, view.leaf_hashes[start:end], note
                )
                self._kept, self.note = size, note
        self._change()

    async def _reached(self, size: int, seconds: float, what: str) -> None:
        """Return once the log's signed news reached a size, whoever co-signed them, and what
        counts of them is kept.

        That they do is awaited until the session ends, whatever becomes of the match: a
        server could end it as soon as it is asked for too much.
        """
        if self._follower.signed_size < size:
            self.nursery.start_soon(self._await, size, seconds, what)
        while self._follower.signed_size < size:
            with trio.move_on_after(seconds) as patience:
                await self._changed.wait()
            if patience.cancelled_caught and self._heard_since is None:
                leaves = counted(size, "leaf")
                raise NoNews(f"the log's news did not reach {leaves}: the server is away")
        await self._keep()

    async def _await(self, size: int, seconds: float, what: str) -> None:
        """Disagree if news do not reach a size in so many seconds in which they could."""
        asked = trio.current_time()
        self._awaited.append((size, what))
        while self._follower.signed_size < size:
            heard = self._heard_since
            deadline = math.inf if heard is None else max(asked, heard) + seconds
            with trio.move_on_at(deadline) as patience:
                await self._changed.wait()
            if patience.cancelled_caught and self.disagreement is None:
                leaves = counted(size, "leaf")
                text = f"{what} is of {leaves}, and in {seconds:g} s the news reached"
                signed = self._follower.signed_size
                self._stop(Disagreement(f"{text} {signed}", self._follower.view()))
                return
        self._awaited.remove((size, what))

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
