"""Keys and secrets from names: the same in every run, and known to everybody."""

from functools import cache
from hashlib import sha256

from aboveboard_referee.fairplay.keys import PrivateKey


def secret(name: str) -> bytes:
    """32 bytes that only this name gives."""
    return sha256(b"a secret of the tests: " + name.encode()).digest()


@cache
def key(name: str) -> PrivateKey:
    """The key pair that only this name gives."""
    return PrivateKey.from_seed(secret(f"key {name}"))
