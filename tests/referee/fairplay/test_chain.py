"""Entropy chains and nonces."""

import hashlib
import hmac

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.chain import Chain, chain_secret, fits, nonce

STORED, CONTEXT, KEY, HEAD = b"s" * 32, b"c" * 32, b"k" * 32, b"h" * 32
CHAIN = Chain(STORED, CONTEXT, KEY, 40)


def test_the_end_of_a_chain_and_nonces_come_from_the_stored_secret() -> None:
    def mac(message: bytes) -> bytes:
        return hmac.new(STORED, message, hashlib.sha256).digest()

    assert chain_secret(STORED, CONTEXT) == mac(b"aboveboard/chainsecret/v1\0" + CONTEXT)
    assert nonce(STORED, HEAD, 1) == mac(b"aboveboard/nonce/v1\0" + HEAD + b"\0\0\0\x01")
    assert CHAIN.link(40) == chain_secret(STORED, CONTEXT)


def test_a_link_is_the_hash_of_the_next_with_its_number() -> None:
    for k in range(1, 41):
        data = b"aboveboard/chain/v1\0" + CONTEXT + KEY + bytes([0, 0, 0, k]) + CHAIN.link(k)
        assert CHAIN.link(k - 1) == hashlib.sha256(data).digest()
    assert CHAIN.tip == CHAIN.link(0)


def test_a_restarted_owner_goes_on_with_the_same_chain() -> None:
    again = Chain(STORED, CONTEXT, KEY, 40)
    assert again.link(7) == CHAIN.link(7)
    assert again.length == 40


@pytest.mark.parametrize(
    "other",
    [
        Chain(b"x" * 32, CONTEXT, KEY, 40),
        Chain(STORED, b"x" * 32, KEY, 40),
        Chain(STORED, CONTEXT, b"x" * 32, 40),
        Chain(STORED, CONTEXT, KEY, 41),
    ],
    ids=["secret", "context", "key", "length"],
)
def test_chains_that_differ_in_anything_share_no_tip(other: Chain) -> None:
    assert other.tip != CHAIN.tip


@settings(derandomize=True, deadline=None, max_examples=100)
@given(known=st.integers(0, 40), k=st.integers(0, 40))
def test_a_link_fits_every_earlier_one_and_no_later_one(known: int, k: int) -> None:
    good = fits(CONTEXT, KEY, k, CHAIN.link(k), known, CHAIN.link(known))
    assert good == (known < k)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(k=st.integers(1, 40), bit=st.integers(0, 255))
def test_an_altered_link_does_not_fit(k: int, bit: int) -> None:
    link = bytearray(CHAIN.link(k))
    link[bit // 8] ^= 1 << bit % 8
    assert not fits(CONTEXT, KEY, k, bytes(link), 0, CHAIN.tip)
    assert not fits(CONTEXT, KEY, k, bytes(link), k - 1, CHAIN.link(k - 1))


def test_a_link_fits_only_its_own_number_owner_and_match() -> None:
    link = CHAIN.link(5)
    assert fits(CONTEXT, KEY, 5, link, 0, CHAIN.tip)
    assert not fits(CONTEXT, KEY, 4, link, 0, CHAIN.tip)
    assert not fits(CONTEXT, KEY, 6, link, 0, CHAIN.tip)
    assert not fits(CONTEXT, b"x" * 32, 5, link, 0, CHAIN.tip)
    assert not fits(b"x" * 32, KEY, 5, link, 0, CHAIN.tip)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_link_of_another_size_does_not_fit(size: int) -> None:
    assert not fits(CONTEXT, KEY, 5, (CHAIN.link(5) * 2)[:size], 0, CHAIN.tip)


def test_a_link_does_not_fit_a_negative_index() -> None:
    assert not fits(CONTEXT, KEY, 1, CHAIN.link(1), -1, CHAIN.tip)


@pytest.mark.parametrize("k", [-1, 41])
def test_a_used_up_chain_has_no_further_link(k: int) -> None:
    with pytest.raises(ValueError, match="none with number"):
        CHAIN.link(k)


def test_a_chain_needs_a_link_and_fields_of_32_bytes() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Chain(STORED, CONTEXT, KEY, 0)
    for fields in ((b"", CONTEXT, KEY), (STORED, b"", KEY), (STORED, CONTEXT, b"")):
        with pytest.raises(ValueError, match="32 bytes"):
            Chain(*fields, 4)


def test_a_chain_does_not_show_its_secrets() -> None:
    for secret in (STORED, CHAIN.link(40), CHAIN.link(1)):
        assert secret.hex() not in repr(CHAIN)
        assert repr(secret)[2:-1] not in repr(CHAIN)
