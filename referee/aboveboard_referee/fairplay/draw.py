"""The entropy of a tournament's draw: nobody who enters or organises can steer a pairing.

The draw's chains are made like a match's, one link a round. An entrant's has the
tournament id as its context. The organiser's tip stands in the manifest, of which that
id is the hash, so its chain has the manifest's salt instead.
"""

from collections.abc import Sequence

from aboveboard_referee.fairplay.bytes import (
    b32,
    hkdf,
    hmac_sha256,
    label,
    sha256,
    u32,
)
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.deck import presence
from aboveboard_referee.fairplay.keys import PrivateKey

_SECRET = label("drawsecret")
_PAIRING = label("pairing")
_ORDER = label("order")
_TIE = label("tie")


def draw_chain(key: PrivateKey, context: bytes, rounds: int) -> Chain:
    """The chain that a key's owner takes part in draws with: v_k is for round k.

    It hangs on nothing but the key, so that a bot which kept nothing else can still
    reveal its links. The stored secret behind it::

        HMAC( key's seed[32], T(drawsecret) ‖ context[32] )

    ``context`` is the tournament id, or the manifest's salt for the organiser.
    """
    stored = hmac_sha256(key.seed, _SECRET, b32(context))
    return Chain(stored, context, key.public.raw, rounds)


def pairing_seed(
    tournament: bytes,
    organiser_link: bytes,
    entrant_links: Sequence[bytes | None],
    round_: int,
) -> bytes:
    """The seed of a round's pairing, from the organiser's link and each entrant's.

    ::

        seed_r = HKDF( salt = tournament id[32],
                       ikm  = organiser's link[32]
                              ‖ for each entrant in Entry order ( u8 present ‖ link[32] or zeros ),
                       info = T(pairing) ‖ u32 r )

    An entrant is None where it is absent.
    """
    ikm = b32(organiser_link) + b"".join(presence(entrant) for entrant in entrant_links)
    return hkdf(b32(tournament), ikm, _PAIRING + u32(round_))


def order_hash(tournament: bytes, key: bytes) -> bytes:
    """What entrants are first ordered by, before there is anything else.

    ::

        SHA-256( T(order) ‖ tournament id[32] ‖ entry key[32] )
    """
    return sha256(_ORDER, b32(tournament), b32(key))


def tie_hash(seed: bytes, a: int, b: int) -> bytes:
    """What decides between pairings of equal weight; the same for (a, b) and (b, a).

    ::

        SHA-256( T(tie) ‖ seed_r[32] ‖ u32 smaller entrant ‖ u32 larger entrant )

    Entrants count from 0 in Entry order.
    """
    return sha256(_TIE, b32(seed), u32(min(a, b)), u32(max(a, b)))
