"""The libraries that compute Ed25519 for ``keys``, and which of them is used.

``cryptography`` is always there and is the reference. PyNaCl does the same in two
thirds of the time; it is used where it is installed and was found to agree with the
reference on what releases of libsodium differ in. Which one is used changes no verdict
and no byte: tests hold both against one list of cases.
"""

from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from aboveboard_referee.fairplay import edwards


@dataclass(frozen=True)
class Library:
    """What ``keys`` takes from one library. All bytes are of the right size already."""

    name: str
    verifier: Callable[[bytes], Callable[[bytes, bytes], bool]]
    """From a key to its verdict on (signature, message): the equation of RFC 8032 without
    cofactor, R compared as bytes. The key was judged, S is below L, R not of small order."""
    signer: Callable[[bytes], Callable[[bytes], bytes]]
    """From a seed to the signature over a message."""
    public: Callable[[bytes], bytes]
    """The public key of a seed."""
    is_key: Callable[[bytes], bool]
    """Whether 32 bytes are the canonical encoding of a point of order L."""


# --- cryptography ---------------------------------------------------------------------------


def _verifier(key: bytes) -> Callable[[bytes, bytes], bool]:
    verify = Ed25519PublicKey.from_public_bytes(key).verify

    def verdict(signature: bytes, message: bytes) -> bool:
        try:
            verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return verdict


def _signer(seed: bytes) -> Callable[[bytes], bytes]:
    return Ed25519PrivateKey.from_private_bytes(seed).sign


def _public(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


REFERENCE = Library("cryptography", _verifier, _signer, _public, edwards.is_of_prime_order)
"""The library that another one is held against. It judges no keys, so we do."""


# --- PyNaCl ---------------------------------------------------------------------------------


def pynacl() -> Library | None:
    """PyNaCl, if it is installed with all that is needed of it; whether it agrees is open."""
    try:
        from nacl import bindings
        from nacl.exceptions import BadSignatureError
    except ImportError:
        return None
    if not bindings.has_crypto_core_ed25519:
        return None  # a minimal build of libsodium
    sign, opened, size = bindings.crypto_sign, bindings.crypto_sign_open, bindings.crypto_sign_BYTES

    def verifier(key: bytes) -> Callable[[bytes, bytes], bool]:
        def verdict(signature: bytes, message: bytes) -> bool:
            try:
                opened(signature + message, key)
            except BadSignatureError:
                return False
            return True

        return verdict

    def signer(seed: bytes) -> Callable[[bytes], bytes]:
        _, secret = bindings.crypto_sign_seed_keypair(seed)
        return lambda message: sign(message, secret)[:size]

    def public(seed: bytes) -> bytes:
        return bindings.crypto_sign_seed_keypair(seed)[0]

    return Library("pynacl", verifier, signer, public, bindings.crypto_core_ed25519_is_valid_point)


# --- The choice -----------------------------------------------------------------------------

# One key, its signature, and what libsodium of some release or build takes for good.
_SEED = bytes(range(32))
_MESSAGE = b"aboveboard"
_KEY = bytes.fromhex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")
_SIGNATURE = bytes.fromhex(
    "7a023457d8a1d18bbc2d7e337d46cc22c1c7d64d80abc6f56794ab1eb958473a"
    "95c96f863afabd1d717512130b102501845a9d80c8d4622c88bc39e00b5b8905"
)
# R = [r]B + T and S = r + k·a, with a T of order 8, then 2: good with the cofactor alone.
_MIXED_SIGNATURES = (
    bytes.fromhex(
        "184aafb6123bddc25268bf9603740148f83a1517f8d2f33507e86c2db8331bde"
        "3693e0abb9ea21ebbe7568cef63c1eb2b27862b0e5c42d9c4a2050bf95e9500e"
    ),
    bytes.fromhex(
        "3df93149af3eb3160458566857139d8f7ac7c924b1e98b4472353dcc06385f24"
        "019de23c487a7402efbc35ff4a4dce780bbad8616b51816713983af5befb9507"
    ),
)
# _KEY + T. A point whose multiple by L has order 2 passed for one of order L before
# PyNaCl 1.6.2 (CVE-2025-69277).
_MIXED_KEYS = (
    bytes.fromhex("b502ff3d92e31d8190b4aa4ea0414005167fad089c4de9dac8a2fc850fed4f58"),
    bytes.fromhex("ea5ef8400c31ef41e28f22e718b43f66981b29cf645af2a0e223799bedaace47"),
)


def agrees(library: Library) -> bool:
    """Whether ``library`` is of one mind with the reference where releases differ.

    A few cases, since this is done whenever a process starts; PyNaCl can stand on any
    libsodium that the system has.
    """
    verdict = library.verifier(_KEY)
    return (
        library.public(_SEED) == _KEY
        and library.signer(_SEED)(_MESSAGE) == _SIGNATURE
        and verdict(_SIGNATURE, _MESSAGE)
        and not verdict(_SIGNATURE, _MESSAGE + b" ")
        and not any(verdict(mixed, _MESSAGE) for mixed in _MIXED_SIGNATURES)
        and library.is_key(_KEY)
        and not any(library.is_key(mixed) for mixed in _MIXED_KEYS)
    )


def choose(candidate: Library | None) -> Library:
    """``candidate`` if it is there and agrees, else the reference."""
    return candidate if candidate is not None and agrees(candidate) else REFERENCE


LIBRARY = choose(pynacl())
"""The one in use, from a process's start to its end."""
