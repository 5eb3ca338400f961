"""Decks from joint entropy: shuffled by nobody's choice, committed before a card is seen.

The order follows from every party's link for shuffle k. Its referee commits to it by
a Merkle root over salted cards, so that each card can be opened alone.
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from aboveboard_referee.fairplay.bytes import (
    HASH_BYTES,
    b32,
    hkdf,
    hmac_under,
    label,
    sha256,
    u8,
    u32,
)
from aboveboard_referee.fairplay.merkle import Tree, root_from_path

_DECK = label("deck")
_DRAW = label("draw")
_SALT_KEY = label("saltkey")
_SALT = label("salt")
_LEAF = b"\x00" + label("leaf")

_POS_CARD = struct.Struct(">II").pack

_WORDS = 1 << 64
_FIRST_WORDS = 128  # enough for nearly every deck in one go
_U32_MAX = 0xFFFF_FFFF


def presence(link: bytes | None) -> bytes:
    """One party's part of joint entropy: ``u8 present ‖ its link or 32 zeros``."""
    return u8(0) + bytes(HASH_BYTES) if link is None else u8(1) + b32(link)


def shuffle_seed(
    head0: bytes, referee_link: bytes, seat_links: Sequence[bytes | None], k: int, n: int
) -> bytes:
    """The seed of shuffle k of n cards, from the referee's link and each seat's (None: absent).

    ::

        seed_k = HKDF( salt = head_0[32],
                       ikm  = r_k[32] ‖ for each seat ( u8 present ‖ e_k[32] or 32 zeros ),
                       info = T(deck) ‖ u32 k ‖ u32 n )

    No later head enters: the referee writes times into them and could try many.
    """
    ikm = b32(referee_link) + b"".join(presence(link) for link in seat_links)
    return hkdf(b32(head0), ikm, _DECK + u32(k) + u32(n))


def draw_words(seed: bytes) -> Iterator[int]:
    """The endless draws of a seed: big-endian 8-byte words of a SHAKE-256 stream.

    ::

        SHAKE-256( T(draw) ‖ seed_k[32] )
    """
    stream = hashlib.shake_256(_DRAW + b32(seed))
    done, count = 0, _FIRST_WORDS
    while True:
        yield from struct.unpack_from(f">{count - done}Q", stream.digest(8 * count), 8 * done)
        done, count = count, 2 * count


def draw_order(words: Iterator[int], cards: Sequence[int]) -> tuple[int, ...]:
    """The cards in the order that the words (0 … 2⁶⁴-1) shuffle them to, top first.

    For i = n-1 … 1: take words until w < 2⁶⁴ - (2⁶⁴ mod (i+1)), so that every place is
    equally likely; swap(i, w mod (i+1)). Raises ValueError unless card ids ascend.
    """
    order = list(cards)
    if any(low >= high for low, high in pairwise(order)):
        raise ValueError("a shuffle starts with card ids in ascending order")
    for i in range(len(order) - 1, 0, -1):
        places = i + 1
        below = _WORDS - _WORDS % places
        word = next(words)
        while word >= below:
            word = next(words)
        j = word % places
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def shuffled(cards: Sequence[int], seed: bytes) -> tuple[int, ...]:
    """The cards, given by ascending id, in the order of ``shuffle_seed``'s seed."""
    return draw_order(draw_words(seed), cards)


def leaf_hash(head0: bytes, k: int, pos: int, card: int, salt: bytes) -> bytes:
    """The commitment to one card: a leaf of its deck's tree.

    ::

        SHA-256( 00 ‖ T(leaf) ‖ head_0[32] ‖ u32 k ‖ u32 pos ‖ u32 card ‖ salt[32] )
    """
    return sha256(_leaf_start(head0, k), u32(pos), u32(card), b32(salt))


def _leaf_start(head0: bytes, k: int) -> bytes:
    """What the leaves of one deck have in common."""
    return _LEAF + b32(head0) + u32(k)


def _leaves(
    head0: bytes, k: int, order: Sequence[int], salts: Sequence[bytes]
) -> tuple[bytes, ...]:
    """``leaf_hash`` of every card of one deck, whose ids are known to fit."""
    start = _leaf_start(head0, k)
    cards = zip(range(len(order)), order, salts, strict=True)
    return tuple(
        [hashlib.sha256(start + _POS_CARD(pos, card) + salt).digest() for pos, card, salt in cards]
    )


def _salts(head0: bytes, referee_link: bytes, k: int, n: int) -> tuple[bytes, ...]:
    # salt = HMAC( HKDF( salt = head_0[32], ikm = r_k[32], info = T(saltkey) ‖ u32 k ),
    #              T(salt) ‖ u32 k ‖ u32 pos )
    number = u32(k)
    mac = hmac_under(hkdf(b32(head0), b32(referee_link), _SALT_KEY + number))
    start = _SALT + number
    return tuple([mac(start + pos.to_bytes(4, "big")) for pos in range(n)])


@dataclass(frozen=True, slots=True, repr=False)
class Deck:
    """A dealt deck with everything needed to open any card of it. Secret until opened.

    ``order`` holds the card at each position, the top first; ``salts`` and ``leaves``
    go with it. ``root`` is what DealRoot publishes.
    """

    k: int
    order: tuple[int, ...]
    salts: tuple[bytes, ...]
    leaves: tuple[bytes, ...]
    root: bytes
    _tree: Tree

    @classmethod
    def deal(
        cls,
        head0: bytes,
        k: int,
        cards: Sequence[int],
        referee_link: bytes,
        seat_links: Sequence[bytes | None],
    ) -> "Deck":
        """The deck of shuffle k, the same for everyone with the same links.

        ``cards`` are ascending ids, at least one; a seat's link is None where it is
        absent. Raises ValueError otherwise.
        """
        if not cards or cards[0] < 0 or cards[-1] > _U32_MAX:
            raise ValueError("a deck has at least one card, and ids of four bytes")
        order = shuffled(cards, shuffle_seed(head0, referee_link, seat_links, k, len(cards)))
        salts = _salts(head0, referee_link, k, len(cards))
        leaves = _leaves(head0, k, order, salts)
        tree = Tree(leaves)
        return cls(k, order, salts, leaves, tree.root, tree)

    def path(self, pos: int) -> tuple[bytes, ...]:
        """The audit path that opens the card at ``pos``, from leaf to root."""
        return self._tree.path(pos)

    def __repr__(self) -> str:
        return f"Deck(k={self.k}, {len(self.order)} cards)"


def opening_fits(
    root: bytes,
    n: int,
    head0: bytes,
    k: int,
    pos: int,
    card: int,
    salt: bytes,
    path: Sequence[bytes],
) -> bool:
    """Whether ``card`` is what the root of deck k, of n cards, holds at ``pos``.

    Everything but the root, n, head_0 and k may come from a stranger.
    """
    if len(salt) != HASH_BYTES or any(len(node) != HASH_BYTES for node in path):
        return False
    if not (0 <= pos < n and 0 <= card <= _U32_MAX):
        return False
    return root_from_path(pos, n, leaf_hash(head0, k, pos, card, salt), path) == root
