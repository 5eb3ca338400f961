"""The one ASCII notation of a move."""

from itertools import combinations

import pytest

from aboveboard_referee.games.allegra.grid import CELLS
from aboveboard_referee.games.allegra.notation import Move, Verb, decode, encode
from aboveboard_referee.games.contract import Malformed

PLAIN = [Verb.DRAW, Verb.HOLD, Verb.KNOCK, Verb.DECLINE, Verb.DISCARD]
ON_A_CELL = [Verb.TAKE, Verb.PLACE, Verb.PICK, Verb.PUT, Verb.DISCARD, Verb.SWAP]
MOVES = [
    *(Move(verb) for verb in PLAIN),
    *(Move(verb, (cell,)) for verb in ON_A_CELL for cell in CELLS),
    *(Move(Verb.GIVE, (), seat) for seat in range(6)),
    *(Move(Verb.TURN, pair) for pair in combinations(CELLS, 2)),
]


def test_every_move_has_one_notation_and_comes_back_from_it() -> None:
    texts = [encode(move) for move in MOVES]
    assert len(set(texts)) == len(texts)
    assert [decode(text) for text in texts] == MOVES
    assert max(map(len, texts)) <= 64


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("turn 0.0.1 3.2.3", Move(Verb.TURN, (CELLS[1], CELLS[47]))),
        ("draw", Move(Verb.DRAW)),
        ("take 0.1.2", Move(Verb.TAKE, (CELLS[6],))),
        ("give 5", Move(Verb.GIVE, (), 5)),
        ("discard 5.2.3", Move(Verb.DISCARD, (CELLS[71],))),
    ],
)
def test_moves_are_written_in_words_and_cells(text: str, move: Move) -> None:
    assert encode(move) == text
    assert decode(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Draw",
        "draw ",
        " draw",
        "draw\n",
        "draw 0.0.0",
        "-",
        "0.0.0",
        "take",
        "take  0.1.2",
        "take 0.1.2 ",
        "take\t0.1.2",
        "take 6.0.0",
        "take 0.3.0",
        "take 0.0.4",
        "take -1.0.0",
        "take 00.0.0",
        "take 0.0.٣",
        "take 0,0,0",
        "take 0.0.0 0.0.1",
        "turn 0.0.0",
        "turn 0.0.1 0.0.0",
        "turn 0.0.0 0.0.0",
        "turn 0.0.0 0.0.1 0.0.2",
        "give",
        "give 6",
        "give 01",
        "give 1 1",
        "give 0.0.0",
        "hold knock",
        "discard 0.0.0 0.0.1",
    ],
)
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        decode(text)


def test_every_text_with_one_character_changed_is_another_move_or_refused() -> None:
    for move in (*MOVES[:60], *MOVES[-60:]):
        text = encode(move)
        for at in range(len(text)):
            for char in "0 .9x":
                altered = text[:at] + char + text[at + 1 :]
                try:
                    assert encode(decode(altered)) == altered
                except Malformed:
                    continue


def test_a_refusal_quotes_no_more_than_a_move_could_be_long() -> None:
    with pytest.raises(Malformed) as refused:
        decode("x" * 10_000)
    assert len(str(refused.value)) < 100


def test_the_harmless_move_sorts_lowest() -> None:
    assert "draw" < "take 0.0.0"
    assert "hold" < "knock"
    assert "decline" < "give 0"
    assert "discard" < "discard 0.0.0" < "swap 0.0.0"
