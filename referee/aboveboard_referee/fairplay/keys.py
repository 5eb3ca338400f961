"""Ed25519 keys under one verification rule, so that no two verifiers can disagree.

The rule is cofactorless: S < L, R compared as bytes, a small-order R refused, and
only keys of the prime-order subgroup. Libraries differ in these points, and a signer
who may choose among their answers could sign a move that only some of them accept.

Signatures are not unique. Never use one as a random value or as an identity.
"""

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.bytes import sha256

KEY_BYTES = 32
SIGNATURE_BYTES = 64

_KEYS_KEPT = 4096  # judging a key takes a millisecond; a server meets few thousand of them


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

    __slots__ = ("_library", "_raw")

    def __init__(self, raw: bytes) -> None:
        if len(raw) != KEY_BYTES:
            raise BadKey(f"a public key has 32 bytes, not {len(raw)}")
        if raw in edwards.SMALL_ORDER_ENCODINGS:
            raise BadKey("the key is a point of small order")
        point = edwards.decompress(raw)
        if point is None:
            raise BadKey("the key is not the canonical encoding of a point of the curve")
        if not edwards.in_prime_subgroup(point):
            raise BadKey("the key lies outside the subgroup of prime order")
        self._raw = bytes(raw)
        self._library = Ed25519PublicKey.from_public_bytes(self._raw)

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
        try:
            self._library.verify(signature, message)
        except InvalidSignature:
            raise BadSignature("the signature does not verify") from None

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

    def __repr__(self) -> str:
        return f"PublicKey({self.fingerprint()})"


class PrivateKey:
    """A signing key. One per role; its seed is shown by ``seed`` alone, never by repr."""

    __slots__ = ("_library", "_public", "_seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != KEY_BYTES:
            raise BadKey(f"a private key's seed has 32 bytes, not {len(seed)}")
        self._seed = bytes(seed)
        self._library = Ed25519PrivateKey.from_private_bytes(self._seed)
        self._public = PublicKey.parse(self._library.public_key().public_bytes_raw())

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
        return self._library.sign(message)

    def __repr__(self) -> str:
        return f"PrivateKey(of {self._public.fingerprint()})"
