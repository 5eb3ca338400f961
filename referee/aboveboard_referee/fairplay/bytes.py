"""The byte strings that everything hashed or derived in fair play is made of.

Integers are big-endian. Every input begins with a label that ends in a zero byte,
and everything after it has a fixed size or carries its length, so no two different
inputs of this protocol share their bytes.
"""

import hashlib
import hmac
from collections.abc import Callable

HASH_BYTES = 32
"""Size of every hash, key, link, salt, nonce and head."""

_U32_MAX = 0xFFFF_FFFF

_BLOCK_BYTES = 64  # of SHA-256
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def label(name: str) -> bytes:
    """The domain T(name) that starts whatever is hashed or derived for one purpose.

    ::

        "aboveboard/" name "/v1" 00
    """
    return b"aboveboard/" + name.encode("ascii") + b"/v1\x00"


def lp(data: bytes) -> bytes:
    """``data`` with its length before it: ``u32 length, data``."""
    return u32(len(data)) + data


def u8(n: int) -> bytes:
    """One byte. Raises ValueError outside 0 … 255."""
    if not 0 <= n <= 0xFF:
        raise ValueError("a number does not fit one byte")
    return n.to_bytes(1, "big")


def u32(n: int) -> bytes:
    """Four bytes. Raises ValueError outside 0 … 2³²-1."""
    if not 0 <= n <= _U32_MAX:
        raise ValueError("a number does not fit four bytes")
    return n.to_bytes(4, "big")


def b32(data: bytes) -> bytes:
    """``data`` itself, which must be 32 bytes; raises ValueError without telling them.

    Fields of fixed size stand in hashed bytes without their length, so a field of
    another size would let two different inputs collide.
    """
    if len(data) != HASH_BYTES:
        raise ValueError(f"32 bytes are needed here, not {len(data)}")
    return data


def ascii_bytes(text: str) -> bytes:
    """Match ids and moves as bytes. Raises ValueError for anything but ASCII."""
    if not text.isascii():
        raise ValueError("only ASCII is allowed here")
    return text.encode("ascii")


def sha256(*parts: bytes) -> bytes:
    """SHA-256 of the parts, one after the other: 32 bytes."""
    return hashlib.sha256(b"".join(parts)).digest()


def hmac_sha256(key: bytes, *parts: bytes) -> bytes:
    """HMAC with SHA-256 of the parts, one after the other: 32 bytes."""
    return hmac.digest(key, b"".join(parts), "sha256")


def hmac_under(key: bytes) -> Callable[[bytes], bytes]:
    """``hmac_sha256`` under one key of at most 64 bytes, for many messages.

    The key's two blocks are hashed once and not again with each message, which halves
    the time for short ones (RFC 2104, section 4).
    """
    block = key.ljust(_BLOCK_BYTES, b"\0")
    if len(block) > _BLOCK_BYTES:
        raise ValueError("a longer key would have to be hashed first")
    inner = hashlib.sha256(block.translate(_INNER))
    outer = hashlib.sha256(block.translate(_OUTER))

    def mac(message: bytes) -> bytes:
        inside, outside = inner.copy(), outer.copy()
        inside.update(message)
        outside.update(inside.digest())
        return outside.digest()

    return mac


def hkdf(salt: bytes, ikm: bytes, info: bytes) -> bytes:
    """HKDF with SHA-256 (RFC 5869), 32 bytes out: a single block of its expansion."""
    return hmac_sha256(hmac_sha256(salt, ikm), info, b"\x01")
