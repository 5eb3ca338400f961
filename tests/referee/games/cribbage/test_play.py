"""Turns, goes and restarts: the play of a deal. Seat 0 deals, seat 1 leads."""

import pytest

from aboveboard_referee.games.contract import Illegal, Moved, Show, Shown
from aboveboard_referee.games.cribbage import Play
from tests.fakes.cribbage import Deal
from tests.fakes.table import SPECTATOR, Holder

ACC = "cribbage"
SOURCE = "cribbage:source"

WHOLE = ["4H 4D 7C 9S QH QD", "7H JD 5C 8S KS KC"]
TENS = ["TH TD TC 9S QH QD", "5D 2D 2C AS KS KC"]


def whole_play() -> Deal:
    return Deal(ACC, WHOLE, "KH")


# --- A whole play --------------------------------------------------------------------------


def test_a_whole_play_scores_what_a_person_would_peg() -> None:
    """A leads against the dealer B: 4 7 4(2) J go 5(1) | 7 8(2) 9(3+1)."""
    deal = whole_play()
    for script, scores in [
        ("1:4H", (0, 0)),
        ("0:7H", (0, 0)),
        ("1:4D", (0, 2)),
        ("0:JD", (0, 2)),
        ("1:go", (0, 2)),
        ("0:5C", (0, 2)),
        ("0:go", (1, 2)),
    ]:
        deal.play(script)
        assert deal.scores == scores, script
    assert deal.state.total == 0
    deal.play("1:7C")
    assert deal.pegged() == (3, 6)


def test_the_source_game_gives_nothing_for_a_go_or_a_last_card() -> None:
    deal = Deal(SOURCE, ["4H 4D 7C 9S QH", "7H JD 5C 8S KS"], "KH")
    deal.play("1:4H 0:7H 1:4D 0:JD 1:go 0:5C 0:go 1:7C")
    assert deal.pegged() == (2, 2)


def test_a_last_card_that_surely_fits_plays_itself() -> None:
    deal = whole_play().play("1:4H 0:7H 1:4D 0:JD 1:go 0:5C 0:go 1:7C")
    happened = deal.table.happened[SPECTATOR]
    moves = [event for event in happened if isinstance(event, Moved)]
    assert len(moves) == 1 + 8, "8S and 9S, the last cards of both, are not asked for"


def test_a_last_card_that_might_not_fit_is_asked_for() -> None:
    deal = Deal(ACC, ["TH 9D AC 7S QH QD", "2D AH AS 3C KS KC"], "8H")
    deal.play("1:TH 0:2D 1:9D 0:AH 1:AC 0:AS")
    assert deal.state.total == 24
    assert deal.state.cards_held(1) == 1
    assert deal.asked() == deal.asked(Holder(1)) == "1: 7S"
    assert deal.asked(SPECTATOR) == deal.asked(Holder(0)) == "1: go, 7S"
    deal.play("1:7S")
    assert deal.pegged() == (6 + 1, 2 + 2)


# --- Go ------------------------------------------------------------------------------------


def test_a_seat_that_can_play_must() -> None:
    deal = Deal(ACC, ["4H 4D 7C 6S QH QD", "7H JD 5C 8S KS KC"], "KH")
    deal.play("1:4H 0:7H 1:4D 0:JD")
    assert deal.state.total == 25
    assert deal.asked() == "1: 6S"
    with pytest.raises(Illegal):
        deal.play("1:go")


def test_a_seat_that_cannot_play_must_say_so() -> None:
    deal = whole_play().play("1:4H 0:7H 1:4D 0:JD")
    assert deal.asked() == "1: go"
    with pytest.raises(Illegal):
        deal.play("1:7C")


def test_nobody_can_say_go_while_every_card_fits() -> None:
    deal = Deal(ACC, TENS, "7H", holders=(SPECTATOR,)).play("1:TH 0:AS")
    assert deal.state.total == 11
    assert deal.asked() == "1: 9S, TC, TD"
    deal.play("1:TD")
    assert deal.state.total == 21
    assert deal.asked() == "0: 2C, 2D, 5D"


def test_after_a_go_the_other_seat_plays_several_cards_alone() -> None:
    deal = Deal(ACC, TENS, "7H").play("1:TH 0:5D 1:TD 0:2D 1:go")
    assert deal.asked() == "0: 2C, AS"
    deal.play("0:2C")
    assert deal.asked() == "0: AS", "and seat 1, which said go, is not asked again"


def test_the_count_is_dead_when_those_who_still_hold_cards_have_said_go() -> None:
    deal = Deal(ACC, TENS, "7H").play("1:TH 0:5D 1:TD 0:2D 1:go 0:2C")
    before = deal.scores
    deal.play("0:AS")
    assert deal.state.cards_held(0) == 0, "who has no cards left is not asked for a go"
    assert deal.scores == (before[0] + 1, before[1])
    assert deal.state.total == 0
    assert deal.asked() == "1: 9S, TC"


def test_the_last_player_says_go_too_before_the_count_is_dead() -> None:
    deal = whole_play().play("1:4H 0:7H 1:4D 0:JD 1:go 0:5C")
    assert deal.state.total == 30
    assert deal.asked() == "0: go"


# --- Restarts ------------------------------------------------------------------------------


def test_thirty_one_restarts_the_count_and_is_no_go_besides() -> None:
    deal = Deal(ACC, ["TH TD AC 9S QH QD", "5D 5S AH 4S KS KC"], "7H")
    deal.play("1:TH 0:5D 1:TD 0:5S")
    assert deal.scores == (2, 0)
    deal.play("1:AC")
    assert deal.scores == (2, 2)
    assert deal.state.total == 0


def test_after_a_restart_the_seat_after_the_last_player_leads() -> None:
    deal = Deal(ACC, ["TH TD 9C 9S QH QD", "4D 5S AH 8S KS KC"], "7H")
    assert deal.play("1:TH 0:4D 1:TD 0:5S 1:go 0:AH 0:go").asked() == "1: 9C, 9S"
    deal = Deal(ACC, ["TH TD AC 9S QH QD", "5D 4S 8H 8S KS KC"], "7H")
    assert deal.play("1:TH 0:5D 1:TD 0:4S 1:AC 0:go 1:go").asked() == "0: 8H, 8S"


def test_the_last_player_leads_itself_when_it_alone_holds_cards() -> None:
    deal = Deal(ACC, ["TH 5C AS 9S 2H 3H", "TD JH QC KS 2S 3S"], "7H")
    deal.play("1:TH 0:TD 1:5C 0:go 1:AS 1:go 0:JH 0:QC")
    assert deal.state.total == 29
    assert deal.state.cards_held(1) == 0
    deal.play("0:go")
    assert deal.pegged() == (2 + 1 + 1, 1)


def test_nothing_counts_across_a_restart() -> None:
    deal = Deal(ACC, ["TH TD AC 9S QH QD", "5D 5S AH 4S KS KC"], "7H")
    deal.play("1:TH 0:5D 1:TD 0:5S 1:AC 0:AH")
    assert deal.pegged() == (2 + 1, 2), "an ace on the ace of the count before is no pair"


@pytest.mark.parametrize(("name", "pegged"), [(ACC, (2 + 2 + 2, 0)), (SOURCE, (1 + 2 + 1, 0))])
def test_a_last_card_that_makes_thirty_one_scores_that_and_no_more(
    name: str, pegged: tuple[int, int]
) -> None:
    hands = ["9H 7C 6H TC QH QD", "TD 5S 9D 6S KS KC"]
    if name == SOURCE:
        hands = [hand[:-3] for hand in hands]
    deal = Deal(name, hands, "8D").play("1:9H 0:TD 1:7C 0:5S 1:6H 0:9D 0:6S")
    assert deal.pegged() == pegged


# --- More seats ----------------------------------------------------------------------------


def test_three_seats_play_in_turn_past_those_that_said_go() -> None:
    hands = ["TH 5D 9C 9S QH", "2D 3S 4H 6S QD", "JD 8S 7H 2S KS"]
    deal = Deal(ACC, hands, "7D", stock="KC").play("1:TH 2:2D 0:8S 1:9C")
    assert deal.asked() == "2: go"
    deal.play("2:go")
    assert deal.asked() == "0: 2S"
    deal.play("0:2S")
    assert deal.asked() == "1: 5D, 9S"


# --- What is shown ---------------------------------------------------------------------------


def test_a_card_that_is_played_is_shown_to_everybody() -> None:
    deal = whole_play()
    seat, move = deal.move("1:4H")
    deal.table.move((seat, move))
    need = deal.need()
    assert isinstance(need, Show)
    assert isinstance(move, Play)
    assert [(slot.deck, slot.pos, to) for slot, to in need.grants] == [(1, move.position, None)]


def test_no_face_is_shown_to_everybody_twice() -> None:
    deal = whole_play().play("1:4H 0:7H 1:4D 0:JD 1:go 0:5C 0:go 1:7C")
    batches = [e.grants for e in deal.table.happened[SPECTATOR] if isinstance(e, Shown)]
    shown = [slot for grants in batches for slot, to in grants if to is None]
    assert len(shown) == len(set(shown)) == 8 + 1 + 4


def test_everybody_knows_how_many_cards_are_left_but_only_the_seat_which() -> None:
    deal = whole_play().play("1:4H 0:7H")
    seen = deal.table.states[SPECTATOR]
    assert [seen.cards_held(seat) for seat in (0, 1)] == [3, 3]
    assert [face for _, face in seen.hand(1)] == [None, None, None]
    own = deal.table.states[Holder(1)].hand(1)
    assert own == tuple((position, deal.face(position)) for position in seen.held[1])
