"""Lies about hidden cards: refused by those who know, found out by those who do not."""

import pytest

from aboveboard_referee.games.contract import DealerFault, Foul, Illegal, Over, Show
from aboveboard_referee.games.cribbage import parse_card
from tests.fakes.cribbage import Deal
from tests.fakes.table import OMNISCIENT, SPECTATOR, Holder

ACC = "cribbage"
HANDS = ["TH TD 5C 9S QH QD", "4D 5S AH 8S KS KC"]
BLIND_TO_1 = (Holder(0), SPECTATOR)


def test_a_go_with_a_card_that_fits_is_refused_at_once_by_those_who_see_it() -> None:
    deal = Deal(ACC, HANDS, "7H").play("1:TH 0:4D 1:TD")
    for holder in (OMNISCIENT, Holder(0)):
        before = deal.table.states[holder]
        deal.table.holders = (holder,)
        with pytest.raises(Illegal) as refusal:
            deal.play("0:go")
        assert refusal.value.seat == 0
        assert deal.table.states[holder] is before


def test_a_go_with_a_card_that_fits_is_found_out_when_the_card_is_played() -> None:
    """At 25 seat 1 hides its five, which is the last card of the deal."""
    deal = Deal(ACC, HANDS, "7H", holders=BLIND_TO_1)
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:5S 0:go")
    assert deal.asked() == "1: 5C, 9S", "nothing is known yet"
    deal.play("1:9S")
    assert deal.pile() == "9S 8S"
    assert deal.need() == Foul(1, 5, "said go at 25 with 5C in hand, which fits")


def test_a_card_that_does_not_fit_is_found_out_when_its_face_is_shown() -> None:
    deal = Deal(ACC, HANDS, "7H", holders=BLIND_TO_1)
    deal.play("1:TH 0:4D 1:TD 0:AH")
    seat, move = deal.move("1:9S")
    deal.table.move((seat, move))
    assert isinstance(deal.need(), Show)
    assert deal.show() == Foul(1, 5, "played 9S at 25, which is more than 31")


def test_a_card_that_does_not_fit_is_refused_at_once_by_those_who_see_it() -> None:
    deal = Deal(ACC, HANDS, "7H").play("1:TH 0:4D 1:TD 0:AH")
    for holder in (OMNISCIENT, Holder(1)):
        deal.table.holders = (holder,)
        with pytest.raises(Illegal):
            deal.play("1:9S")


def test_of_two_lies_that_one_face_proves_the_earlier_is_the_foul() -> None:
    """Seat 1 hides its five at 26 and plays it at 29, where it does not fit."""
    hands = ["TH 6D 5C 9S QH QD", "TD JS QC KC KS KD"]
    deal = Deal(ACC, hands, "7H", holders=BLIND_TO_1)
    deal.play("1:TH 0:TD 1:6D 0:go 1:go 0:JS 1:9S 0:QC")
    assert deal.state.total == 29
    deal.play("1:5C")
    assert deal.need() == Foul(1, 5, "said go at 26 with 5C in hand, which fits")


def test_an_honest_go_is_no_foul() -> None:
    deal = Deal(ACC, ["TH TD 9C 9S QH QD", "4D 5S AH 8S KS KC"], "7H", holders=BLIND_TO_1)
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:5S 0:go 1:9C")
    assert deal.state.claims
    assert deal.pegged()


# --- The match ends in the play ------------------------------------------------------------------


def at_the_end(
    hands: list[str], holders: tuple[Holder, ...] = (), scores: tuple[int, int] = (120, 90)
) -> Deal:
    """A deal that the dealer, who lacks a point or a few, will not need to finish."""
    return Deal(ACC, hands, "7H", scores=scores, holders=holders)


def test_a_match_won_by_a_go_ends_after_the_cards_of_all_who_said_go_were_shown() -> None:
    deal = at_the_end(["TH TD 9C 9S QH QD", "4D 5S AH 8S KS KC"])
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:5S")
    assert deal.scores == (120, 90)
    seat, move = deal.move("0:go")
    deal.table.move((seat, move))
    assert deal.scores == (121, 90)
    need = deal.need()
    assert isinstance(need, Show)
    assert sorted(deal.face(slot.pos) for slot, _ in need.grants) == sorted(
        deal.face(position) for seat in (0, 1) for position in deal.state.held[seat]
    )
    assert all(to is None for _, to in need.grants)
    assert deal.show() == Over((121, 90), (1, 2))


def test_a_lie_is_found_out_although_the_match_is_won() -> None:
    deal = at_the_end(HANDS, BLIND_TO_1)
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:5S 0:go")
    assert deal.need() == Foul(1, 5, "said go at 25 with 5C in hand, which fits")


def test_a_match_won_by_a_lie_is_lost() -> None:
    """Seat 0 says go at 30 with an ace, which would have let it score less at once."""
    hands = ["TH TD 9C 9S QH QD", "4D 5S AH AS KS KC"]
    deal = at_the_end(hands, (Holder(1), SPECTATOR))
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:5S 0:go")
    assert deal.scores == (121, 90)
    assert deal.need() == Foul(0, 7, "said go at 30 with AS in hand, which fits")


def test_a_match_won_by_a_card_ends_at_once_where_nobody_said_go() -> None:
    deal = at_the_end(["TH 5D 9C 9S QH QD", "5S 5H AH 8S KS KC"])
    deal.play("1:TH")
    seat, move = deal.move("0:5S")
    deal.table.move((seat, move))
    assert deal.show() == Over((122, 90), (1, 2))


def test_a_match_won_by_a_card_still_shows_those_who_said_go_earlier_in_the_deal() -> None:
    """Seat 0 makes 2 for a pair of aces, 1 for the go and 2 for a pair of eights."""
    deal = at_the_end(["TH TD 9C 8D QH QD", "4D AS AH 8S KS KC"], scores=(116, 90))
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:AS 0:go")
    deal.table.move(deal.move("1:8D"))
    shows = []
    while isinstance(need := deal.need(), Show):
        shows.append([deal.face(slot.pos) for slot, _ in need.grants])
        deal.table.bring_about(need)
    assert shows == [[parse_card(text)] for text in ("8D", "8S", "9C")]
    assert need == Over((121, 90), (1, 2))


def test_nothing_happens_after_a_foul() -> None:
    deal = at_the_end(HANDS, BLIND_TO_1)
    deal.play("1:TH 0:4D 1:TD 0:AH 1:go 0:5S 0:go")
    with pytest.raises(DealerFault, match="after a foul"):
        deal.play("1:9S")
