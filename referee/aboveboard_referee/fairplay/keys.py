"""Ed25519 keys under one verification rule, so that no two verifiers can disagree.

The rule is cofactorless: S < L, R compared as bytes, a small-order R refused, and
only keys of the prime-order subgroup. Libraries differ in these points, and a signer
who may choose among their answers could sign a move that only some of them accept.

Signatures are not unique. Never use one as a random value or as an identity.
"""

from functools import lru_cache
from typing import NoReturn

from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.bytes import sha256
from aboveboard_referee.fairplay.ed25519 import LIBRARY, Library

KEY_BYTES = 32
SIGNATURE_BYTES = 64

_KEYS_KEPT = 4096  # judging a key can take a millisecond; a server meets few thousand of them


class BadKey(ValueError):
    """The bytes are no key that this protocol allows."""


class BadSignature(ValueError):
    """The signature is not one by this key over this message."""


class PublicKey:
    """A key that was judged: whoever holds one may verify with it.

    Equal and hashed by its 32 bytes. Raises BadKey for anything that is not the
    canonical encoding of a point of order L. A proof of possession replaces none of
    this: a small-order key has one signature that fits every message, and verifiers
    disagree about those of a mixed-order key.
    """

    __slots__ = ("_raw", "_verdict")

    def __init__(self, raw: bytes, library: Library = LIBRARY) -> None:
        if len(raw) != KEY_BYTES:
            raise BadKey(f"a public key has 32 bytes, not {len(raw)}")
        self._raw = bytes(raw)
        if not library.is_key(self._raw):
            raise BadKey(f"the key {_why_refused(self._raw)}")
        self._verdict = library.verifier(self._raw)

    @staticmethod
    @lru_cache(maxsize=_KEYS_KEPT)
    def parse(raw: bytes) -> "PublicKey":
        """The key with these bytes; costs next to nothing for one that was seen lately."""
        return PublicKey(raw)

    @property
    def raw(self) -> bytes:
        return self._raw

    def verify(self, signature: bytes, message: bytes) -> None:
        """Return if ``signature`` is this key's over ``message``, else raise BadSignature.

        The signature is ``R[32] ‖ S[32]``, S little-endian.
        """
        if len(signature) != SIGNATURE_BYTES:
            raise BadSignature(f"a signature has 64 bytes, not {len(signature)}")
        if int.from_bytes(signature[32:], "little") >= edwards.L:
            raise BadSignature("the signature's S is not below the group order")
        if signature[:32] in edwards.SMALL_ORDER_ENCODINGS:
            raise BadSignature("the signature's R is a point of small order")
        if not self._verdict(signature, message):
            raise BadSignature("the signature does not verify")

    def fingerprint(self) -> str:
        """The key for the eyes: 64 bits of its hash, e.g. ``a0b1-c2d3-e4f5-0617``.

        Enough to tell keys apart, too short to trust a key by.
        """
        digits = sha256(self._raw).hex()
        return "-".join(digits[i : i + 4] for i in range(0, 16, 4))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and other._raw == self._raw

    def __hash__(self) -> int:
        return hash(self._raw)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not pickled: whoever receives its bytes judges them anew")

    def __repr__(self) -> str:
        return f"PublicKey({self.fingerprint()})"


def _why_refused(raw: bytes) -> str:
    """What is wrong with 32 bytes that are no key, for a person."""
    if raw in edwards.SMALL_ORDER_ENCODINGS:
        return "is a point of small order"
    if edwards.decompress(raw) is None:
        return "is not the canonical encoding of a point of the curve"
    return "lies outside the subgroup of prime order"


class PrivateKey:
    """A signing key. One per role; its seed is shown by ``seed`` alone, never by repr."""

    __slots__ = ("_public", "_seed", "_sign")

    def __init__(self, seed: bytes, library: Library = LIBRARY) -> None:
        if len(seed) != KEY_BYTES:
            raise BadKey(f"a private key's seed has 32 bytes, not {len(seed)}")
        self._seed = bytes(seed)
        self._sign = library.signer(self._seed)
        self._public = PublicKey.parse(library.public(self._seed))

    @classmethod
    def from_seed(cls, seed32: bytes) -> "PrivateKey":
        """The key of a secret seed of 32 bytes (RFC 8032's private key)."""
        return cls(seed32)

    @property
    def seed(self) -> bytes:
        """The secret itself, for the file that keeps it."""
        return self._seed

    @property
    def public(self) -> PublicKey:
        return self._public

    def sign(self, message: bytes) -> bytes:
        """The signature over ``message``: 64 bytes, the same at every call."""
        return self._sign(message)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a private key is not pickled")

    def __repr__(self) -> str:
        return f"PrivateKey(of {self._public.fingerprint()})"
