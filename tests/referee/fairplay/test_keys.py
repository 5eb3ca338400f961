"""One rule of verification: what is refused though some library would accept it."""

import hashlib
import pickle

import pytest

from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PrivateKey, PublicKey

SEED = bytes(range(32))
KEY = PrivateKey.from_seed(SEED)
MESSAGE = b"play 1:17"
P, L = edwards.P, edwards.L

# The y coordinates of all small-order points and their spellings beyond p, as
# published with other libraries' block lists; either sign bit may be set.
SMALL_ORDER_YS = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)


def with_sign(raw: bytes) -> bytes:
    return raw[:31] + bytes([raw[31] | 0x80])


SMALL_ORDER = [
    spelling for y in SMALL_ORDER_YS for spelling in (bytes.fromhex(y), with_sign(bytes.fromhex(y)))
]


def torsion_points() -> dict[bytes, edwards.Point]:
    """All eight points of small order: the multiples of [L]Q that has order 8."""
    for y in range(2, 100):
        q = edwards.decompress(y.to_bytes(32, "little"))
        if q is None:
            continue
        t = edwards.multiply(L, q)
        if not edwards.is_identity(edwards.multiply(4, t)):
            points = [edwards.multiply(i, t) for i in range(8)]
            return {edwards.compress(point): point for point in points}
    raise AssertionError("no point of order 8 was found")


TORSION = torsion_points()


def point_of(raw: bytes) -> edwards.Point:
    point = edwards.decompress(raw)
    assert point is not None
    return point


BASE = point_of(bytes.fromhex("58" + "66" * 31))  # y = 4/5, even x


def scalar_of(seed: bytes) -> int:
    number = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return number & ~7 & ((1 << 254) - 1) | 1 << 254


# --- Signing and verifying ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "public", "message", "signature"),
    [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            (
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            (
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e"
                "458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
        ),
    ],
)
def test_signatures_are_those_of_rfc_8032(
    seed: str, public: str, message: str, signature: str
) -> None:
    key = PrivateKey.from_seed(bytes.fromhex(seed))
    assert key.public.raw.hex() == public
    assert key.sign(bytes.fromhex(message)).hex() == signature
    PublicKey.parse(bytes.fromhex(public)).verify(bytes.fromhex(signature), bytes.fromhex(message))


@pytest.mark.parametrize("bit", range(0, 512, 7))
def test_a_signature_with_one_flipped_bit_is_refused(bit: int) -> None:
    signature = bytearray(KEY.sign(MESSAGE))
    signature[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadSignature):
        KEY.public.verify(bytes(signature), MESSAGE)


def test_a_signature_over_another_message_or_by_another_key_is_refused() -> None:
    with pytest.raises(BadSignature, match="does not verify"):
        KEY.public.verify(KEY.sign(MESSAGE), MESSAGE + b" ")
    with pytest.raises(BadSignature, match="does not verify"):
        PrivateKey.from_seed(bytes(32)).public.verify(KEY.sign(MESSAGE), MESSAGE)


@pytest.mark.parametrize("size", [0, 32, 63, 65, 128])
def test_a_signature_of_another_length_is_refused(size: int) -> None:
    signature = (KEY.sign(MESSAGE) * 2)[:size]
    with pytest.raises(BadSignature, match="64 bytes"):
        KEY.public.verify(signature, MESSAGE)


def test_a_signature_with_s_not_below_the_group_order_is_refused() -> None:
    signature = KEY.sign(MESSAGE)
    s = int.from_bytes(signature[32:], "little")
    for other in (s + L, s + 2 * L, L, (1 << 256) - 1):
        with pytest.raises(BadSignature, match="S is not below"):
            KEY.public.verify(signature[:32] + other.to_bytes(32, "little"), MESSAGE)


def test_a_signature_with_r_the_identity_is_refused_though_its_equation_holds() -> None:
    r = edwards.compress(edwards.IDENTITY)
    h = int.from_bytes(hashlib.sha512(r + KEY.public.raw + MESSAGE).digest(), "little") % L
    s = h * scalar_of(SEED) % L
    left = edwards.multiply(s, BASE)
    right = edwards.multiply(h, point_of(KEY.public.raw))
    assert edwards.compress(left) == edwards.compress(right)
    with pytest.raises(BadSignature, match="R is a point of small order"):
        KEY.public.verify(r + s.to_bytes(32, "little"), MESSAGE)


@pytest.mark.parametrize("r", SMALL_ORDER, ids=bytes.hex)
def test_every_spelling_of_a_small_order_r_is_refused(r: bytes) -> None:
    with pytest.raises(BadSignature, match="R is a point of small order"):
        KEY.public.verify(r + KEY.sign(MESSAGE)[32:], MESSAGE)


def test_a_spelling_of_r_that_is_not_canonical_is_refused() -> None:
    for y in range(P, 1 << 255):
        for r in (y.to_bytes(32, "little"), with_sign(y.to_bytes(32, "little"))):
            with pytest.raises(BadSignature):
                KEY.public.verify(r + KEY.sign(MESSAGE)[32:], MESSAGE)


# --- Keys that are refused ----------------------------------------------------------------


@pytest.mark.parametrize("raw", SMALL_ORDER, ids=bytes.hex)
def test_every_spelling_of_a_small_order_key_is_refused(raw: bytes) -> None:
    with pytest.raises(BadKey, match="small order"):
        PublicKey.parse(raw)


def test_the_list_of_small_order_points_holds_all_eight_and_their_other_spellings() -> None:
    assert len(TORSION) == 8
    assert set(TORSION) < edwards.SMALL_ORDER_ENCODINGS
    assert set(SMALL_ORDER) == edwards.SMALL_ORDER_ENCODINGS


@pytest.mark.parametrize("torsion", sorted(TORSION), ids=bytes.hex)
def test_a_key_of_mixed_order_is_refused(torsion: bytes) -> None:
    mixed = edwards.compress(edwards.add(point_of(KEY.public.raw), TORSION[torsion]))
    if edwards.is_identity(TORSION[torsion]):
        assert PublicKey.parse(mixed) == KEY.public
    else:
        with pytest.raises(BadKey, match="outside the subgroup"):
            PublicKey.parse(mixed)


@pytest.mark.parametrize("y", range(P, 1 << 255), ids=lambda y: f"p+{y - P}")
def test_a_key_with_y_not_below_p_is_refused(y: int) -> None:
    for raw in (y.to_bytes(32, "little"), with_sign(y.to_bytes(32, "little"))):
        assert edwards.decompress(raw) is None
        with pytest.raises(BadKey, match="small order" if y - P < 2 else "canonical encoding"):
            PublicKey.parse(raw)


def test_a_key_that_is_no_point_of_the_curve_is_refused() -> None:
    with pytest.raises(BadKey, match="point of the curve"):
        PublicKey.parse(b"\x02" + bytes(31))


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(BadKey, match="32 bytes"):
        PublicKey.parse(bytes(size))
    with pytest.raises(BadKey, match="32 bytes"):
        PrivateKey.from_seed(bytes(size))


def test_a_zero_x_has_no_sign() -> None:
    for point in (edwards.IDENTITY, (0, P - 1, 1, 0)):
        assert edwards.decompress(edwards.compress(point)) == point
        assert edwards.decompress(with_sign(edwards.compress(point))) is None


# --- The curve ----------------------------------------------------------------------------


def test_points_multiply_as_the_library_does() -> None:
    for i in range(8):
        seed = hashlib.sha256(bytes([i])).digest()
        ours = edwards.compress(edwards.multiply(scalar_of(seed), BASE))
        assert ours == PrivateKey.from_seed(seed).public.raw
        assert edwards.compress(point_of(ours)) == ours


def test_doubling_is_adding_to_itself() -> None:
    for point in [*TORSION.values(), BASE, edwards.multiply(12345, BASE)]:
        twice = edwards.compress(edwards.double(point))
        assert twice == edwards.compress(edwards.add(point, point))


def test_the_base_point_has_the_group_order() -> None:
    assert edwards.in_prime_subgroup(BASE)
    assert not edwards.is_identity(edwards.multiply(L - 1, BASE))


# --- What keys show of themselves ---------------------------------------------------------


def test_a_private_key_shows_its_seed_only_when_asked_for_it() -> None:
    assert KEY.seed == SEED
    for shown in (repr(KEY), str(KEY), f"{KEY}", repr([KEY]), repr({"key": KEY})):
        assert SEED.hex() not in shown
        assert repr(SEED)[2:-1] not in shown
        assert KEY.public.fingerprint() in shown


def test_keys_are_not_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(KEY)


def test_a_fingerprint_is_four_groups_of_four_digits() -> None:
    digits = hashlib.sha256(KEY.public.raw).hexdigest()
    assert KEY.public.fingerprint() == "-".join(
        (digits[0:4], digits[4:8], digits[8:12], digits[12:16])
    )


def test_public_keys_are_equal_by_their_bytes_and_cheap_to_parse_again() -> None:
    raw = KEY.public.raw
    assert PublicKey.parse(raw) is PublicKey.parse(bytes(bytearray(raw)))
    assert PublicKey(raw) == PublicKey.parse(raw)
    assert hash(PublicKey(raw)) == hash(PublicKey.parse(raw))
    assert PublicKey(raw) != PrivateKey.from_seed(bytes(32)).public
    assert PublicKey(raw) != raw
