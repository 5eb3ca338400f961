"""Decks: their order, and what commits to it (section 10)."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

from tests.oracle.primitives import ZEROS, hkdf, hmac_sha256, label, sha256, u8, u32


def presence(link: bytes | None) -> bytes:
    return u8(0) + ZEROS if link is None else u8(1) + link


def deck_seed(
    head_0: bytes, k: int, n: int, referee_link: bytes, seat_links: Sequence[bytes | None]
) -> bytes:
    ikm = referee_link + b"".join(presence(link) for link in seat_links)
    return hkdf(head_0, ikm, label("deck") + u32(k) + u32(n))


def words_of(seed: bytes) -> Iterator[int]:
    """The words of the seed's stream; more of it than a deck can need in any likely world."""
    stream = hashlib.shake_256(label("draw") + seed).digest(1 << 16)
    for at in range(0, len(stream), 8):
        yield int.from_bytes(stream[at : at + 8], "big")


def shuffled(cards: Sequence[int], words: Iterable[int]) -> list[int]:
    """The order that these words give to cards in ascending order."""
    source, places = iter(words), sorted(cards)
    for i in range(len(places) - 1, 0, -1):
        limit = 2**64 - 2**64 % (i + 1)
        while (word := next(source)) >= limit:
            pass
        j = word % (i + 1)
        places[i], places[j] = places[j], places[i]
    return places


def salt(head_0: bytes, k: int, position: int, referee_link: bytes) -> bytes:
    key = hkdf(head_0, referee_link, label("saltkey") + u32(k))
    return hmac_sha256(key, label("salt") + u32(k) + u32(position))


def leaf(head_0: bytes, k: int, position: int, card: int, card_salt: bytes) -> bytes:
    place = u32(k) + u32(position) + u32(card)
    return sha256(b"\x00" + label("leaf") + head_0 + place + card_salt)
