"""What pairings are drawn from, and the orders that hang on it (section 20)."""

from collections.abc import Sequence

from tests.oracle.deck import presence
from tests.oracle.primitives import ZEROS, hkdf, hmac_sha256, label, sha256, u32


def stored_secret(entry_seed: bytes, tournament: bytes) -> bytes:
    """Of an entrant's chain for draws, so that its key alone is enough to go on."""
    return hmac_sha256(entry_seed, label("drawsecret") + tournament)


def pairing_seed(
    tournament: bytes, organiser: bytes | None, entrants: Sequence[bytes | None], round_: int
) -> bytes:
    links = b"".join(presence(link) for link in entrants)
    ikm = (ZEROS if organiser is None else organiser) + links
    return hkdf(tournament, ikm, label("pairing") + u32(round_))


def order_hash(tournament: bytes, key: bytes) -> bytes:
    return sha256(label("order") + tournament + key)


def tie_hash(seed: bytes, a: int, b: int) -> bytes:
    return sha256(label("tie") + seed + u32(min(a, b)) + u32(max(a, b)))
