"""Proofs about a log that a reader without its leaves checks against signed roots.

RFC 9162, sections 2.1.3.2 and 2.1.4.2. A proof is right down to its length: nothing may
be missing and nothing left over, so that one statement has one proof.
"""

from collections.abc import Sequence

from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.fairplay.merkle import node_hash, root_from_path
from aboveboard_referee.log.tree import EMPTY_ROOT

MAX_SIZE = 2**63 - 1
"""No log is larger, here and in most languages that others read it with."""

MAX_PATH = 63
"""Hashes that a proof has at most, for a log of that size."""


class BadProof(ValueError):
    """The proof does not show what it is said to show."""


def check_inclusion(
    leaf_hash: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> None:
    """Return if the log of ``size`` leaves with this root has this leaf at ``index``.

    Raises BadProof.
    """
    _judge((leaf_hash, root), path, size)
    if root_from_path(index, size, leaf_hash, path) != root:
        raise BadProof(f"the path does not lead from leaf {index!s:.20} of {size} to the root")


def check_consistency(
    old_size: int, old_root: bytes, new_size: int, new_root: bytes, path: Sequence[bytes]
) -> None:
    """Return if the log of ``new_size`` leaves begins with that of ``old_size`` leaves.

    Raises BadProof. From size 0 everything follows, and that takes no path.
    """
    _judge((old_root, new_root), path, old_size, new_size)
    if old_size > new_size:
        raise BadProof(f"a log of {old_size} leaves does not shrink to {new_size}")
    for size, root in ((old_size, old_root), (new_size, new_root)):
        if size == 0 and root != EMPTY_ROOT:
            raise BadProof("the root of a log without leaves is another")
    if old_size in (0, new_size):
        if path:
            raise BadProof(f"from {old_size} leaves to {new_size} there is no path")
        if old_size == new_size and old_root != new_root:
            raise BadProof(f"there are two roots of {new_size} leaves")
        return
    old, new = _roots_from_path(old_size, new_size, old_root, path)
    if old != old_root:
        raise BadProof(f"the path does not lead to the root of {old_size} leaves")
    if new != new_root:
        raise BadProof(f"the path does not lead to the root of {new_size} leaves")


def _roots_from_path(
    old_size: int, new_size: int, old_root: bytes, path: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """The old and the new root that a path leads to, for 0 < old < new."""
    # Start at the old tree's last perfect subtree, both trees' longest common part.
    position, last = old_size - 1, new_size - 1
    while position % 2:
        position, last = position // 2, last // 2
    steps = list(path)
    if position == 0:
        steps.insert(0, old_root)  # the old tree is that subtree, so nobody sends its hash
    if not steps:
        raise BadProof("the path is too short")
    old = new = steps[0]
    for step in steps[1:]:
        if last == 0:
            raise BadProof("the path is too long")
        if position % 2 or position == last:
            # What stands to the left belongs to both trees.
            old, new = node_hash(step, old), node_hash(step, new)
            # A last node without a sibling was lifted to where it has one.
            while position % 2 == 0:
                position, last = position // 2, last // 2
        else:
            new = node_hash(new, step)
        position, last = position // 2, last // 2
    if last:
        raise BadProof("the path is too short")
    return old, new


def _judge(hashes: Sequence[bytes], path: Sequence[bytes], *sizes: int) -> None:
    """Refuse what no log and no proof can have, before any work is done."""
    for size in sizes:
        if not 0 <= size <= MAX_SIZE:
            raise BadProof(f"no log has {size!s:.20} leaves")
    # One more than a whole path's levels: a consistency path also names where it starts.
    if len(path) > MAX_PATH + 1:
        raise BadProof(f"no path has {len(path)} hashes")
    if any(len(hash_) != HASH_BYTES for hash_ in (*hashes, *path)):
        raise BadProof("a hash has 32 bytes")
