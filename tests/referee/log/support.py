"""Trees as the RFC defines them, by recursion; and logs, keys and notes for tests."""

import hashlib
from collections.abc import Sequence

from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.checkpoint import Checkpoint, log_origin, sign_checkpoint
from aboveboard_referee.log.cosignature import add_signature, cosign
from aboveboard_referee.log.note import COSIGNATURE, ED25519, NoteKey
from aboveboard_referee.log.tree import Tree


def h(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def leaves(start: int, end: int, history: str = "a") -> list[bytes]:
    """Hashes of the leaves ``start`` … ``end`` - 1 of one history."""
    return [h(b"\0" + f"{history} {index}".encode()) for index in range(start, end)]


# What certificate transparency's implementations test themselves with.
CT_DATA = (
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    bytes(range(0x50, 0x58)),
    bytes(range(0x60, 0x70)),
)


def _split(n: int) -> int:
    return 1 << (n - 1).bit_length() - 1


def naive_root(hashes: Sequence[bytes]) -> bytes:
    """MTH of RFC 6962, 2.1, over leaf hashes."""
    if not hashes:
        return h(b"")
    if len(hashes) == 1:
        return hashes[0]
    k = _split(len(hashes))
    return h(b"\x01" + naive_root(hashes[:k]) + naive_root(hashes[k:]))


def naive_inclusion(index: int, hashes: Sequence[bytes]) -> list[bytes]:
    """PATH of RFC 6962, 2.1.1."""
    if len(hashes) == 1:
        return []
    k = _split(len(hashes))
    if index < k:
        return [*naive_inclusion(index, hashes[:k]), naive_root(hashes[k:])]
    return [*naive_inclusion(index - k, hashes[k:]), naive_root(hashes[:k])]


def naive_consistency(old: int, hashes: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """PROOF and SUBPROOF of RFC 6962, 2.1.2, for 0 < old."""
    if old == len(hashes):
        return [] if whole else [naive_root(hashes)]
    k = _split(len(hashes))
    if old <= k:
        return [*naive_consistency(old, hashes[:k], whole), naive_root(hashes[k:])]
    return [*naive_consistency(old - k, hashes[k:], False), naive_root(hashes[:k])]


ORIGIN = log_origin(h(b"tournament"))
LOG = PrivateKey.from_seed(h(b"log"))
LOG_KEY = NoteKey(ORIGIN, ED25519, LOG.public)
STRANGER = PrivateKey.from_seed(h(b"stranger"))

W1, W2 = (PrivateKey.from_seed(h(name)) for name in (b"w1", b"w2"))
WITNESSES = (
    NoteKey("witness.example/w1", COSIGNATURE, W1.public),
    NoteKey("witness.example/w2", COSIGNATURE, W2.public),
)


def signed(size: int, root: bytes, key: PrivateKey = LOG, origin: str = ORIGIN) -> bytes:
    """A checkpoint's note."""
    return sign_checkpoint(Checkpoint(origin, size, root), key)


def checkpoint_of(hashes: Sequence[bytes], size: int | None = None) -> bytes:
    """The log's checkpoint for the first ``size`` leaves."""
    size = len(hashes) if size is None else size
    return signed(size, Tree(hashes).root(size))


def cosigned(note: bytes, *witnesses: PrivateKey, time_s: int = 1_700_000_000) -> bytes:
    """The note with co-signatures by W1, W2, as given."""
    text = note.decode().rpartition("\n\n")[0] + "\n"
    for key in witnesses:
        name = next(w.name for w in WITNESSES if w.key == key.public)
        note = add_signature(note, cosign(text, key, name, time_s))
    return note
