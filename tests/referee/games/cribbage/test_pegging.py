"""The points of a card as it is played."""

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest

from aboveboard_referee.games.cribbage import (
    ACC,
    SOURCE,
    CribbageRules,
    parse_cards,
    score_play,
)
from aboveboard_referee.games.cribbage.cards import DECK, RANK, RANKS, SUIT, VALUE

VECTORS = Path(__file__).parents[3] / "vectors" / "cribbage_peg.json"


def by_ranks(ranks: str) -> tuple[int, ...]:
    """Cards of these ranks, whose suits go round."""
    return tuple(RANKS.index(r) + 13 * (i % 4) for i, r in enumerate(ranks.split()))


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ("4 5 6 5", 0),
        ("4 5 6 5 4", 3),
        ("A 2 4 5 3", 7),
        ("T T 2 2 4 3", 5),
        ("6 5 6 5", 0),
        ("7 8", 2),
        ("T J Q A", 2),
        ("J Q K", 3),
        ("Q K A", 0),
        ("5 5 5", 8),
        ("2 2 2 2", 12),
    ],
)
def test_the_standard_game_scores_known_plays(ranks: str, points: int) -> None:
    assert score_play(ACC, by_ranks(ranks)) == points


def test_plays_scored_by_other_implementations_have_the_same_points() -> None:
    cases = json.loads(VECTORS.read_text())
    assert len(cases) > 100
    for case in cases:
        cards = parse_cards(case["cards_since_restart"])
        found = score_play(ACC, cards), score_play(SOURCE, cards)
        assert found == (case["acc"], case["source"]), case


def test_another_card_between_two_of_a_rank_breaks_the_pair() -> None:
    assert score_play(ACC, by_ranks("5 9 5")) == 0


def test_a_run_and_thirty_one_add_up() -> None:
    assert score_play(ACC, by_ranks("T T 2 2 4 3")) == 2 + 3


def test_pairs_go_by_rank_and_not_by_what_a_card_counts() -> None:
    assert score_play(ACC, by_ranks("J Q")) == 0


def test_thirty_one_is_a_point_in_the_source_game() -> None:
    assert score_play(SOURCE, by_ranks("T T T A")) == 1


def test_a_run_in_play_of_the_source_game_is_of_one_suit() -> None:
    assert score_play(SOURCE, parse_cards("4H 5H 6C")) == 2
    assert score_play(SOURCE, parse_cards("4H 6H 5H")) == 2 + 3
    assert score_play(SOURCE, parse_cards("9C 4H 6H 5H")) == 3
    assert score_play(SOURCE, parse_cards("7C 4H 6H 5H")) == 3
    assert score_play(ACC, parse_cards("7C 4H 6H 5H")) == 4


def literal(rules: CribbageRules, cards: tuple[int, ...]) -> int:
    """Each number of last cards looked at one by one."""
    total = sum(VALUE[card] for card in cards)
    points = {15: 2, 31: 2 if rules is ACC else 1}.get(total, 0)
    tails = [cards[-n:] for n in range(2, len(cards) + 1)]
    points += max((2, 6, 12)[len(t) - 2] if same_rank(t) else 0 for t in tails)
    runs = [t for t in tails if is_run(t) and (rules is ACC or len({SUIT[c] for c in t}) == 1)]
    return points + max((len(run) for run in runs), default=0)


def same_rank(cards: tuple[int, ...]) -> bool:
    return len(cards) <= 4 and len({RANK[card] for card in cards}) == 1


def is_run(cards: tuple[int, ...]) -> bool:
    ranks = sorted(RANK[card] for card in cards)
    return len(cards) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(cards)))


def test_every_sequence_of_up_to_four_ranks_scores_as_if_read_aloud() -> None:
    for length in (2, 3, 4):
        for ranks in product(range(13), repeat=length):
            cards = tuple(rank + 13 * suit for suit, rank in enumerate(ranks))
            assert score_play(ACC, cards) == literal(ACC, cards)


@pytest.mark.parametrize("rules", [ACC, SOURCE], ids=["acc", "source"])
def test_long_random_plays_score_as_if_read_aloud(rules: CribbageRules) -> None:
    random = Random(15)
    low = [card for card in DECK if VALUE[card] <= 6]
    for _ in range(4000):
        suits = random.choice((1, 2, 4))
        cards = [c for c in random.sample(low, len(low)) if SUIT[c] < suits]
        while sum(VALUE[card] for card in cards) > 31:
            cards.pop()
        if len(cards) > 1:
            assert score_play(rules, tuple(cards)) == literal(rules, tuple(cards))
