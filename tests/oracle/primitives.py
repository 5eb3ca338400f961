"""What every construction is made of: integers, lengths, labels and hashes (section 1)."""

import hashlib
import hmac

ZEROS = bytes(32)


def u8(number: int) -> bytes:
    return number.to_bytes(1, "big")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def lp(data: bytes) -> bytes:
    return u32(len(data)) + data


def label(name: str) -> bytes:
    """``T(name)``"""
    return b"aboveboard/" + name.encode("ascii") + b"/v1\x00"


def sha256(data: bytes) -> bytes:
    """``H``"""
    return hashlib.sha256(data).digest()


def hmac_sha256(key: bytes, data: bytes) -> bytes:
    """``HMAC``"""
    return hmac.new(key, data, "sha256").digest()


def hkdf(salt: bytes, ikm: bytes, info: bytes) -> bytes:
    """``HKDF``: of RFC 5869 the extraction and the first block, which is all of 32 bytes."""
    extracted = hmac_sha256(salt, ikm)
    return hmac_sha256(extracted, info + b"\x01")
