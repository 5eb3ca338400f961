"""The one canonical text of a move."""

from itertools import combinations

import pytest

from aboveboard_referee.games.contract import Malformed
from aboveboard_referee.games.cribbage import GO, CribbageMove, Discard, Play
from aboveboard_referee.games.cribbage.notation import decode, discards, encode, plays


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (GO, "go"),
        (Play(0), "play 0"),
        (Play(17), "play 17"),
        (Play(51), "play 51"),
        (Discard((7,)), "discard 7"),
        (Discard((4, 9)), "discard 4 9"),
        (Discard((0, 10, 20, 51)), "discard 0 10 20 51"),
    ],
)
def test_moves_are_written_as_documented(move: CribbageMove, text: str) -> None:
    assert encode(move) == text
    assert decode(text) == move


@pytest.mark.parametrize(
    "text",
    [
        *("", "g", "Go", "GO", "go ", " go", "go\n", "gо", "go go"),
        *("play", "play ", "play 52", "play 100", "play -1", "play +1", "play 01", "play 1.0"),
        *("play  1", "play\t1", "play 1 2", "play 1\n", "play ١", "play 5H", "Play 1", "play1"),
        *("discard", "discard ", "discard 9 4", "discard 4 4", "discard 4  9", "discard 4 09"),
        *("discard 4,9", "discard 4 9 ", "discard 4 52", "discard 1 2 3 4 5", "discard 4 9\n"),
    ],
    ids=repr,
)
def test_any_other_text_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        decode(text)


def test_all_moves_of_a_deck_have_different_texts() -> None:
    moves: list[CribbageMove] = [GO, *plays(tuple(range(52)))]
    moves += [m for n in (1, 2, 3) for m in discards(tuple(range(12)), n)]
    assert len({encode(move) for move in moves}) == len(moves)
    assert [decode(encode(move)) for move in moves] == moves


def test_moves_are_listed_in_the_order_of_their_texts() -> None:
    assert plays((9, 10, 11)) == (Play(10), Play(11), Play(9))
    listed = discards((6, 7, 8, 9, 10, 11), 2)
    assert list(map(encode, listed)) == sorted(map(encode, listed))
    assert {move.positions for move in listed} == set(combinations(range(6, 12), 2))
