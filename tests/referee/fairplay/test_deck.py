"""Decks: the shuffle against a second one written here, and openings."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.deck import (
    Deck,
    draw_order,
    draw_words,
    leaf_hash,
    opening_fits,
    shuffle_seed,
    shuffled,
)

HEAD0, REFEREE = b"h" * 32, b"r" * 32
SEATS = [b"a" * 32, b"b" * 32]
DECK = Deck.deal(HEAD0, 3, range(52), REFEREE, SEATS)


def t(name: str) -> bytes:
    return f"aboveboard/{name}/v1\0".encode()


def i4(n: int) -> bytes:
    return n.to_bytes(4)


def oracle(
    k: int, cards: Sequence[int], seats: Sequence[bytes | None]
) -> tuple[list[int], list[bytes], bytes]:
    """Order, salts and root of a deck, from the written rule alone."""
    n = len(cards)
    ikm = REFEREE + b"".join(b"\1" + e if e else bytes(33) for e in seats)
    seed = HKDF(SHA256(), 32, HEAD0, t("deck") + i4(k) + i4(n)).derive(ikm)
    stream = hashlib.shake_256(t("draw") + seed).digest(16 * n + 64)
    words = [int.from_bytes(stream[i : i + 8]) for i in range(0, len(stream), 8)]
    order = list(cards)
    for i in reversed(range(1, n)):
        while words[0] >= 2**64 - 2**64 % (i + 1):
            words.pop(0)
        j = words.pop(0) % (i + 1)
        order[i], order[j] = order[j], order[i]
    salt_key = HKDF(SHA256(), 32, HEAD0, t("saltkey") + i4(k)).derive(REFEREE)
    salts = [hmac.new(salt_key, t("salt") + i4(k) + i4(pos), "sha256").digest() for pos in range(n)]
    leaves = [
        hashlib.sha256(b"\0" + t("leaf") + HEAD0 + i4(k) + i4(pos) + i4(card) + salt).digest()
        for pos, (card, salt) in enumerate(zip(order, salts, strict=True))
    ]
    return order, salts, rfc_root(leaves)


def rfc_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + rfc_root(leaves[:k]) + rfc_root(leaves[k:])).digest()


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    k=st.integers(1, 1024),
    cards=st.sets(st.integers(0, 2**32 - 1), min_size=1, max_size=160).map(sorted),
    seats=st.lists(st.none() | st.binary(min_size=32, max_size=32), min_size=1, max_size=7),
)
def test_a_deck_is_the_one_of_the_written_rule(
    k: int, cards: list[int], seats: list[bytes | None]
) -> None:
    deck = Deck.deal(HEAD0, k, cards, REFEREE, seats)
    order, salts, root = oracle(k, cards, seats)
    assert list(deck.order) == order
    assert list(deck.salts) == salts
    assert deck.root == root
    assert sorted(order) == cards


def test_draws_go_on_beyond_the_first_block_of_words() -> None:
    seed = b"s" * 32
    stream = hashlib.shake_256(t("draw") + seed).digest(8 * 700)
    words = draw_words(seed)
    assert [next(words) for _ in range(700)] == [
        int.from_bytes(stream[i : i + 8]) for i in range(0, 8 * 700, 8)
    ]


def test_a_deck_larger_than_the_first_block_of_words_is_shuffled_whole() -> None:
    assert sorted(shuffled(range(1000), b"s" * 32)) == list(range(1000))


@pytest.mark.parametrize("n", [2, 3, 52, 104, 120])
def test_only_words_at_or_above_the_last_whole_multiple_are_rejected(n: int) -> None:
    below = 2**64 - 2**64 % n
    wanted = [below - 1] + [0] * (n - 2)
    rejected = [word for word in (below, 2**64 - 1) if word < 2**64]
    assert draw_order(iter(rejected + wanted), range(n)) == draw_order(iter(wanted), range(n))


def test_no_word_is_taken_that_is_not_needed() -> None:
    def words() -> Iterator[int]:
        yield from (0, 0, 0)
        raise AssertionError("a fourth word was taken for four cards")

    assert draw_order(words(), (5, 6, 7, 8)) == (6, 7, 8, 5)
    assert draw_order(iter(()), (5,)) == (5,)


def test_every_order_of_three_cards_is_drawn_equally_often() -> None:
    orders = [draw_order(iter((a, b)), range(3)) for a in range(3) for b in range(2)]
    assert len(set(orders)) == 6


@pytest.mark.parametrize("cards", [(2, 1), (1, 1), (0, 1, 3, 2)])
def test_cards_that_do_not_ascend_are_refused(cards: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ascending"):
        shuffled(cards, b"s" * 32)


def test_an_empty_deck_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Deck.deal(HEAD0, 1, (), REFEREE, SEATS)


@pytest.mark.parametrize("cards", [(-1, 0), (0, 1 << 32)])
def test_a_card_id_beyond_four_bytes_is_refused(cards: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="four bytes"):
        Deck.deal(HEAD0, 1, cards, REFEREE, SEATS)


def test_every_input_of_a_seed_changes_it() -> None:
    base = shuffle_seed(HEAD0, REFEREE, SEATS, 1, 52)
    others = [
        shuffle_seed(b"x" * 32, REFEREE, SEATS, 1, 52),
        shuffle_seed(HEAD0, b"x" * 32, SEATS, 1, 52),
        shuffle_seed(HEAD0, REFEREE, [SEATS[0], b"x" * 32], 1, 52),
        shuffle_seed(HEAD0, REFEREE, [SEATS[0], None], 1, 52),
        shuffle_seed(HEAD0, REFEREE, [SEATS[0], bytes(32)], 1, 52),
        shuffle_seed(HEAD0, REFEREE, [SEATS[1], SEATS[0]], 1, 52),
        shuffle_seed(HEAD0, REFEREE, [SEATS[0]], 1, 52),
        shuffle_seed(HEAD0, REFEREE, SEATS, 2, 52),
        shuffle_seed(HEAD0, REFEREE, SEATS, 1, 53),
    ]
    assert len({base, *others}) == 10


@pytest.mark.parametrize("size", [0, 31, 33])
def test_links_of_another_size_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        shuffle_seed(HEAD0, b"r" * size, SEATS, 1, 52)
    with pytest.raises(ValueError, match="32 bytes"):
        shuffle_seed(HEAD0, REFEREE, [b"a" * size], 1, 52)


# --- Openings -----------------------------------------------------------------------------


def fits(**changed: object) -> bool:
    arguments: dict[str, object] = {
        "root": DECK.root,
        "n": 52,
        "head0": HEAD0,
        "k": 3,
        "pos": 17,
        "card": DECK.order[17],
        "salt": DECK.salts[17],
        "path": DECK.path(17),
    }
    arguments.update(changed)
    return opening_fits(**arguments)  # type: ignore[arg-type]  # each test changes one


def test_every_card_of_a_deck_can_be_opened_alone() -> None:
    for pos, (card, salt) in enumerate(zip(DECK.order, DECK.salts, strict=True)):
        assert leaf_hash(HEAD0, 3, pos, card, salt) == DECK.leaves[pos]
        assert fits(pos=pos, card=card, salt=salt, path=DECK.path(pos))


@pytest.mark.parametrize(
    "changed",
    [
        {"root": b"x" * 32},
        {"n": 17},
        {"n": 32},
        {"n": 200},
        {"head0": b"x" * 32},
        {"k": 4},
        {"pos": 16},
        {"pos": -1},
        {"pos": 52},
        {"card": 52},
        {"card": -1},
        {"card": 2**32},
        {"salt": b"x" * 32},
        {"salt": b""},
        {"salt": DECK.salts[17] + b"\0"},
        {"path": ()},
        {"path": DECK.path(16)},
        {"path": DECK.path(17)[:-1]},
        {"path": (*DECK.path(17), b"x" * 32)},
        {"path": (DECK.path(17)[0] + b"\0", *DECK.path(17)[1:])},
        {"path": (DECK.path(17)[0][:31], *DECK.path(17)[1:])},
    ],
    ids=lambda changed: "-".join(changed),
)
def test_an_opening_changed_in_one_place_does_not_fit(changed: dict[str, object]) -> None:
    assert fits()
    assert not fits(**changed)


def test_an_inner_node_does_not_pass_for_a_card() -> None:
    path = DECK.path(0)
    assert not fits(pos=0, salt=path[0], path=path[1:])


def test_a_deck_does_not_show_its_cards_or_salts() -> None:
    assert repr(DECK) == str(DECK) == "Deck(k=3, 52 cards)"
