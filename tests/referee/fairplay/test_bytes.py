"""The primitives against their standards."""

import pytest

from aboveboard_referee.fairplay.bytes import (
    ascii_bytes,
    b32,
    hkdf,
    hmac_sha256,
    hmac_under,
    label,
    lp,
    sha256,
    u8,
    u32,
)

unhex = bytes.fromhex


def test_a_label_ends_in_a_zero_byte() -> None:
    assert label("deck") == b"aboveboard/deck/v1\x00"


def test_integers_are_big_endian() -> None:
    assert u8(255) == b"\xff"
    assert u32(0x01020304) == b"\x01\x02\x03\x04"
    assert lp(b"abc") == b"\x00\x00\x00\x03abc"


@pytest.mark.parametrize(("write", "n"), [(u8, -1), (u8, 256), (u32, -1), (u32, 1 << 32)])
def test_an_integer_that_does_not_fit_is_refused(write: type, n: int) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        write(n)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_field_of_another_size_is_refused_without_telling_it(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes") as caught:
        b32(b"\xaa" * size)
    assert "aa" not in str(caught.value)


@pytest.mark.parametrize("text", ["ä", "bet 1７", "\x80", "\ud800"])
def test_text_beyond_ascii_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ASCII"):
        ascii_bytes(text)


def test_sha256_of_parts_is_that_of_their_join() -> None:
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2
    assert sha256(b"a", b"", b"bc").hex() == abc


def test_hmac_of_rfc_4231_case_2() -> None:
    assert hmac_sha256(b"Jefe", b"what do ya want ", b"for nothing?") == unhex(
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


@pytest.mark.parametrize("size", [0, 1, 32, 63, 64])
def test_hmac_under_a_key_is_hmac_message_by_message(size: int) -> None:
    key = bytes(range(1, size + 1))
    mac = hmac_under(key)
    for message in (b"", b"a", bytes(100), b"a"):
        assert mac(message) == hmac_sha256(key, message)


def test_hmac_under_a_key_of_more_than_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="hashed first"):
        hmac_under(bytes(65))


@pytest.mark.parametrize(
    ("salt", "ikm", "info", "okm"),
    [
        (
            bytes(range(13)),
            b"\x0b" * 22,
            bytes(range(0xF0, 0xFA)),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
        ),
        (
            bytes(range(0x60, 0xB0)),
            bytes(range(0x50)),
            bytes(range(0xB0, 0x100)),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c",
        ),
        (
            b"",
            b"\x0b" * 22,
            b"",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d",
        ),
    ],
)
def test_hkdf_gives_the_first_32_bytes_of_rfc_5869(
    salt: bytes, ikm: bytes, info: bytes, okm: str
) -> None:
    assert hkdf(salt, ikm, info).hex() == okm
