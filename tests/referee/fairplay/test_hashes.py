"""Heads, names, commitments and the draw, against their bytes written out by hand."""

import hashlib
import hmac

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from aboveboard_referee.fairplay.chain import Chain, fits
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.fairplay.draw import draw_chain, order_hash, pairing_seed, tie_hash
from aboveboard_referee.fairplay.head import GENESIS, match_context, next_head, tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey

TOURNAMENT, HEAD, KEY, NONCE, SEED = b"t" * 32, b"h" * 32, b"k" * 32, b"n" * 32, b"s" * 32


def h(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def test_a_head_covers_the_head_before_the_type_and_the_body() -> None:
    event = h(b"aboveboard/event/v1\0DSSEv1 19 aboveboard/event/v1 4 body")
    expected = h(b"aboveboard/head/v1\0" + bytes(32) + event)
    assert next_head(GENESIS, "aboveboard/event/v1", b"body") == expected
    with pytest.raises(ValueError, match="32 bytes"):
        next_head(b"", "aboveboard/event/v1", b"body")


def test_the_names_of_tournament_and_match() -> None:
    assert tournament_id(b"manifest") == h(b"aboveboard/tournament/v1\0manifest")
    assert match_context(TOURNAMENT, "r1-b2", 3) == h(
        b"aboveboard/match/v1\0" + TOURNAMENT + b"\0\0\0\5r1-b2" + b"\0\0\0\3"
    )


@pytest.mark.parametrize("match", ["r1-ä", "r1-２", "\ud800"])
def test_a_match_id_beyond_ascii_is_refused(match: str) -> None:
    with pytest.raises(ValueError, match="ASCII"):
        match_context(TOURNAMENT, match, 1)


def test_a_commitment_binds_head_seat_key_nonce_and_move() -> None:
    assert commitment(HEAD, 1, KEY, NONCE, "bet 17") == h(
        b"aboveboard/commit/v1\0" + HEAD + b"\0\0\0\1" + KEY + NONCE + b"\0\0\0\6bet 17"
    )
    values = {
        commitment(HEAD, 1, KEY, NONCE, "bet 17"),
        commitment(SEED, 1, KEY, NONCE, "bet 17"),
        commitment(HEAD, 0, KEY, NONCE, "bet 17"),
        commitment(HEAD, 1, SEED, NONCE, "bet 17"),
        commitment(HEAD, 1, KEY, SEED, "bet 17"),
        commitment(HEAD, 1, KEY, NONCE, "bet 18"),
    }
    assert len(values) == 6


def test_a_commitment_to_a_move_beyond_ascii_or_with_a_short_nonce_is_refused() -> None:
    with pytest.raises(ValueError, match="ASCII"):
        commitment(HEAD, 1, KEY, NONCE, "bet １")
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(HEAD, 1, KEY, NONCE[:31], "bet 1")


def test_a_pairing_seed_is_made_of_the_organisers_and_every_entrants_link() -> None:
    links = [b"a" * 32, None, b"c" * 32]
    ikm = b"o" * 32 + b"\1" + b"a" * 32 + bytes(33) + b"\1" + b"c" * 32
    info = b"aboveboard/pairing/v1\0" + b"\0\0\0\2"
    expected = HKDF(SHA256(), 32, TOURNAMENT, info).derive(ikm)
    assert pairing_seed(TOURNAMENT, b"o" * 32, links, 2) == expected


def test_a_draws_chain_hangs_on_the_key_and_the_tournament_alone() -> None:
    owner = PrivateKey.from_seed(SEED)
    stored = hmac.digest(SEED, b"aboveboard/drawsecret/v1\0" + TOURNAMENT, "sha256")
    chain = draw_chain(owner, TOURNAMENT, 5)
    assert chain.link(3) == Chain(stored, TOURNAMENT, owner.public.raw, 5).link(3)
    assert fits(TOURNAMENT, owner.public.raw, 3, chain.link(3), 0, chain.tip)
    assert draw_chain(owner, HEAD, 5).tip != chain.tip
    assert draw_chain(PrivateKey.from_seed(NONCE), TOURNAMENT, 5).tip != chain.tip


def test_the_first_order_is_by_a_hash_of_tournament_and_key() -> None:
    assert order_hash(TOURNAMENT, KEY) == h(b"aboveboard/order/v1\0" + TOURNAMENT + KEY)


def test_a_tie_hash_is_the_same_from_both_sides_of_a_pair() -> None:
    expected = h(b"aboveboard/tie/v1\0" + SEED + b"\0\0\0\3" + b"\0\0\1\0")
    assert tie_hash(SEED, 3, 256) == tie_hash(SEED, 256, 3) == expected
