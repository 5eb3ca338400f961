"""Merkle trees as in RFC 6962, over leaves that are hashed already.

The caller hashes leaves with a first byte 00; inner nodes begin with 01, so neither
passes for the other.
"""

from collections.abc import Sequence
from hashlib import sha256

_NODE = b"\x01"


def node_hash(left: bytes, right: bytes) -> bytes:
    """An inner node: ``SHA-256( 01 ‖ left[32] ‖ right[32] )``."""
    return sha256(_NODE + left + right).digest()


class Tree:
    """A whole tree, hashed once; its audit paths are then only looked up."""

    __slots__ = ("_levels",)

    def __init__(self, leaves: Sequence[bytes]) -> None:
        # Pairing neighbours and lifting an odd last node unchanged gives the same tree
        # as RFC 6962's split at the largest power of two.
        level = list(leaves)
        self._levels = [level]
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2])  # an odd last node is in none
            parents = [sha256(_NODE + left + right).digest() for left, right in pairs]
            if len(level) % 2:
                parents.append(level[-1])
            level = parents
            self._levels.append(level)

    @property
    def size(self) -> int:
        return len(self._levels[0])

    @property
    def root(self) -> bytes:
        """The root; of no leaves it is the hash of nothing."""
        top = self._levels[-1]
        return top[0] if top else sha256().digest()

    def path(self, index: int) -> tuple[bytes, ...]:
        """The audit path of a leaf, from its sibling up to below the root."""
        if not 0 <= index < self.size:
            raise IndexError(f"a tree of {self.size} leaves has none with number {index}")
        path = []
        for level in self._levels[:-1]:
            sibling = index ^ 1
            if sibling < len(level):
                path.append(level[sibling])
            index //= 2
        return tuple(path)


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over leaf hashes."""
    return Tree(leaves).root


def path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The audit path of one leaf, from leaf to root."""
    return Tree(leaves).path(index)


def root_from_path(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes | None:
    """The root that an audit path leads to, or None if its length fits no such leaf.

    The caller compares it with the root it trusts (RFC 9162, 2.1.3.2).
    """
    if not 0 <= index < size:
        return None
    result = leaf
    last = size - 1  # the last node of the level that ``index`` is on
    steps = iter(path)
    while last:
        # A last node without a sibling is lifted as it is and takes nothing of the path.
        if index % 2 or index < last:
            sibling = next(steps, None)
            if sibling is None:
                return None
            result = node_hash(sibling, result) if index % 2 else node_hash(result, sibling)
        index //= 2
        last //= 2
    return result if next(steps, None) is None else None
