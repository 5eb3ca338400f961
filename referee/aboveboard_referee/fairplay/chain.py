"""Entropy chains: a party commits to all its entropy of a match by one hash, the tip.

Links are hashed from the last, v_D, down to the tip, v_0, and revealed the other way:
shuffle k reveals v_k. Nobody can choose a link after its tip was given, and anybody
can check one by hashing back.
"""

import hashlib
from collections.abc import Callable

from aboveboard_referee.fairplay.bytes import (
    HASH_BYTES,
    b32,
    hmac_sha256,
    label,
    u32,
)

_SECRET = label("chainsecret")
_NONCE = label("nonce")
_CHAIN = label("chain")


def chain_secret(stored: bytes, context: bytes) -> bytes:
    """v_D, the secret end of a chain, from the one secret that its owner stores.

    ::

        v_D = HMAC( stored secret[32], T(chainsecret) ‖ ctx[32] )

    So a restarted bot goes on with the same chain.
    """
    return hmac_sha256(b32(stored), _SECRET, b32(context))


def nonce(stored: bytes, head: bytes, seat: int) -> bytes:
    """The nonce of a seat's commitment to what it was asked at ``head``: 32 bytes.

    ::

        HMAC( stored secret[32], T(nonce) ‖ head at asked[32] ‖ u32 seat )
    """
    return hmac_sha256(b32(stored), _NONCE, b32(head), u32(seat))


def link_before(context: bytes, key: bytes, k: int, link_k: bytes) -> bytes:
    """v_{k-1}, the link that was revealed (or is the tip) before v_k.

    ::

        v_{k-1} = SHA-256( T(chain) ‖ ctx[32] ‖ owner's match public key[32] ‖ u32 k ‖ v_k[32] )

    ``context`` is ``match_context``, or the tournament id for the chains of a draw.
    """
    return _before(context, key)(k, link_k)


def _before(context: bytes, key: bytes) -> Callable[[int, bytes], bytes]:
    """``link_before`` for many links of one chain, whose common start is hashed once."""
    start = hashlib.sha256(_CHAIN + b32(context) + b32(key))

    def before(k: int, link_k: bytes) -> bytes:
        link = start.copy()
        link.update(u32(k) + b32(link_k))
        return link.digest()

    return before


class Chain:
    """The owner's side: all links of one chain, secret until each is revealed.

    Made with one hash a link at the first use; ``length`` is D.
    """

    __slots__ = ("_context", "_key", "_length", "_links", "_stored")

    def __init__(self, stored: bytes, context: bytes, key: bytes, length: int) -> None:
        if length < 1:
            raise ValueError("a chain has at least one link")
        self._stored = b32(stored)
        self._context = b32(context)
        self._key = b32(key)
        self._length = length
        self._links: tuple[bytes, ...] = ()

    @property
    def length(self) -> int:
        return self._length

    @property
    def tip(self) -> bytes:
        """v_0: public from the start."""
        return self.link(0)

    def link(self, k: int) -> bytes:
        """v_k for 0 ≤ k ≤ D. Raises ValueError beyond: such a chain is used up."""
        if not 0 <= k <= self._length:
            raise ValueError(f"a chain of {self._length} links has none with number {k}")
        if not self._links:
            links = [chain_secret(self._stored, self._context)]
            before = _before(self._context, self._key)
            for i in range(self._length, 0, -1):
                links.append(before(i, links[-1]))
            self._links = tuple(reversed(links))
        return self._links[k]


def fits(
    context: bytes, key: bytes, k: int, link_k: bytes, known_index: int, known_link: bytes
) -> bool:
    """Whether ``link_k`` is v_k of the chain whose earlier link ``known_index`` is known.

    Known is the tip, index 0, or the newest link that was checked; k must come after
    it. The work grows with k, so the caller holds k to the chain's length.
    """
    if not 0 <= known_index < k or len(link_k) != HASH_BYTES:
        return False
    link, before = link_k, _before(context, key)
    for i in range(k, known_index, -1):
        link = before(i, link)
    return link == known_link
