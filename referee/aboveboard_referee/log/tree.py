"""The log's Merkle tree: grows by leaves, and proves to others what it holds.

RFC 6962, section 2.1. Every perfect subtree's hash is kept, so that the tree of any
earlier size, and every proof, costs a few hashes for each level and no more.
"""

from collections.abc import Iterable, Iterator

from aboveboard_referee.fairplay.bytes import HASH_BYTES, b32, sha256
from aboveboard_referee.fairplay.merkle import node_hash

__all__ = ["EMPTY_ROOT", "Tree", "leaf_hash", "node_hash", "split_hashes"]

EMPTY_ROOT = sha256()
"""The root of a log without leaves: the hash of nothing."""

_LEAF = b"\x00"


def leaf_hash(data: bytes) -> bytes:
    """A leaf of the log: ``SHA-256( 00 ‖ data )``."""
    return sha256(_LEAF, data)


def split_hashes(hashes: bytes) -> Iterator[bytes]:
    """The single hashes of a string of them; raises ValueError if it holds a part of one."""
    if len(hashes) % HASH_BYTES:
        raise ValueError(f"{len(hashes)} bytes are no whole number of hashes")
    return (hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES))


class Tree:
    """An append-only tree over leaf hashes of 32 bytes each.

    Takes 64 bytes of memory a leaf. A ``size`` that is asked for is at most the tree's
    own and stands for the tree as it was then; left out it is the whole tree. Raises
    ValueError for sizes, indexes and hashes that cannot be.
    """

    __slots__ = ("_levels",)

    def __init__(self, leaf_hashes: Iterable[bytes] = ()) -> None:
        # _levels[k] holds, one after the other, the hashes of the perfect subtrees of
        # 2ᵏ leaves: number i stands over the leaves i·2ᵏ … (i+1)·2ᵏ-1.
        self._levels = [bytearray()]
        self.extend(leaf_hashes)

    @property
    def size(self) -> int:
        return len(self._levels[0]) // HASH_BYTES

    def append(self, leaf_hash: bytes) -> int:
        """Add one leaf; returns its index."""
        index = self.size
        self._levels[0] += b32(leaf_hash)
        # Each bit that is one at the index's end is a subtree that this leaf completes.
        node, level, position = bytes(leaf_hash), 0, index
        while position % 2:
            node = node_hash(self._node(level, position - 1), node)
            level, position = level + 1, position // 2
            if level == len(self._levels):
                self._levels.append(bytearray())
            self._levels[level] += node
        return index

    def extend(self, leaf_hashes: Iterable[bytes]) -> None:
        for leaf in leaf_hashes:
            self.append(leaf)

    def leaf(self, index: int) -> bytes:
        """The hash of one leaf."""
        self._judge_index(index, self.size)
        return self._node(0, index)

    def hashes(self, start: int, end: int) -> bytes:
        """The hashes of leaves ``start`` … ``end`` - 1, one after the other."""
        if not 0 <= start <= end <= self.size:
            raise ValueError(f"a tree of {self.size} leaves has no leaves {start} to {end}")
        return bytes(self._levels[0][start * HASH_BYTES : end * HASH_BYTES])

    def find(self, leaf_hash: bytes) -> int | None:
        """The index of the first leaf with this hash. Looks through all of them."""
        wanted, leaves = b32(leaf_hash), self._levels[0]
        at = leaves.find(wanted)
        while at >= 0:
            if at % HASH_BYTES == 0:
                return at // HASH_BYTES
            at = leaves.find(wanted, at - at % HASH_BYTES + HASH_BYTES)
        return None

    def root(self, size: int | None = None) -> bytes:
        """The root of the first ``size`` leaves."""
        size = self._judge_size(size)
        if size == 0:
            return EMPTY_ROOT
        return self._subtree((size - 1).bit_length(), 0, size)

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """The audit path of a leaf in the first ``size`` leaves (RFC 6962, 2.1.1)."""
        size = self._judge_size(size)
        self._judge_index(index, size)
        return self._siblings(0, index, size)

    def consistency(self, old: int, new: int | None = None) -> list[bytes]:
        """Shows that ``new`` leaves begin with the ``old`` ones (RFC 6962, 2.1.2).

        Empty if the two are the same, and if ``old`` is 0: everything begins with nothing.
        """
        new = self._judge_size(new)
        if not 0 <= old <= new:
            raise ValueError(f"a tree of {new} leaves does not grow from {old}")
        if old in (0, new):
            return []
        # The old tree's last perfect subtree is the longest part that both trees share
        # whole. If it is all of the old tree its hash is the old root, which the reader has.
        level, position = 0, old - 1
        while position % 2:
            level, position = level + 1, position // 2
        start = [self._node(level, position)] if position else []
        return start + self._siblings(level, position, new)

    def _siblings(self, level: int, position: int, size: int) -> list[bytes]:
        """What stands beside the way from a perfect subtree up to the root of ``size``."""
        path = []
        while (1 << level) < size:
            sibling = position ^ 1
            # A last node without a sibling is lifted as it is and takes nothing.
            if sibling << level < size:
                path.append(self._subtree(level, sibling, size))
            level, position = level + 1, position // 2
        return path

    def _subtree(self, level: int, position: int, size: int) -> bytes:
        """The hash over what ``size`` leaves have of one subtree's leaves, at least one."""
        if (position + 1) << level <= size:
            return self._node(level, position)
        left, right = 2 * position, 2 * position + 1
        if right << (level - 1) >= size:
            return self._subtree(level - 1, left, size)
        return node_hash(self._node(level - 1, left), self._subtree(level - 1, right, size))

    def _node(self, level: int, position: int) -> bytes:
        return bytes(self._levels[level][position * HASH_BYTES : (position + 1) * HASH_BYTES])

    def _judge_size(self, size: int | None) -> int:
        if size is None:
            return self.size
        if not 0 <= size <= self.size:
            raise ValueError(f"a tree of {self.size} leaves was never one of {size}")
        return size

    def _judge_index(self, index: int, size: int) -> None:
        if not 0 <= index < size:
            raise ValueError(f"a tree of {size} leaves has none with number {index}")
