"""The envelope and what its signatures cover (section 2)."""

import re
from dataclasses import dataclass

from tests.oracle import ed25519
from tests.oracle.messages import TYPES
from tests.oracle.wire import LIMIT, Refused, Values, decode, encode

TYPE = re.compile(r"aboveboard/[a-z0-9]+(-[a-z0-9]+)*/v1")


def pae(type_: str, body: bytes) -> bytes:
    """``"DSSEv1" SP length of type SP type SP length of body SP body``"""
    kind = type_.encode("utf-8")
    return b" ".join([b"DSSEv1", str(len(kind)).encode(), kind, str(len(body)).encode(), body])


@dataclass(frozen=True)
class Envelope:
    type: str
    body: bytes
    signatures: tuple[tuple[bytes, bytes], ...]

    def signed_well_by(self, key: bytes) -> bool:
        values = [value for signer, value in self.signatures if signer == key]
        return len(values) == 1 and ed25519.is_good(key, values[0], pae(self.type, self.body))

    def content(self) -> Values:
        """The values of the body, whose message the type names."""
        return decode(TYPES[self.type], self.body)


def seal(type_: str, body: bytes, *seeds: bytes) -> bytes:
    """The envelope of a body, signed by the keys of these seeds."""
    signatures = [
        {"key": ed25519.public_key(seed), "value": ed25519.sign(seed, pae(type_, body))}
        for seed in seeds
    ]
    return encode("Signed", {"type": type_, "body": body, "signatures": signatures})


def unseal(data: bytes, limit: int = LIMIT) -> Envelope:
    """The envelope in these bytes, its signatures unchecked, or Refused."""
    values = decode("Signed", data, limit)
    if TYPE.fullmatch(values["type"]) is None:
        raise Refused("the type is none of this version")
    signatures = tuple((s["key"], s["value"]) for s in values["signatures"])
    if any(len(key) != 32 or len(value) != 64 for key, value in signatures):
        raise Refused("a key has 32 bytes and a signature 64")
    if len({key for key, _ in signatures}) < len(signatures):
        raise Refused("one key signed twice")
    return Envelope(values["type"], values["body"], signatures)
