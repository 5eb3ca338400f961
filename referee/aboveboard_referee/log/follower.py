"""One holder's own copy of a log's tree, against which it holds whatever it is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.checkpoint import Checkpoint, bare_note, open_checkpoint
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.fork import LogView, find_fork
from aboveboard_referee.log.note import BadNote, NoteKey
from aboveboard_referee.log.proofs import BadProof, check_inclusion
from aboveboard_referee.log.tree import EMPTY_ROOT, Tree, leaf_hash, split_hashes

MAX_LEAVES = 1 << 22
"""Leaves that a follower takes, 64 bytes of memory each."""

MAX_AHEAD = 256
"""Sizes beyond the news that it remembers."""


class Disagreement(Exception):
    """What the follower was told cannot be, or not of the log that it knows.

    ``view`` is what it knows, and what contradicts it if the log's key signed that. It
    may prove the log false by itself, or together with what others kept
    (``fork.find_fork``). The follower is of no further use.
    """

    def __init__(self, text: str, view: LogView) -> None:
        super().__init__(text)
        self.text = text
        self.view = view


@dataclass(frozen=True, slots=True)
class _Ahead:
    """A root for a size that news have not reached, and the note that the log signed."""

    root: bytes
    note: bytes


class Follower:
    """What a bot or an auditor keeps of a log while it grows.

    ``witnesses``: keys of co-signatures; of these ``needed`` must stand below every
    checkpoint. All methods that take something in raise Disagreement for what cannot be.
    """

    def __init__(
        self,
        origin: str,
        log_key: PublicKey,
        witnesses: Sequence[NoteKey] = (),
        needed: int = 0,
    ) -> None:
        # A witness that is listed twice must not count for two, and the log not for one.
        names = {witness.name for witness in witnesses}
        keys = {witness.key for witness in witnesses} - {log_key}
        if not len(names) == len(keys) == len(witnesses):
            raise ValueError("each witness has a name and a key of its own")
        if not 0 <= needed <= len(witnesses):
            raise ValueError(f"{needed} of {len(witnesses)} witnesses cannot be demanded")
        self._origin = origin
        self._log_key = log_key
        self._witnesses = tuple(witnesses)
        self._needed = needed
        self._tree = Tree()
        self._held = Checkpoint(origin, 0, EMPTY_ROOT)
        self._held_note = b""
        self._ahead: dict[int, _Ahead] = {}

    @property
    def size(self) -> int:
        """How many leaf hashes came: what to ask the log to go on from."""
        return self._tree.size

    @property
    def checkpoint(self) -> Checkpoint:
        """The largest signed one that fits the tree; at first that of an empty log."""
        return self._held

    def settled(self, size: int) -> bool:
        """Whether signed news reached this size, so that nothing up to it is in doubt."""
        return size <= self._held.size

    def view(self) -> LogView:
        """What the follower knows, for evidence."""
        ahead = [entry.note for _, entry in sorted(self._ahead.items())]
        notes = [self._held_note, *ahead]
        return LogView(tuple(filter(None, notes)), self._tree.hashes(0, self._tree.size))

    def news(self, size_before: int, leaf_hashes: bytes, note: bytes = b"") -> None:
        """The log has grown: the hashes of its leaves from ``size_before`` on.

        Hashes that are known already must be the same again. ``note`` is the checkpoint
        that covers them; empty if more of them follow before it comes.
        """
        checkpoint = self._open(note) if note else None
        if size_before > self._tree.size:
            self._disagree(f"leaves {self._tree.size} to {size_before} are left out", note)
        if len(leaf_hashes) % HASH_BYTES:
            self._disagree("the news hold a part of a hash", note)
        size = size_before + len(leaf_hashes) // HASH_BYTES
        if size > MAX_LEAVES:
            self._disagree(f"the log has more than {MAX_LEAVES} leaves", note)
        if checkpoint is not None and checkpoint.size < size:
            self._disagree(f"{size} leaves come with a checkpoint of fewer", note)
        known = min(size, self._tree.size)
        overlap = (known - size_before) * HASH_BYTES
        if leaf_hashes[:overlap] != self._tree.hashes(size_before, known):
            self._disagree_about_leaves(self._tree.hashes(0, size_before) + leaf_hashes, note)
        self._tree.extend(split_hashes(leaf_hashes[overlap:]))
        if checkpoint is not None:
            self._hold(checkpoint.size, checkpoint.root, note)

    def check_logged(
        self, leaf_data: bytes, index: int, path: Sequence[bytes], note: bytes
    ) -> Checkpoint:
        """The checkpoint that shows these very bytes to be leaf ``index`` of the log.

        It may be ahead of the news; then it is held against the tree when they reach it.
        """
        checkpoint = self._open(note)
        leaf = leaf_hash(leaf_data)
        try:
            check_inclusion(leaf, index, checkpoint.size, path, checkpoint.root)
        except BadProof as error:
            self._disagree(str(error), note)
        if index < self._tree.size and self._tree.leaf(index) != leaf:
            self._disagree(f"leaf {index} is another in the log that came before", note)
        self._hold(checkpoint.size, checkpoint.root, note)
        return checkpoint

    def bare(self, note: bytes) -> bytes:
        """A note that was taken, with the log's signature alone: what to tell others of it."""
        return bare_note(note, self._log_key)

    def claim(self, note: bytes) -> Checkpoint | None:
        """The checkpoint that somebody else says the log showed, held against the tree.

        None, and nothing happens, where the log did not sign it: then it is nobody's word
        but theirs. No witness has to have signed it.
        """
        try:
            checkpoint = open_checkpoint(note, self._origin, self._log_key)
        except BadNote:
            return None
        # It waits until the log has signed what it is held against: then a false log has
        # signed the whole proof.
        if checkpoint.size > self._held.size:
            self._remember(checkpoint.size, checkpoint.root, note)
        else:
            self._compare(checkpoint.size, checkpoint.root, note)
        return checkpoint

    def _open(self, note: bytes) -> Checkpoint:
        try:
            checkpoint = open_checkpoint(note, self._origin, self._log_key)
            times = check_cosignatures(note, self._witnesses)
        except BadNote as error:
            self._disagree(f"checkpoint: {error}")
        if len(times) < self._needed:
            self._disagree(
                f"{len(times)} of the {self._needed} witnesses that are needed co-signed the "
                f"checkpoint of {checkpoint.size} leaves",
                note,
            )
        return checkpoint

    def _hold(self, size: int, root: bytes, note: bytes) -> None:
        """Hold a root against the tree, or remember it until the news reach its size."""
        if size > self._tree.size:
            self._remember(size, root, note)
            return
        self._compare(size, root, note)
        if size >= self._held.size:
            self._held = Checkpoint(self._origin, size, root)
            self._held_note = note
            for reached in sorted(ahead for ahead in self._ahead if ahead <= size):
                entry = self._ahead.pop(reached)
                self._compare(reached, entry.root, entry.note)

    def _compare(self, size: int, root: bytes, note: bytes) -> None:
        if self._tree.root(size) != root:
            self._disagree(f"the root of {size} leaves is another", note)

    def _remember(self, size: int, root: bytes, note: bytes) -> None:
        known = self._ahead.get(size)
        if known is None and len(self._ahead) >= MAX_AHEAD:
            self._disagree(f"{MAX_AHEAD} sizes are ahead of the news", note)
        if known is not None and known.root != root:
            self._disagree(f"there are two roots of {size} leaves", note)
        self._ahead[size] = _Ahead(root, note)

    def _disagree(self, text: str, signed_note: bytes = b"") -> NoReturn:
        raise Disagreement(text, self._view_with(signed_note))

    def _disagree_about_leaves(self, told: bytes, signed_note: bytes) -> NoReturn:
        """The log's leaves are told anew and are not what they were."""
        kept = self._view_with(signed_note)
        anew = LogView(kept.checkpoints, told)
        # Which of the two shows the signed checkpoints to contradict each other depends
        # on which of them is the greater one.
        proof = anew if find_fork((anew,), self._origin, self._log_key) else kept
        raise Disagreement("the log now has other leaves than before", proof)

    def _view_with(self, signed_note: bytes) -> LogView:
        view = self.view()
        if not signed_note:
            return view
        return LogView((*view.checkpoints, signed_note), view.leaf_hashes)
