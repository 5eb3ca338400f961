"""The hash chain over a match, and the names of tournament and match in it."""

from aboveboard_referee.fairplay.bytes import ascii_bytes, b32, label, lp, sha256, u32
from aboveboard_referee.fairplay.envelope import pae

GENESIS = bytes(32)
"""The head before the first signed body of a match."""

_HEAD = label("head")
_EVENT = label("event")
_TOURNAMENT = label("tournament")
_MATCH = label("match")


def next_head(previous: bytes, type_: str, body: bytes) -> bytes:
    """The head after a signed body; head_0, after MatchOpen, names the match.

    ::

        head_i = SHA-256( T(head) ‖ head_{i-1}[32] ‖ SHA-256( T(event) ‖ PAE(type_i, body_i) ) )

    Covers the body, so also an Answer's signature inside an Event, but not the
    signatures of the body's own envelope.
    """
    return sha256(_HEAD + b32(previous) + sha256(_EVENT + pae(type_, body)))


def tournament_id(manifest_body: bytes) -> bytes:
    """The tournament's identity, from its manifest's exact bytes.

    ::

        SHA-256( T(tournament) ‖ manifest body )
    """
    return sha256(_TOURNAMENT, manifest_body)


def match_context(tournament: bytes, match: str, attempt: int) -> bytes:
    """What binds a match's chains to one attempt of one match of one tournament.

    ::

        ctx = SHA-256( T(match) ‖ tournament id[32] ‖ u32 length ‖ match ‖ u32 attempt )

    Raises ValueError for a match id that is not ASCII.
    """
    return sha256(_MATCH, b32(tournament), lp(ascii_bytes(match)), u32(attempt))
