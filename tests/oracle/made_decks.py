"""decks.json: orders, salts, leaves, roots and paths."""

from typing import Any

from tests.oracle import deck, tree
from tests.oracle.made_match import secret

# Of each deck: shuffle, card ids, seats, seats that are out.
DECKS: tuple[tuple[int, list[int], int, set[int]], ...] = (
    (1, list(range(52)), 2, set()),
    (2, list(range(104)), 2, {0}),
    (3, list(range(120)), 6, {1, 4}),
    (4, list(range(104)), 7, set()),
    (1023, [1, 5, 6, 40, 77, 119, 2**32 - 1], 3, {0, 1, 2}),
    (5, [7], 2, set()),
)


def deck_vectors() -> dict[str, Any]:
    head_0 = secret("stands for a head")
    return {
        "note": "bytes are hex; a seat's link is null where it is absent",
        "head_0": head_0.hex(),
        "decks": [_deck(head_0, *shape) for shape in DECKS],
        "words": [
            {"cards": list(range(3)), "words": [str(w) for w in words], "order": order}
            for words, order in _rejections()
        ],
    }


def _deck(head_0: bytes, k: int, cards: list[int], seats: int, out: set[int]) -> dict[str, Any]:
    n = len(cards)
    link = secret(f"referee's link {k}")
    links = [None if s in out else secret(f"seat {s}'s link {k}") for s in range(seats)]
    seed = deck.deck_seed(head_0, k, n, link, links)
    order = deck.shuffled(cards, deck.words_of(seed))
    salts = [deck.salt(head_0, k, position, link) for position in range(n)]
    leaves = [deck.leaf(head_0, k, p, order[p], salts[p]) for p in range(n)]
    positions = sorted({0, 1 % n, n // 2, n - 1})
    return {
        "k": k,
        "cards": cards,
        "referee_link": link.hex(),
        "seat_links": [None if found is None else found.hex() for found in links],
        "seed": seed.hex(),
        "order": order,
        "root": tree.root(leaves).hex(),
        "openings": [
            {
                "position": position,
                "card": order[position],
                "salt": salts[position].hex(),
                "leaf": leaves[position].hex(),
                "path": [node.hex() for node in tree.inclusion(leaves, position)],
            }
            for position in positions
        ],
    }


def _rejections() -> list[tuple[list[int], list[int]]]:
    """Words around the limits of 3 and 2 cards: 2⁶⁴ − 1 is refused for 3 and taken for 2."""
    most = 2**64 - 1
    sequences = ([most, most - 1, most], [most, most, 5, 4], [most - 2, 0], [0, most])
    return [(words, deck.shuffled(range(3), words)) for words in sequences]
