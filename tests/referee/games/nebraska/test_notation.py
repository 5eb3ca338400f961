import pytest

from aboveboard_referee.games.contract import Malformed
from aboveboard_referee.games.nebraska import Bet, Choice
from aboveboard_referee.games.nebraska.notation import CHOICES, bets, decode, encode

ALL = [*(Bet(pos) for pos in range(104)), Choice.KEEP, Choice.DISCARD]


def test_moves_are_written_as_documented():
    assert encode(Bet(17)) == "bet 17"
    assert encode(Bet(0)) == "bet 0"
    assert encode(Choice.KEEP) == "keep"
    assert encode(Choice.DISCARD) == "discard"


def test_every_move_reads_back_from_its_text():
    assert [decode(encode(move)) for move in ALL] == ALL


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bet",
        "bet ",
        "bet 017",
        "bet 00",
        "bet  17",
        "bet 17 ",
        " bet 17",
        "bet +17",
        "bet -1",
        "bet 104",
        "bet 1_0",
        "bet 17\n",
        "bet ١٧",
        "Bet 17",
        "BET 17",
        "keep ",
        "Keep",
        "keep\x00",
        "discards",
        "bet 5H",
    ],
)
def test_any_other_text_is_malformed(text):
    with pytest.raises(Malformed):
        decode(text)


def test_bets_are_sorted_as_text():
    assert [encode(bet) for bet in bets([9, 10, 100, 2])] == ["bet 10", "bet 100", "bet 2", "bet 9"]


def test_choices_are_sorted_as_text():
    assert CHOICES == (Choice.DISCARD, Choice.KEEP)
