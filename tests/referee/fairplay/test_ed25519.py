"""Every library that may compute signatures gives one verdict, and the same bytes.

Verdicts are held against the rule itself, written out below with plain integers. The
cases are those on which libraries are known to differ.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aboveboard_referee.fairplay import ed25519, edwards
from aboveboard_referee.fairplay.ed25519 import LIBRARY, REFERENCE, Library
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PrivateKey, PublicKey

P, L = edwards.P, edwards.L
VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "ed25519.json").read_text(encoding="utf-8")
)
LIBRARIES = [library for library in (REFERENCE, ed25519.pynacl()) if library is not None]
every_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)

SEEDS = [hashlib.sha256(bytes([i])).digest() for i in range(4)]
MESSAGES = [b"", b"\0", b"play 1:17", bytes(range(256)) * 16]


def point(raw: bytes) -> edwards.Point:
    found = edwards.decompress(raw)
    assert found is not None
    return found


BASE = point(bytes.fromhex("58" + "66" * 31))  # y = 4/5, even x


def torsion_points() -> list[edwards.Point]:
    """The points of order 1 to 8: the multiples of [L]Q, where that has order 8."""
    for y in range(2, 100):
        q = edwards.decompress(y.to_bytes(32, "little"))
        if q is not None:
            eighth = edwards.multiply(L, q)
            if not edwards.is_identity(edwards.multiply(4, eighth)):
                return [edwards.multiply(i, eighth) for i in range(8)]
    raise AssertionError("no point of order 8 was found")


TORSION = torsion_points()


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def scalar_of(seed: bytes) -> int:
    number = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return number & ~7 & ((1 << 254) - 1) | 1 << 254


def le(number: int) -> bytes:
    return number.to_bytes(32, "little")


def flip(raw: bytes, bit: int) -> bytes:
    changed = bytearray(raw)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# --- The rule, as docs/format.md says it --------------------------------------------------


@cache
def good_key(raw: bytes) -> bool:
    if len(raw) != 32 or raw in edwards.SMALL_ORDER_ENCODINGS:
        return False
    found = edwards.decompress(raw)
    return found is not None and edwards.is_identity(edwards.multiply(L, found))


@cache
def good_signature(key: bytes, signature: bytes, message: bytes) -> bool:
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L or r in edwards.SMALL_ORDER_ENCODINGS:
        return False
    minus_k = L - challenge(r, key, message)
    left = edwards.add(edwards.multiply(s, BASE), edwards.multiply(minus_k, point(key)))
    return edwards.compress(left) == r


# --- Cases ---------------------------------------------------------------------------------


def keys() -> list[bytes]:
    """Strings of 32 bytes of every sort that a key can be, or fail to be."""
    honest = [REFERENCE.public(seed) for seed in SEEDS]
    mixed = [
        edwards.compress(edwards.add(point(raw), torsion)) for raw in honest for torsion in TORSION
    ]
    beyond = [le(y | sign) for y in range(P, 1 << 255) for sign in (0, 1 << 255)]
    near = [le(y | sign) for y in (*range(64), P - 1, P - 2, P - 3) for sign in (0, 1 << 255)]
    flipped = [flip(honest[0], bit) for bit in range(256)]
    return [
        *honest,
        *mixed,
        *sorted(edwards.SMALL_ORDER_ENCODINGS),
        *map(edwards.compress, TORSION),
        *beyond,
        *near,
        *flipped,
        bytes(32),
        b"\xff" * 32,
        edwards.compress(BASE),
    ]


def signatures() -> list[tuple[bytes, bytes, bytes]]:
    """(key, signature, message) of every sort of signature by a good key."""
    cases = []
    for seed, message in zip(SEEDS, MESSAGES, strict=True):
        key, a = REFERENCE.public(seed), scalar_of(seed)
        signature = REFERENCE.signer(seed)(message)
        r, s = signature[:32], int.from_bytes(signature[32:], "little")
        nonce = int.from_bytes(hashlib.sha512(b"nonce" + seed).digest(), "little") % L

        def sign_with(
            raw_r: bytes, nonce: int, a: int = a, key: bytes = key, m: bytes = message
        ) -> bytes:
            return raw_r + le((nonce + challenge(raw_r, key, m) * a) % L)

        nonce_point = edwards.multiply(nonce, BASE)
        crafted = [
            signature,
            bytes(64),
            b"\xff" * 64,
            r + bytes(32),
            bytes(32) + le(s),
            # S beyond the order, with and without its top bits; S = 0, L - 1, L, L + 1.
            *(r + le(s + i * L) for i in range(1, 16) if s + i * L < 1 << 256),
            *(r + le(other) for other in (0, 1, L - 1, L, L + 1, (1 << 252) - 1, 1 << 252)),
            *(r + le(s | 1 << bit) for bit in (252, 253, 254, 255)),
            # Signed in earnest over an R of each order, mixed and small, and S of either sign.
            *(
                sign_with(edwards.compress(edwards.add(nonce_point, torsion)), nonce)
                for torsion in TORSION
            ),
            *(sign_with(edwards.compress(torsion), 0) for torsion in TORSION),
            *(sign_with(spelling, 0) for spelling in sorted(edwards.SMALL_ORDER_ENCODINGS)),
            sign_with(edwards.compress(nonce_point), L - nonce),
            # R with y beyond p, and R that is no point.
            *(le(y | sign) + le(s) for y in range(P, 1 << 255) for sign in (0, 1 << 255)),
            *(sign_with(le(y), 0) for y in range(P, 1 << 255)),
            *(sign_with(le(y), nonce) for y in range(2, 12)),
            # R with its sign flipped, which is -R.
            flip(r, 255) + le(s),
            sign_with(flip(edwards.compress(nonce_point), 255), L - nonce),
        ]
        cases += [(key, other, message) for other in crafted]
        cases += [(key, flip(signature, bit), message) for bit in range(0, 512, 5)]
        cases += [(key, signature, message + b"\0"), (REFERENCE.public(bytes(32)), signature, b"")]
    return cases


KEYS = keys()
SIGNATURES = signatures()


def is_good(act: Callable[[], object]) -> bool:
    try:
        act()
    except (BadKey, BadSignature):
        return False
    return True


@every_library
def test_each_key_is_judged_by_the_rule(library: Library) -> None:
    assert {raw: good_key(raw) for raw in KEYS} == {
        raw: is_good(lambda raw=raw: PublicKey(raw, library)) for raw in KEYS
    }


@every_library
def test_each_signature_is_judged_by_the_rule(library: Library) -> None:
    judged = [(case, good_signature(*case)) for case in SIGNATURES]
    for (key, signature, message), expected in judged:
        found = is_good(lambda: PublicKey(key, library).verify(signature, message))  # noqa: B023
        assert found == expected, (library.name, key.hex(), signature.hex(), message)
    assert sum(expected for _, expected in judged) == 12  # the honest ones: none is a fluke


@every_library
def test_a_library_alone_gives_the_verdict_of_the_bare_equation(library: Library) -> None:
    """Without the checks before it, on what those let through: S below L, R of large order."""
    for key, signature, message in SIGNATURES:
        s = int.from_bytes(signature[32:], "little")
        if s < L and signature[:32] not in edwards.SMALL_ORDER_ENCODINGS:
            found = library.verifier(key)(signature, message)
            assert found == good_signature(key, signature, message)


@every_library
def test_signatures_and_public_keys_are_the_same_bytes(library: Library) -> None:
    for i in range(32):
        seed = hashlib.sha256(b"seed" + bytes([i])).digest()
        key, reference = PrivateKey(seed, library), PrivateKey(seed, REFERENCE)
        assert key.public == reference.public
        assert library.public(seed) == REFERENCE.public(seed)
        for size in (0, 1, 63, 64, 65, 127, 128, 129, 300, 5000):
            message = hashlib.shake_256(bytes([i])).digest(size)
            assert key.sign(message) == reference.sign(message)
            PublicKey(key.public.raw, library).verify(reference.sign(message), message)


@every_library
@pytest.mark.parametrize("case", VECTORS["keys"], ids=lambda case: case["what"])
def test_keys_of_the_vectors_are_judged_alike(library: Library, case: dict[str, Any]) -> None:
    found = is_good(lambda: PublicKey(bytes.fromhex(case["key"]), library))
    assert found == case["good"]


@every_library
@pytest.mark.parametrize("case", VECTORS["signatures"], ids=lambda case: case["what"])
def test_signatures_of_the_vectors_are_judged_alike(library: Library, case: dict[str, Any]) -> None:
    key, signature, message = (bytes.fromhex(case[name]) for name in ("key", "value", "message"))
    assert is_good(lambda: PublicKey(key, library).verify(signature, message)) == case["good"]


# --- Which library is used ------------------------------------------------------------------


def test_pynacl_is_used_where_it_is_installed() -> None:
    assert [library.name for library in LIBRARIES] == ["cryptography", "pynacl"]
    assert LIBRARY.name == "pynacl"


SHOW = """
from aboveboard_referee.fairplay import ed25519, keys
key = keys.PrivateKey.from_seed(bytes(range(32)))
key.public.verify(key.sign(b"x"), b"x")
print(ed25519.LIBRARY.name, key.sign(b"x").hex())
"""


@pytest.mark.parametrize("hidden", ["nacl", "nacl.bindings", "nacl._sodium"])
def test_without_pynacl_everything_works_and_signs_the_same(hidden: str) -> None:
    program = f"import sys; sys.modules[{hidden!r}] = None\n{SHOW}"
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    signature = PrivateKey.from_seed(bytes(range(32))).sign(b"x").hex()
    assert shown.stdout.split() == ["cryptography", signature]


def test_every_library_agrees_with_the_reference_at_the_start() -> None:
    for library in LIBRARIES:
        assert ed25519.agrees(library)
    assert ed25519.choose(None) is REFERENCE


def cofactored(key: bytes) -> Callable[[bytes, bytes], bool]:
    """A verifier that multiplies by the cofactor, as some do."""

    def verdict(signature: bytes, message: bytes) -> bool:
        r, s = signature[:32], int.from_bytes(signature[32:], "little")
        minus_k = L - challenge(r, key, message)
        left = edwards.add(edwards.multiply(s, BASE), edwards.multiply(minus_k, point(key)))
        minus_r = edwards.multiply(8 * L - 1, point(r))
        return edwards.is_identity(edwards.multiply(8, edwards.add(left, minus_r)))

    return verdict


def lax_key(raw: bytes) -> bool:
    """Before CVE-2025-69277 was mended: [L]A was good already with x = 0."""
    found = edwards.decompress(raw)
    return found is not None and edwards.multiply(L, found)[0] % P == 0


@pytest.mark.parametrize(
    "change",
    [
        {"verifier": cofactored},
        {"verifier": lambda _key: lambda _signature, _message: True},
        {"verifier": lambda _key: lambda _signature, _message: False},
        {"signer": lambda _seed: lambda _message: bytes(64)},
        {"public": lambda _seed: bytes(32)},
        {"is_key": lax_key},
        {"is_key": lambda raw: edwards.decompress(raw) is not None},
        {"is_key": lambda _raw: False},
    ],
    ids=[
        "cofactored",
        "all-good",
        "none-good",
        "signs",
        "public",
        "order-2",
        "any-order",
        "no-key",
    ],
)
def test_a_library_of_another_mind_is_not_used(change: dict[str, object]) -> None:
    other = replace(REFERENCE, name="other", **change)  # type: ignore[arg-type]  # one field each
    assert ed25519.choose(other) is REFERENCE
