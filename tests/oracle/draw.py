"""What pairings are drawn from, and the orders that hang on it (section 20)."""

from collections.abc import Sequence

from tests.oracle.deck import presence
from tests.oracle.ed25519 import public_key
from tests.oracle.match import chain, last_link
from tests.oracle.primitives import hkdf, hmac_sha256, label, sha256, u32


def draw_chain(seed: bytes, ctx: bytes, rounds: int) -> list[bytes]:
    """v_0 to v_rounds of the chain that the key of this seed draws with; v_k is for round k.

    ``ctx`` is the tournament id for an entrant, and the manifest's salt for the organiser.
    """
    stored = hmac_sha256(seed, label("drawsecret") + ctx)
    return chain(ctx, public_key(seed), last_link(stored, ctx), rounds)


def pairing_seed(
    tournament: bytes, organiser: bytes, entrants: Sequence[bytes | None], round_: int
) -> bytes:
    ikm = organiser + b"".join(presence(link) for link in entrants)
    return hkdf(tournament, ikm, label("pairing") + u32(round_))


def order_hash(tournament: bytes, key: bytes) -> bytes:
    return sha256(label("order") + tournament + key)


def tie_hash(seed: bytes, a: int, b: int) -> bytes:
    return sha256(label("tie") + seed + u32(min(a, b)) + u32(max(a, b)))
