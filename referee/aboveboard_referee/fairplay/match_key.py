"""A seat's match key, from the one secret that its bot stores."""

from aboveboard_referee.fairplay.bytes import b32, hmac_sha256, label, u32
from aboveboard_referee.fairplay.keys import PrivateKey

_MATCH_KEY = label("matchkey")


def match_key(stored: bytes, context: bytes, seat: int) -> PrivateKey:
    """The key that signs for ``seat`` in the match of ``context`` (``match_context``).

    Its Ed25519 seed is::

        HMAC( stored secret[32], T(matchkey) ‖ ctx[32] ‖ u32 seat )

    So a restarted bot has the same key, and no two attempts, matches or seats share one.
    """
    return PrivateKey.from_seed(hmac_sha256(b32(stored), _MATCH_KEY, b32(context), u32(seat)))
