"""Certificates: a long-term key lets another key act in its stead, until a date.

So the long-term key can stay on a machine that is never online.
"""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of, verify_sole
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey

ORGANISER = "organiser"
ENTRANT = "entrant"
ROLES = (ORGANISER, ENTRANT)


def certify_key(owner: PrivateKey, key: PublicKey, role: str, expires_us: int) -> bytes:
    """A certificate by ``owner`` for ``key``, good for one role until ``expires_us``."""
    body = pb.KeyCertificate(key=key.raw, role=role, expires_us=expires_us, owner=owner.public.raw)
    return sign(type_of("key-certificate"), encode(body), owner).to_bytes()


def check_key_certificate(data: bytes, role: str, key: bytes, since_us: int) -> PublicKey:
    """The long-term key that certified ``key`` for this role.

    Raises ``Refused``, ``BadKey`` or ``BadSignature``: also where the certificate had
    expired by ``since_us``.
    """
    signed = parse_signed(data, limit=4096)
    body = decode(pb.KeyCertificate, signed.body)
    owner = PublicKey.parse(body.owner)
    verify_sole(signed, "key-certificate", owner)
    if (body.role, body.key) != (role, key) or body.owner == key:
        raise Refused(f"a certificate for another key or role than this {role}'s")
    if body.expires_us <= since_us:
        raise Refused("a certificate that has expired")
    return owner
