"""One holder's own copy of a log's tree, against which it holds whatever it is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from aboveboard_referee.counted import counted
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


class Unwitnessed(Exception):
    """Too few of the witnesses co-signed a checkpoint that is right in all else.

    It contradicts nothing, and may come again with more. ``witnesses`` of the ``needed``
    co-signed the one of ``size`` leaves.
    """

    def __init__(self, witnesses: int, needed: int, size: int) -> None:
        super().__init__(
            f"{witnesses} of the {needed} witnesses that are needed co-signed the "
            f"checkpoint of {counted(size, 'leaf')}"
        )
        self.witnesses = witnesses
        self.needed = needed
        self.size = size


@dataclass(frozen=True, slots=True)
class _Shown:
    """A checkpoint, the note by which the log signed it, and how many witnesses did."""

    checkpoint: Checkpoint
    note: bytes
    witnesses: int


class Follower:
    """What a bot or an auditor keeps of a log while it grows.

    ``witnesses``: keys of co-signatures; a checkpoint counts once ``needed`` of these stand
    below it. One with fewer is held against the tree like any other. All methods that take
    something in raise Disagreement for what cannot be.
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
        self._newest = _Shown(Checkpoint(origin, 0, EMPTY_ROOT), b"", 0)
        self._counted = self._newest
        self._ahead: dict[int, _Shown] = {}  # by sizes that signed news have not reached

    @property
    def size(self) -> int:
        """How many leaf hashes came: what to ask the log to go on from."""
        return self._tree.size

    @property
    def checkpoint(self) -> Checkpoint:
        """The largest one that fits the tree and counts; at first that of an empty log."""
        return self._counted.checkpoint

    @property
    def signed_size(self) -> int:
        """The size of the largest that the log signed and that fits the tree, whoever
        co-signed it.
        """
        return self._newest.checkpoint.size

    @property
    def lack(self) -> Unwitnessed | None:
        """What a checkpoint lacks that is larger than the one that counts."""
        return self._lack(self._newest) if self.signed_size > self.checkpoint.size else None

    def settled(self, size: int) -> bool:
        """Whether a checkpoint that counts covers this size, so that nothing up to it is in
        doubt.
        """
        return size <= self.checkpoint.size

    def holds(self, index: int, leaf_data: bytes) -> bool:
        """Whether these very bytes are leaf ``index`` of what it was told."""
        return index < self._tree.size and self._tree.leaf(index) == leaf_hash(leaf_data)

    def view(self) -> LogView:
        """What the follower knows, for evidence."""
        shown = [self._counted]
        if self.signed_size > self.checkpoint.size:
            shown.append(self._newest)
        shown += [self._ahead[size] for size in sorted(self._ahead)]
        notes = [one.note for one in shown if one.note]
        return LogView(tuple(notes), self._tree.hashes(0, self._tree.size))

    def news(self, size_before: int, leaf_hashes: bytes, note: bytes = b"") -> None:
        """The log has grown: the hashes of its leaves from ``size_before`` on.

        Hashes that are known already must be the same again. ``note`` is the checkpoint
        that covers them; empty if more of them follow before it comes.
        """
        shown = self._open(note) if note else None
        if size_before > self._tree.size:
            self._disagree(f"leaves {self._tree.size} to {size_before} are left out", note)
        if len(leaf_hashes) % HASH_BYTES:
            self._disagree("the news hold a part of a hash", note)
        size = size_before + len(leaf_hashes) // HASH_BYTES
        if size > MAX_LEAVES:
            self._disagree(f"the log has more than {MAX_LEAVES} leaves", note)
        if shown is not None and shown.checkpoint.size < size:
            self._disagree(f"{counted(size, 'leaf')} come with a checkpoint of fewer", note)
        known = min(size, self._tree.size)
        overlap = (known - size_before) * HASH_BYTES
        if leaf_hashes[:overlap] != self._tree.hashes(size_before, known):
            self._disagree_about_leaves(self._tree.hashes(0, size_before) + leaf_hashes, note)
        self._tree.extend(split_hashes(leaf_hashes[overlap:]))
        if shown is not None:
            self._hold(shown)

    def check_logged(
        self, leaf_data: bytes, index: int, path: Sequence[bytes], note: bytes
    ) -> Checkpoint:
        """The checkpoint that shows these very bytes to be leaf ``index`` of the log.

        It may be ahead of the news; then it is held against the tree when they reach it.
        Raises Unwitnessed where it is all that, and does not count.
        """
        shown = self._open(note)
        checkpoint = shown.checkpoint
        leaf = leaf_hash(leaf_data)
        try:
            check_inclusion(leaf, index, checkpoint.size, path, checkpoint.root)
        except BadProof as error:
            self._disagree(str(error), note)
        if index < self._tree.size and self._tree.leaf(index) != leaf:
            self._disagree(f"leaf {index} is another in the log that came before", note)
        self._hold(shown)
        lack = self._lack(shown)
        if lack is not None:
            raise lack
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
        shown = _Shown(checkpoint, note, 0)
        # It waits until the log has signed what it is held against: then a false log has
        # signed the whole proof.
        if checkpoint.size > self.signed_size:
            self._remember(shown)
        else:
            self._compare(shown)
        return checkpoint

    def _open(self, note: bytes) -> _Shown:
        try:
            checkpoint = open_checkpoint(note, self._origin, self._log_key)
            times = check_cosignatures(note, self._witnesses)
        except BadNote as error:
            self._disagree(f"checkpoint: {error}")
        return _Shown(checkpoint, note, len(times))

    def _lack(self, shown: _Shown) -> Unwitnessed | None:
        if shown.witnesses < self._needed:
            return Unwitnessed(shown.witnesses, self._needed, shown.checkpoint.size)
        return None

    def _hold(self, shown: _Shown) -> None:
        """Hold a root against the tree, or remember it until the news reach its size."""
        size = shown.checkpoint.size
        if size > self._tree.size:
            self._remember(shown)
            return
        self._compare(shown)
        if size >= self.signed_size:
            self._newest = shown
            for reached in sorted(ahead for ahead in self._ahead if ahead <= size):
                entry = self._ahead.pop(reached)
                self._compare(entry)
                self._count(entry)
        self._count(shown)

    def _count(self, shown: _Shown) -> None:
        """What fits the tree counts if enough witnesses saw it."""
        if self._lack(shown) is None and shown.checkpoint.size >= self.checkpoint.size:
            self._counted = shown

    def _compare(self, shown: _Shown) -> None:
        size = shown.checkpoint.size
        if self._tree.root(size) != shown.checkpoint.root:
            self._disagree(f"the root of {counted(size, 'leaf')} is another", shown.note)

    def _remember(self, shown: _Shown) -> None:
        size = shown.checkpoint.size
        known = self._ahead.get(size)
        if known is None and len(self._ahead) >= MAX_AHEAD:
            self._disagree(f"{MAX_AHEAD} sizes are ahead of the news", shown.note)
        if known is not None and known.checkpoint.root != shown.checkpoint.root:
            self._disagree(f"there are two roots of {counted(size, 'leaf')}", shown.note)
        if known is None or known.witnesses <= shown.witnesses:
            self._ahead[size] = shown

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
