"""Entries: who plays, under which name and key."""

import re

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.bytes import HASH_BYTES, sha256
from aboveboard_referee.fairplay.certificate import ENTRANT, check_key_certificate
from aboveboard_referee.fairplay.envelope import Signed, verify_sole
from aboveboard_referee.fairplay.keys import PublicKey

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
"""What an entrant may be called. Two names that differ only in case are the same."""


def check_entry(
    signed: Signed, tournament: bytes, since_us: int
) -> tuple[pb.Entry, PublicKey | None]:
    """A well-formed entry for this tournament, signed by the key that it names, and the
    long-term key that certified that one, if there is a certificate.

    A certificate in it must outlast ``since_us``: the tournament's making for who reads
    the log, the present for who lets somebody in. Whether name and key are free is for
    whoever keeps the list. Raises ``Refused``, ``BadKey`` or ``BadSignature``.
    """
    entry = decode(pb.Entry, signed.body, limit=4096)
    verify_sole(signed, "entry", PublicKey.parse(entry.key))
    if entry.tournament != tournament:
        raise Refused("an entry for another tournament")
    if not NAME.fullmatch(entry.name):
        raise Refused(
            f"a name is 1 to 32 letters, digits, dots, dashes or underscores,"
            f" not {entry.name[:40]!r}"
        )
    if len(entry.software) > 200 or len(entry.tip) != HASH_BYTES:
        raise Refused("a software text above 200 characters, or a tip that is not 32 bytes")
    owner = None
    if entry.certificate:
        owner = check_key_certificate(entry.certificate, ENTRANT, entry.key, since_us)
    return entry, owner


def entry_digest(signed: Signed) -> bytes:
    """What the closing of entries lists an entry by.

    ::

        SHA-256( PAE( "aboveboard/entry/v1", body ) )
    """
    return sha256(signed.pae)
