"""Match keys from a stored secret."""

import hashlib
import hmac

import pytest

from aboveboard_referee.fairplay.head import match_context
from aboveboard_referee.fairplay.match_key import match_key

STORED = b"s" * 32
CONTEXT = match_context(bytes(32), "r1-b1", 1)


def test_a_match_keys_seed_is_drawn_from_the_stored_secret() -> None:
    drawn = b"aboveboard/matchkey/v1\0" + CONTEXT + b"\0\0\0\x01"
    seed = hmac.new(STORED, drawn, hashlib.sha256).digest()
    assert match_key(STORED, CONTEXT, 1).seed == seed


def test_the_match_key_of_a_known_secret_is_a_known_one() -> None:
    assert match_key(STORED, CONTEXT, 0).public.raw.hex() == (
        "d18f07c87a7280836e97cda57f973822c21f51d0ba6323a7475887cba22656a6"
    )


def test_a_restarted_bot_has_the_same_match_key() -> None:
    assert match_key(STORED, CONTEXT, 1).public == match_key(STORED, CONTEXT, 1).public


@pytest.mark.parametrize(
    "other",
    [
        (b"t" * 32, CONTEXT, 0),
        (STORED, match_context(bytes(32), "r1-b2", 1), 0),
        (STORED, match_context(bytes(32), "r1-b1", 2), 0),
        (STORED, match_context(b"t" * 32, "r1-b1", 1), 0),
        (STORED, CONTEXT, 1),
    ],
    ids=["secret", "match", "attempt", "tournament", "seat"],
)
def test_another_secret_match_attempt_or_seat_has_another_key(
    other: tuple[bytes, bytes, int],
) -> None:
    assert match_key(*other).public != match_key(STORED, CONTEXT, 0).public
