"""Merkle trees as RFC 6962, section 2.1, defines them: by recursion, over hashed leaves."""

from collections.abc import Sequence

from tests.oracle.primitives import sha256


def leaf_hash(data: bytes) -> bytes:
    """Of a leaf of the public log. A deck's leaves are made otherwise (section 10)."""
    return sha256(b"\x00" + data)


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right)


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    k = 1
    while 2 * k < size:
        k *= 2
    return k


def root(leaves: Sequence[bytes]) -> bytes:
    """MTH"""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = _split(len(leaves))
    return node_hash(root(leaves[:k]), root(leaves[k:]))


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """PATH: from the leaf's sibling up."""
    if len(leaves) == 1:
        return []
    k = _split(len(leaves))
    if index < k:
        return [*inclusion(leaves[:k], index), root(leaves[k:])]
    return [*inclusion(leaves[k:], index - k), root(leaves[:k])]


def consistency(leaves: Sequence[bytes], old: int) -> list[bytes]:
    """PROOF: that the tree of these leaves goes on from that of the first ``old``."""
    return _subproof(leaves, old, whole=True) if 0 < old < len(leaves) else []


def _subproof(leaves: Sequence[bytes], old: int, *, whole: bool) -> list[bytes]:
    if old == len(leaves):
        return [] if whole else [root(leaves)]
    k = _split(len(leaves))
    if old <= k:
        return [*_subproof(leaves[:k], old, whole=whole), root(leaves[k:])]
    return [*_subproof(leaves[k:], old - k, whole=False), root(leaves[:k])]


# --- Checking, by the same recursion -----------------------------------------------------------


def root_of_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a path leads to, or None if it has not the length of such a path."""
    if not 0 <= index < size:
        return None
    if size == 1:
        return None if path else leaf
    if not path:
        return None
    k = _split(size)
    if index < k:
        left = root_of_inclusion(leaf, index, k, path[:-1])
        return None if left is None else node_hash(left, path[-1])
    right = root_of_inclusion(leaf, index - k, size - k, path[:-1])
    return None if right is None else node_hash(path[-1], right)


def is_consistent(
    old: int, size: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether ``proof`` shows that the tree of ``size`` leaves goes on from that of ``old``."""
    if old > size or old < 0:
        return False
    if old == size:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == sha256(b"")
    return roots_of_consistency(old, size, old_root, proof) == (old_root, new_root)


def roots_of_consistency(
    old: int, size: int, old_root: bytes, proof: Sequence[bytes]
) -> tuple[bytes, bytes] | None:
    """The two roots that a proof leads to, for 0 < old < size; None if its length fits not.

    ``old_root`` is what the old tree's root is taken to be where the proof leaves it out.
    """
    return _both_roots(old, size, old_root, list(proof), whole=True)


def _both_roots(
    old: int, size: int, old_root: bytes, proof: list[bytes], *, whole: bool
) -> tuple[bytes, bytes] | None:
    """The roots of old and new tree below this node, by what the proof says of it."""
    if old == size:
        if whole:
            return None if proof else (old_root, old_root)
        return (proof[0], proof[0]) if len(proof) == 1 else None
    if not proof:
        return None
    k = _split(size)
    *rest, other = proof
    if old <= k:
        below = _both_roots(old, k, old_root, rest, whole=whole)
        return None if below is None else (below[0], node_hash(below[1], other))
    below = _both_roots(old - k, size - k, old_root, rest, whole=False)
    return None if below is None else (node_hash(other, below[0]), node_hash(other, below[1]))
