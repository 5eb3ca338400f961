"""The envelope that every signed thing travels in, with the bytes that are signed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from aboveboard_protos.v1 import signed_pb2
from aboveboard_referee.fairplay.body import BODY_LIMIT, Refused, decode, fields_end
from aboveboard_referee.fairplay.keys import (
    KEY_BYTES,
    SIGNATURE_BYTES,
    BadSignature,
    PrivateKey,
    PublicKey,
)
from aboveboard_referee.fairplay.varint import varint

_TYPE = re.compile(r"aboveboard/[a-z0-9]+(?:-[a-z0-9]+)*/v1")


def type_of(kind: str) -> str:
    """The type string of a kind of body, e.g. ``event`` gives ``aboveboard/event/v1``."""
    return f"aboveboard/{kind}/v1"


@lru_cache(maxsize=64)  # there are some fifteen
def _is_type(type_: str) -> bool:
    return _TYPE.fullmatch(type_) is not None


def pae(type_: str, body: bytes) -> bytes:
    """The bytes that a signature covers: DSSE's pre-authentication encoding.

    ::

        "DSSEv1" SP length of type SP type SP length of body SP body

    Lengths are decimal, in bytes. Signatures and their keys are not covered.
    """
    return _pae_start(type_) + b"%d " % len(body) + body


@lru_cache(maxsize=64)
def _pae_start(type_: str) -> bytes:
    kind = type_.encode()
    return b"DSSEv1 %d %b " % (len(kind), kind)


@dataclass(frozen=True, slots=True)
class Signed:
    """A body as the exact bytes that were signed, with (public key, signature) pairs.

    Being well-formed says nothing about the signatures: see ``verify_signed``. Raises
    Refused for a type of another protocol or version, a key or signature of the wrong
    size, and two signatures by one key.
    """

    type: str
    body: bytes
    signatures: tuple[tuple[bytes, bytes], ...]

    def __post_init__(self) -> None:
        if not _is_type(self.type):
            raise Refused("the type is none of this protocol version")
        if len(self.signatures) > 1 and len(dict(self.signatures)) != len(self.signatures):
            raise Refused("one key signed twice")
        for key, value in self.signatures:
            if len(key) != KEY_BYTES or len(value) != SIGNATURE_BYTES:
                raise Refused("a key has 32 bytes and its signature 64")

    @property
    def pae(self) -> bytes:
        """What the signatures are over."""
        return pae(self.type, self.body)

    def to_bytes(self) -> bytes:
        """The envelope as it travels and is stored; ``parse_signed`` reads it back."""
        return envelope(self.type, self.body, self.signatures)


def envelope(type_: str, body: bytes, signatures: Sequence[tuple[bytes, bytes]] = ()) -> bytes:
    """The bytes of an envelope whose parts are known to be well-formed, as ``Signed`` checks.

    Every record is one, and what protobuf would write is little beside what it takes to
    have it written::

        0a len type   12 len body   { 1a 64   0a 20 key[32]   12 40 value[64] }
    """
    parts = [_type_field(type_)]
    if body:
        parts += (b"\x12", varint(len(body)), body)
    for key, value in signatures:
        parts += (b"\x1a\x64\x0a\x20", key, b"\x12\x40", value)
    return b"".join(parts)


@lru_cache(maxsize=64)
def _type_field(type_: str) -> bytes:
    kind = type_.encode()
    return b"\x0a" + varint(len(kind)) + kind


def parse_signed(data: bytes, limit: int = BODY_LIMIT) -> Signed:
    """The envelope in ``data``, which is held to the same strict profile as bodies.

    No signature is checked and the body is not looked into. Raises Refused. What is
    accepted gives ``data`` again by ``to_bytes``.
    """
    usual = _usual(data) if len(data) <= limit else None
    if usual is not None:
        return usual
    if len(data) - fields_end(data, 0, 2) > _ONE_SIGNATURE * SIGNATURES_LIMIT:
        raise Refused(f"more than {SIGNATURES_LIMIT} signatures, or no envelope")
    message = decode(signed_pb2.Signed, data, limit)
    signatures = tuple([(s.key, s.value) for s in message.signatures])
    return Signed(message.type, message.body, signatures)


SIGNATURES_LIMIT = 64
"""Most signatures of an envelope; a match's close has nine at most."""

_USUAL_TYPES = {kind.encode(): kind for kind in (type_of("answer"), type_of("event"))}
_ONE_SIGNATURE = 102


def _usual(data: bytes) -> Signed | None:
    """The envelope in ``data``, if it is of the form that nearly all have::

        0a len type   12 len body   [ 1a 64   0a 20 key[32]   12 40 value[64] ]

    with an answer's or an event's type and a length of one or two bytes. What has this
    form is canonical. All else is for the strict reader, which takes longer.
    """
    if len(data) < 32 or data[0] != 0x0A:
        return None
    at = 2 + data[1]
    type_ = _USUAL_TYPES.get(data[2:at])
    if type_ is None or data[at] != 0x12:
        return None
    size, more = data[at + 1], data[at + 2]
    at += 2
    if size >= 0x80:
        if not 0 < more < 0x80:
            return None
        size, at = size - 0x80 + 0x80 * more, at + 1
    end = at + size
    if size == 0 or end not in (len(data), len(data) - _ONE_SIGNATURE):
        return None
    if end == len(data):
        return Signed(type_, data[at:], ())
    if data[end : end + 4] != b"\x1a\x64\x0a\x20" or data[end + 36 : end + 38] != b"\x12\x40":
        return None
    return Signed(type_, data[at:end], ((data[end + 4 : end + 36], data[end + 38 :]),))


def sign(type_: str, body: bytes, *keys: PrivateKey) -> Signed:
    """``body`` signed by each of ``keys``, in this order."""
    message = pae(type_, body)
    return Signed(type_, body, tuple([(key.public.raw, key.sign(message)) for key in keys]))


def signed_bytes(type_: str, body: bytes, key: PrivateKey) -> bytes:
    """What ``sign(type_, body, key).to_bytes()`` gives, for who makes many and keeps none."""
    return envelope(type_, body, ((key.public.raw, key.sign(pae(type_, body))),))


def verify_signed(signed: Signed, kind: str, key: PublicKey) -> None:
    """Return if this is a ``kind`` signed by ``key``; signatures of others do not matter.

    Raises Refused for another type, BadSignature where the key's signature is missing
    or wrong.
    """
    if signed.type != type_of(kind):
        raise Refused(f"{type_of(kind)} is expected here, not {signed.type}")
    for signer, value in signed.signatures:
        if signer == key.raw:
            key.verify(value, signed.pae)
            return
    raise BadSignature(f"no signature by {key.fingerprint()}")


def verify_sole(signed: Signed, kind: str, key: PublicKey) -> None:
    """Return if this is a ``kind`` signed by ``key`` and by nobody else.

    Nearly everything has one signer; a stray signature on it would be bytes that
    nothing vouches for. Raises as ``verify_signed``, and Refused for other signers.
    """
    verify_signed(signed, kind, key)
    if len(signed.signatures) != 1:
        raise Refused(f"{kind} has one signer, not {len(signed.signatures)}")
