"""Commitments to sealed moves: given by every seat before any of them is opened."""

from aboveboard_referee.fairplay.bytes import ascii_bytes, b32, label, lp, sha256, u32

_COMMIT = label("commit")


def commitment(head: bytes, seat: int, key: bytes, nonce: bytes, move: str) -> bytes:
    """What a seat sends in place of its sealed move: 32 bytes.

    ::

        SHA-256( T(commit) ‖ head at asked[32] ‖ u32 seat ‖ public key[32] ‖ nonce[32]
                 ‖ u32 length ‖ move )

    Seat and key are inside, so a copied commitment cannot be opened by another seat.
    Raises ValueError for a move that is not ASCII or a field that is not 32 bytes.
    """
    return sha256(_COMMIT, b32(head), u32(seat), b32(key), b32(nonce), lp(ascii_bytes(move)))
