"""The entropy of a tournament's draw: nobody who enters or organises can steer a pairing.

The draw's chains are made like a match's, with the tournament id as their context.
"""

from collections.abc import Sequence

from aboveboard_referee.fairplay.bytes import HASH_BYTES, b32, hkdf, label, sha256, u32
from aboveboard_referee.fairplay.deck import presence

_PAIRING = label("pairing")
_ORDER = label("order")
_TIE = label("tie")


def pairing_seed(
    tournament: bytes,
    organiser_link: bytes | None,
    entrant_links: Sequence[bytes | None],
    round_: int,
) -> bytes:
    """The seed of a round's pairing, from the organiser's link and each entrant's.

    ::

        seed_r = HKDF( salt = tournament id[32],
                       ikm  = organiser's link[32]
                              ‖ for each entrant in Entry order ( u8 present ‖ link[32] or zeros ),
                       info = T(pairing) ‖ u32 r )

    An entrant is None where it is absent. The organiser's link is None in a tournament
    whose manifest names no chain for it, and counts as 32 zeros: such a draw is fixed
    by public values, so anyone can compute it beforehand.
    """
    link = bytes(HASH_BYTES) if organiser_link is None else b32(organiser_link)
    ikm = link + b"".join(presence(entrant) for entrant in entrant_links)
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
