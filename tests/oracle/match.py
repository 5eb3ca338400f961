"""Names, heads, chains and sealed moves of a match (sections 8, 9 and 11)."""

from tests.oracle.envelope import pae
from tests.oracle.primitives import ZEROS, hmac_sha256, label, lp, sha256, u32


def tournament_id(manifest_body: bytes) -> bytes:
    return sha256(label("tournament") + manifest_body)


def context(tournament: bytes, match: str, attempt: int) -> bytes:
    return sha256(label("match") + tournament + lp(match.encode("ascii")) + u32(attempt))


def heads(records: list[tuple[str, bytes]]) -> list[bytes]:
    """head_0, head_1, … after each (type, body), the first of which is the opening's."""
    found = []
    head = ZEROS
    for type_, body in records:
        head = sha256(label("head") + head + sha256(label("event") + pae(type_, body)))
        found.append(head)
    return found


# --- Chains -----------------------------------------------------------------------------------


def link_before(ctx: bytes, key: bytes, k: int, link: bytes) -> bytes:
    """v_{k-1} of the chain whose v_k is ``link``."""
    return sha256(label("chain") + ctx + key + u32(k) + link)


def chain(ctx: bytes, key: bytes, last: bytes, length: int) -> list[bytes]:
    """v_0, the tip, to v_D, which is ``last``."""
    links = [last]
    for k in range(length, 0, -1):
        links.insert(0, link_before(ctx, key, k, links[0]))
    return links


# --- What the owner of 32 stored bytes derives from them ---------------------------------------


def last_link(stored: bytes, ctx: bytes) -> bytes:
    return hmac_sha256(stored, label("chainsecret") + ctx)


def nonce(stored: bytes, head_at_asked: bytes, seat: int) -> bytes:
    return hmac_sha256(stored, label("nonce") + head_at_asked + u32(seat))


def match_key_seed(stored: bytes, ctx: bytes, seat: int) -> bytes:
    return hmac_sha256(stored, label("matchkey") + ctx + u32(seat))


# --- Sealed moves -----------------------------------------------------------------------------


def commitment(head_at_asked: bytes, seat: int, key: bytes, nonce: bytes, move: str) -> bytes:
    start = label("commit") + head_at_asked + u32(seat) + key
    return sha256(start + nonce + lp(move.encode("ascii")))
