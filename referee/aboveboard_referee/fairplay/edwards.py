"""Points of edwards25519, as far as judging a public key needs them (RFC 8032, 5.1).

Only public values pass through here: nothing is constant in time. Points are in
extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z and xy = T/Z.
"""

Point = tuple[int, int, int, int]

P = 2**255 - 19
"""The field's prime."""

L = 2**252 + 27742317777372353535851937790883648493
"""The order of the subgroup that every honest key lies in."""

_D = -121665 * pow(121666, -1, P) % P
_D2 = 2 * _D % P
_SQRT_M1 = pow(2, (P - 1) // 4, P)
_SIGN = 1 << 255

IDENTITY: Point = (0, 1, 1, 0)


def add(a: Point, b: Point) -> Point:
    """a + b, complete: also right for equal points and the identity."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    m = (y1 - x1) * (y2 - x2) % P
    n = (y1 + x1) * (y2 + x2) % P
    t = t1 * _D2 % P * t2 % P
    z = 2 * z1 * z2 % P
    e, f, g, h = n - m, z - t, z + t, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(a: Point) -> Point:
    """a + a, cheaper than ``add``."""
    x1, y1, z1, _ = a
    xx = x1 * x1 % P
    yy = y1 * y1 % P
    zz = 2 * z1 * z1 % P
    h = xx + yy
    e = h - (x1 + y1) * (x1 + y1) % P
    g = xx - yy
    f = zz + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(n: int, a: Point) -> Point:
    """[n]a for n ≥ 0, by doubling and adding from the highest bit."""
    result = IDENTITY
    for bit in bin(n)[2:]:
        result = double(result)
        if bit == "1":
            result = add(result, a)
    return result


def is_identity(a: Point) -> bool:
    x, y, z, _ = a
    return x % P == 0 and (y - z) % P == 0


def compress(a: Point) -> bytes:
    """The canonical encoding: y in 255 bits, little-endian, and the sign of x on top."""
    x, y, z, _ = a
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(raw: bytes) -> Point | None:
    """The point that 32 bytes encode; None if y ≥ p, off the curve, or a zero x with a sign."""
    number = int.from_bytes(raw, "little")
    y = number & (_SIGN - 1)
    if len(raw) != 32 or y >= P:
        return None
    # x² = u/v; a square root is u·v³·(u·v⁷)^((p-5)/8), perhaps times the root of -1.
    u = (y * y - 1) % P
    v = (_D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * _SQRT_M1 % P
        if (v * x * x - u) % P:
            return None
    sign = number >> 255
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def in_prime_subgroup(a: Point) -> bool:
    """Whether [L]a is the identity. So it is for the identity itself."""
    return is_identity(multiply(L, a))


def _small_order_encodings() -> frozenset[bytes]:
    # The points of order 1, 2, 4, 8 have y = 1, -1, 0, ±c, where c is a root of
    # d·y⁴ + 2·y² - 1. As y takes 255 bits, 0 and 1 are also written as p and p + 1;
    # with both signs, two of which name no proper point, that makes 14 strings.
    c = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    ys = (0, 1, P - 1, c, P - c, P, P + 1)
    return frozenset((y | sign).to_bytes(32, "little") for y in ys for sign in (0, _SIGN))


SMALL_ORDER_ENCODINGS = _small_order_encodings()
"""All 32-byte strings, canonical or not, that a lax reader takes for a point of order 1 to 8."""


def is_of_prime_order(raw: bytes) -> bool:
    """Whether 32 bytes are the canonical encoding of a point of order L."""
    if raw in SMALL_ORDER_ENCODINGS:
        return False
    point = decompress(raw)
    return point is not None and in_prime_subgroup(point)
