"""Ed25519 as RFC 8032 writes it, in affine coordinates, with the rule of section 2.

A verdict takes some ten milliseconds, and nothing here runs in constant time.
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

Affine = tuple[int, int]
IDENTITY: Affine = (0, 1)

# Each line stands for two: as it is, and with the top bit of the last byte flipped.
_SMALL_ORDER = """
0000000000000000000000000000000000000000000000000000000000000000
0100000000000000000000000000000000000000000000000000000000000000
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a
"""
SMALL_ORDER = {
    raw[:31] + bytes([raw[31] ^ flip])
    for raw in map(bytes.fromhex, _SMALL_ORDER.split())
    for flip in (0, 0x80)
}


# --- Points: projective (X, Y, Z) inside a multiplication, so that only its end divides ------


def _double(point: tuple[int, int, int]) -> tuple[int, int, int]:
    return _add(point, point)


def _add(a: tuple[int, int, int], b: tuple[int, int, int]) -> tuple[int, int, int]:
    """The complete addition law of x² scaled by −1, over a common denominator.

    x3 = (x1·y2 + y1·x2) / (1 + d·x1·x2·y1·y2),  y3 = (y1·y2 + x1·x2) / (1 − d·x1·x2·y1·y2)
    """
    (x1, y1, z1), (x2, y2, z2) = a, b
    z = z1 * z2 % P
    square = z * z % P
    xx, yy = x1 * x2 % P, y1 * y2 % P
    curve = D * xx * yy % P
    minus, plus = (square - curve) % P, (square + curve) % P
    cross = (x1 * y2 + y1 * x2) % P
    return z * cross * minus % P, z * (yy + xx) * plus % P, minus * plus % P


def multiply(factor: int, point: Affine) -> Affine:
    total, power = (0, 1, 1), (*point, 1)
    while factor:
        if factor & 1:
            total = _add(total, power)
        power = _double(power)
        factor >>= 1
    x, y, z = total
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def add(a: Affine, b: Affine) -> Affine:
    x, y, z = _add((*a, 1), (*b, 1))
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def negate(point: Affine) -> Affine:
    return -point[0] % P, point[1]


def compress(point: Affine) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(raw: bytes) -> Affine | None:
    """The point that 32 bytes are the one encoding of, or None."""
    number = int.from_bytes(raw, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * SQRT_OF_MINUS_1 % P
    if x * x % P != square or (x == 0 and sign == 1):
        return None
    return (x, y) if x & 1 == sign else (P - x, y)


_base = decompress(bytes.fromhex("58" + "66" * 31))
assert _base is not None
BASE: Affine = _base
"""The base point: y = 4/5, with an even x."""


# --- Keys and signatures ----------------------------------------------------------------------


def _sha512(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def _secret(seed: bytes) -> tuple[int, bytes]:
    """The secret scalar of a seed, and the prefix that its nonces are made with."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return (scalar & (2**254 - 8)) | 2**254, digest[32:]


def public_key(seed: bytes) -> bytes:
    return compress(multiply(_secret(seed)[0], BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    scalar, prefix = _secret(seed)
    key = compress(multiply(scalar, BASE))
    nonce = _sha512(prefix, message) % L
    r = compress(multiply(nonce, BASE))
    s = (nonce + _sha512(r, key, message) % L * scalar) % L
    return r + s.to_bytes(32, "little")


def is_key(raw: bytes) -> bool:
    """Whether the rule allows this public key."""
    if len(raw) != 32 or raw in SMALL_ORDER:
        return False
    point = decompress(raw)
    return point is not None and multiply(L, point) == IDENTITY


def is_good(raw: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the rule takes this for a signature by this key."""
    if not is_key(raw) or len(signature) != 64:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= L or r in SMALL_ORDER:
        return False
    point = decompress(raw)
    assert point is not None
    k = _sha512(r, raw, message) % L
    return compress(add(multiply(s, BASE), negate(multiply(k, point)))) == r
