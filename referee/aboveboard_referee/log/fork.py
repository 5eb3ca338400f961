"""Two histories under one log key: found from what several holders kept of the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.checkpoint import Checkpoint, open_checkpoint
from aboveboard_referee.log.note import BadNote
from aboveboard_referee.log.tree import Tree, split_hashes


@dataclass(frozen=True, slots=True)
class LogView:
    """What one holder kept: checkpoints as they came, and leaf hashes from the first on.

    Nothing in it is trusted. Leaf hashes count only up to a size for which a signed
    checkpoint has their root.
    """

    checkpoints: tuple[bytes, ...] = ()
    leaf_hashes: bytes = b""


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A note and the checkpoint that the log's key signed with it."""

    note: bytes
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Fork:
    """Two checkpoints, both signed by the log's key, that no one log can have.

    ``leaf_hashes`` show it if the sizes differ: they have the root of ``second``, and
    their beginning has not that of ``first``. Empty if the sizes are the same.
    """

    first: SignedCheckpoint
    second: SignedCheckpoint
    leaf_hashes: bytes
    text: str


def genuine(
    view: LogView, origin: str, log_key: PublicKey
) -> tuple[list[SignedCheckpoint], list[str]]:
    """The view's checkpoints by the log's key, and why each of the others is none."""
    signed, ignored = [], []
    for number, note in enumerate(view.checkpoints, 1):
        try:
            signed.append(SignedCheckpoint(note, open_checkpoint(note, origin, log_key)))
        except BadNote as error:
            ignored.append(f"checkpoint {number}: {error}")
    return signed, ignored


def hold(view: LogView, origin: str, log_key: PublicKey) -> bool:
    """Whether the log's key signed just this view: a checkpoint fits all its leaf hashes."""
    tree = _tree(view)
    return any(
        (signed.checkpoint.size, signed.checkpoint.root) == (tree.size, tree.root())
        for signed in genuine(view, origin, log_key)[0]
    )


def find_fork(views: Sequence[LogView], origin: str, log_key: PublicKey) -> Fork | None:
    """Two checkpoints of the views that prove the log's key to have two histories, if any.

    Proved by the views alone: with the same size and another root; or with leaf hashes
    that have the greater one's root and do not begin as the smaller one says. Whatever
    is not signed by the key proves nothing and is passed over.
    """
    signed = [entry for view in views for entry in genuine(view, origin, log_key)[0]]
    signed.sort(key=lambda entry: entry.checkpoint.size)
    return next(_same_size(signed), None) or next(
        (fork for view in views for fork in _beginnings(signed, _tree(view))), None
    )


def _same_size(signed: Sequence[SignedCheckpoint]) -> Iterator[Fork]:
    for first, second in pairwise(signed):
        size = first.checkpoint.size
        if size == second.checkpoint.size and first.checkpoint.root != second.checkpoint.root:
            leaves = counted(size, "leaf")
            yield Fork(first, second, b"", f"the log's key signed two roots of {leaves}")


def _beginnings(signed: Sequence[SignedCheckpoint], tree: Tree) -> Iterator[Fork]:
    """Checkpoints that the leaves below a greater one contradict; ``signed`` by size."""
    fitting = [entry for entry in signed if _fits(entry, tree)]
    if not fitting:
        return
    largest = fitting[-1]
    size = largest.checkpoint.size
    for entry in signed:
        smaller = entry.checkpoint.size
        if smaller < size and not _fits(entry, tree):
            yield Fork(
                entry,
                largest,
                tree.hashes(0, size),
                f"the log of {counted(size, 'leaf')} does not begin with the {smaller} leaves "
                "that the same key signed",
            )


def _fits(signed: SignedCheckpoint, tree: Tree) -> bool:
    checkpoint = signed.checkpoint
    return checkpoint.size <= tree.size and tree.root(checkpoint.size) == checkpoint.root


def _tree(view: LogView) -> Tree:
    whole = len(view.leaf_hashes) - len(view.leaf_hashes) % HASH_BYTES
    return Tree(split_hashes(view.leaf_hashes[:whole]))
