"""Counting hands and the crib."""

import json
from collections import Counter
from itertools import (
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
    product,
)
from math import prod
from pathlib import Path
from random import Random

import pytest

from aboveboard_referee.games.cribbage import (
    ACC,
    SOURCE,
    CribbageRules,
    HandPoints,
    count_hand,
    parse_card,
    parse_cards,
    score_hand,
)
from aboveboard_referee.games.cribbage.cards import DECK, JACK, RANK, SUIT, VALUE

VECTORS = Path(__file__).parents[3] / "vectors" / "cribbage_show.json"

EVERY_HAND = {
    0: 1009008,
    1: 99792,
    2: 2813796,
    3: 505008,
    4: 2855676,
    5: 697508,
    6: 1800268,
    7: 751324,
    8: 1137236,
    9: 361224,
    10: 388740,
    11: 51680,
    12: 317340,
    13: 19656,
    14: 90100,
    15: 9168,
    16: 58248,
    17: 11196,
    18: 2708,
    20: 8068,
    21: 2496,
    22: 444,
    23: 356,
    24: 3680,
    28: 76,
    29: 4,
}
"""How many of all (hand, starter) have each score, counted as a hand; published."""


def points(rules: CribbageRules, shown: str, *, crib: bool = False) -> int:
    """The score of ``hand | starter``."""
    hand, starter = shown.split(" | ")
    return score_hand(rules, parse_cards(hand), parse_card(starter), crib)


# --- Right values ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "hand", "crib"),
    [
        ("5H 5C 5S JD | 5D", 29, 29),
        ("5H 5C 5S JH | 5D", 28, 28),
        ("4H 4C 5S 6D | 6H", 24, 24),
        ("6C 6D 7S 7D | 8S", 20, 20),
        ("6S 7S 8S 2S | 7D", 20, 16),
        ("2H 4H 6H 8H | TC", 4, 0),
        ("2H 4H 6H 8H | TH", 5, 5),
        ("2H 4H 6H 8C | TH", 0, 0),
        ("2H 4C 6S 8D | JH", 0, 0),
        ("QH KC AS 2D | 7H", 0, 0),
        ("TC JD QH KS | 5H", 12, 12),
    ],
)
def test_the_standard_game_counts_known_hands(shown: str, hand: int, crib: int) -> None:
    assert points(ACC, shown) == hand
    assert points(ACC, shown, crib=True) == crib


@pytest.mark.parametrize(
    ("shown", "hand"),
    [
        ("4H 4C 5S 6D | 6H", 12),
        ("6C 6D 7S 7D | 8S", 8),
        ("6S 7S 8S 2S | 7D", 17),
        ("2H 4H 6H 8C | TH", 4),
        ("TC JD QH KS | 5H", 8),
        ("2H 4H 6H 8H | TH", 4),
    ],
)
def test_the_source_game_counts_known_hands(shown: str, hand: int) -> None:
    assert points(SOURCE, shown) == hand
    assert points(SOURCE, shown, crib=True) == hand


def test_hands_counted_by_other_implementations_have_the_same_points() -> None:
    cases = json.loads(VECTORS.read_text())
    assert len(cases) > 100
    for case in cases:
        shown = f"{case['hand']} | {case['starter']}"
        found = points(ACC, shown), points(ACC, shown, crib=True), points(SOURCE, shown)
        assert found == (case["acc"], case["acc_crib"], case["source"]), shown


# --- Mistakes that other implementations made ------------------------------------------------


def test_a_jack_turned_as_starter_is_no_nobs() -> None:
    assert points(ACC, "2H 4C 6S 8D | JH") == 0
    assert points(ACC, "JH 4C 6S 8D | 2H") == 1
    assert points(ACC, "JH 4C 6S 8D | 2C") == 0


def test_four_of_one_suit_with_the_starter_are_no_flush() -> None:
    assert points(ACC, "2H 4H 6H 8C | TH") == 0


def test_four_of_one_suit_in_the_crib_are_no_flush() -> None:
    assert points(ACC, "2H 4H 6H 8H | TC", crib=True) == 0
    assert points(ACC, "2H 4H 6H 8H | TH", crib=True) == 5


def test_a_double_run_is_two_long_runs_without_the_short_ones_inside() -> None:
    hand, starter = parse_cards("2H 3C 4S 5D"), parse_card("5H")
    assert count_hand(ACC, hand, starter) == HandPoints(2, 2, 8, 0, 0)
    hand, starter = parse_cards("TH JC QS KD"), parse_card("KH")
    assert count_hand(ACC, hand, starter) == HandPoints(0, 2, 8, 0, 0)
    hand, starter = parse_cards("TH JC QS QD"), parse_card("QH")
    assert count_hand(ACC, hand, starter) == HandPoints(0, 6, 9, 0, 0)


def test_runs_do_not_pass_the_ace() -> None:
    assert points(ACC, "QH KC AS 2D | 7H") == 0


# --- What the points are for -----------------------------------------------------------------


def test_the_points_of_a_hand_are_told_apart() -> None:
    hand, starter = parse_cards("5H 5C 5S JD"), parse_card("5D")
    assert count_hand(ACC, hand, starter) == HandPoints(16, 12, 0, 0, 1)


@pytest.mark.parametrize(
    ("shown", "score"),
    [
        ("2H 4H | TC", 0),
        ("2H 4H | TH", 3),
        ("5H TC | TH", 6),
        ("JH 4C | 2H", 1),
        ("2H 3H | 4H", 6),
        ("2H 3C | 4H", 0),
        ("2H 3H 4H | AH", 8),
        ("7H 8C 9H | TC", 2),
    ],
)
def test_a_short_crib_of_the_source_game_counts_like_a_hand(shown: str, score: int) -> None:
    assert points(SOURCE, shown, crib=True) == score


# --- The same, counted in the most literal way -------------------------------------------------


def literal(rules: CribbageRules, hand: tuple[int, ...], starter: int, crib: bool) -> int:
    """Every set of cards looked at one by one, as the rules are read aloud."""
    cards = (*hand, starter)
    sets = [s for n in range(2, len(cards) + 1) for s in combinations(cards, n)]
    total = 2 * sum(sum(VALUE[card] for card in s) == 15 for s in sets)
    total += 2 * sum(len(s) == 2 and RANK[s[0]] == RANK[s[1]] for s in sets)
    runs = [s for s in sets if is_run(s) and (len({SUIT[c] for c in s}) == 1 or rules is ACC)]
    ranks = [{RANK[card] for card in run} for run in runs]
    total += sum(len(run) for run in ranks if not any(run < longer for longer in ranks))
    total += sum(RANK[card] == JACK and SUIT[card] == SUIT[starter] for card in hand)
    if rules is SOURCE:
        most = max(Counter(SUIT[card] for card in cards).values())
        return total + {3: 3, 4: 4, 5: 4}.get(most, 0)
    if len({SUIT[card] for card in cards}) == 1:
        return total + 5
    return total + (4 if len({SUIT[card] for card in hand}) == 1 and not crib else 0)


def is_run(cards: tuple[int, ...]) -> bool:
    ranks = sorted(RANK[card] for card in cards)
    return len(cards) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(cards)))


@pytest.mark.parametrize("rules", [ACC, SOURCE], ids=["acc", "source"])
def test_random_hands_and_cribs_count_as_if_read_aloud(rules: CribbageRules) -> None:
    random = Random(31)
    for _ in range(1500):
        held = 4 if rules is ACC else random.choice((2, 3, 4))
        *hand, starter = random.sample(DECK[:: random.choice((1, 2))], held + 1)
        for crib in (False, True):
            expected = literal(rules, tuple(hand), starter, crib)
            assert score_hand(rules, tuple(hand), starter, crib) == expected


def test_every_choice_of_five_ranks_counts_as_if_read_aloud() -> None:
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] == ranks[4]:
            continue
        # Suits go round, so that equal ranks differ and no flush or jack gets in the way.
        *hand, starter = (rank + 13 * (index % 4) for index, rank in enumerate(ranks))
        expected = literal(ACC, tuple(hand), starter, False)
        assert score_hand(ACC, tuple(hand), starter) == expected


def test_the_order_of_the_hand_does_not_matter() -> None:
    for hand in permutations(parse_cards("JH 5H 5C 6H")):
        assert score_hand(ACC, hand, parse_card("4H")) == 17


# --- All of them -------------------------------------------------------------------------------


def test_all_hands_have_the_published_scores_by_symmetry_of_the_suits() -> None:
    """Each hand stands for all that differ only by a permutation of suits.

    The starter is a heart, which stands for 4; the hand's other suits hold sets of ranks
    in descending order, which stands for the number of different orders of those sets.
    """
    subsets = {n: list(combinations(range(13), n)) for n in range(5)}
    found: Counter[int] = Counter()
    for starter in range(13):
        for sizes in product(range(5), repeat=4):
            if sum(sizes) != 4 or not sizes[1] >= sizes[2] >= sizes[3]:
                continue
            for ranks in product(*(subsets[n] for n in sizes)):
                others = ranks[1:]
                if starter in ranks[0] or any(
                    len(a) == len(b) and a < b for a, b in pairwise(others)
                ):
                    continue
                alike = prod((1, 1, 2, 6)[n] for n in Counter(others).values())
                hand = tuple(rank + 13 * suit for suit in range(4) for rank in ranks[suit])
                found[score_hand(ACC, hand, starter)] += 4 * 6 // alike
    assert dict(found) == EVERY_HAND
    assert sum(score * number for score, number in found.items()) == 61_974_180


@pytest.mark.slow
def test_all_hands_have_the_published_scores_one_by_one() -> None:
    found: Counter[int] = Counter()
    for hand in combinations(DECK, 4):
        for starter in DECK:
            if starter not in hand:
                found[score_hand(ACC, hand, starter)] += 1
    assert dict(found) == EVERY_HAND
    assert sum(found.values()) == 12_994_800
