import pytest

from aboveboard_referee.games.nebraska import card_text, parse_card, parse_cards
from aboveboard_referee.games.nebraska.cards import CARDS, RANKS, SUITS


def test_the_pack_holds_104_cards_of_different_texts():
    assert CARDS == 104
    assert len({card_text(card) for card in range(CARDS)}) == 104


def test_a_card_id_is_its_suit_times_13_plus_its_rank():
    assert parse_card("2H") == 0
    assert parse_card("AH") == 12
    assert parse_card("2D") == 13
    assert parse_card("AM") == 103
    for s, suit in enumerate("HDCSOFTM"):
        for r, rank in enumerate("23456789TJQKA"):
            assert parse_card(rank + suit) == s * 13 + r


def test_ten_of_hearts_and_ten_of_stars_are_told_apart():
    assert (parse_card("TH"), parse_card("TT")) == (8, 6 * 13 + 8)


def test_every_card_reads_back_from_its_text():
    assert [parse_card(card_text(card)) for card in range(CARDS)] == list(range(CARDS))


@pytest.mark.parametrize("text", ["", "5", "5h", "H5", "10H", "5H ", "1H", "5X", "5HH"])
def test_any_other_text_is_no_card(text):
    with pytest.raises(ValueError, match="is no card"):
        parse_card(text)


@pytest.mark.parametrize("card", [-1, CARDS])
def test_a_number_outside_the_pack_has_no_text(card):
    with pytest.raises(ValueError, match="is no card"):
        card_text(card)


def test_a_line_of_cards_keeps_its_order():
    assert parse_cards("AH 2H AM") == (12, 0, 103)


def test_letters_are_listed_by_index():
    assert (RANKS, SUITS) == ("23456789TJQKA", "HDCSOFTM")
