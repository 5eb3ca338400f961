"""A match as a whole: what is dealt to whom, the crib, the end, sides and ranks."""

import dataclasses

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import (
    DealerFault,
    Decide,
    Over,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.cribbage import ACC as ACC_RULES
from aboveboard_referee.games.cribbage import SOURCE as SOURCE_RULES
from aboveboard_referee.games.cribbage import (
    CribbageGame,
    Discard,
    Phase,
    score_hand,
)
from aboveboard_referee.games.cribbage.cards import DECK, parse_card, parse_cards
from aboveboard_referee.games.step import step
from tests.fakes.cribbage import Deal
from tests.fakes.table import OMNISCIENT, SPECTATOR, Dealer, Holder, Table

ACC = "cribbage"
SOURCE = "cribbage:source"

PLAIN = ["4H 4D 7C 9S QH QD", "7H JD 5C 8S KS KC"]
PLAIN_SCRIPT = "1:4H 0:7H 1:4D 0:JD 1:go 0:5C 0:go 1:7C"


def test_a_match_begins_with_nothing_dealt_and_nothing_scored() -> None:
    state = registry.game(ACC).start(4)
    assert (state.deal, state.dealer, state.starter, state.total) == (0, 0, None, 0)
    assert [state.hand(seat) for seat in range(4)] == [()] * 4
    assert state.scores == (0, 0)


# --- The deal ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seats", "dealt", "starter", "crib"),
    [
        (ACC, 2, 6, 12, 4),
        (ACC, 3, 5, 16, 4),
        (ACC, 4, 5, 20, 4),
        (SOURCE, 2, 5, 10, 2),
        (SOURCE, 3, 5, 15, 3),
        (SOURCE, 4, 5, 20, 4),
    ],
)
def test_hands_lie_in_turn_order_from_the_seat_after_the_dealer(
    name: str, seats: int, dealt: int, starter: int, crib: int
) -> None:
    table = Table(registry.game(name), seats, Dealer(1))
    table.bring_about(table.need())
    hands = table.states[SPECTATOR].hands
    assert hands[1] == tuple(range(dealt))
    assert hands[0] == tuple(range((seats - 1) * dealt, seats * dealt))
    need = table.deal()
    table.move(*((seat, moves[0]) for seat, moves in need.legal))
    while table.states[SPECTATOR].phase is not Phase.STARTER:
        table.bring_about(table.need())
    assert table.need() == Show(((Slot(1, starter), None),))
    assert len(table.states[SPECTATOR].crib) == crib
    assert all(len(hand) == 4 for hand in table.states[SPECTATOR].hands)


def test_the_third_card_of_a_crib_for_three_comes_from_the_stock() -> None:
    table = Table(registry.game(ACC), 3, Dealer(1))
    need = table.deal()
    table.move(*((seat, moves[0]) for seat, moves in need.legal))
    assert table.states[SPECTATOR].crib == (0, 5, 10, 15)


def test_the_standard_game_shows_the_hand_before_the_crib_is_chosen() -> None:
    table = Table(registry.game(ACC), 2, Dealer(1))
    table.bring_about(table.need())
    need = table.need()
    assert isinstance(need, Show)
    assert [to for _, to in need.grants] == [1] * 6 + [0] * 6


def test_the_source_game_chooses_the_crib_before_anybody_looks() -> None:
    table = Table(registry.game(SOURCE), 2, Dealer(1))
    table.bring_about(table.need())
    need = table.need()
    assert isinstance(need, Decide)
    assert table.states[OMNISCIENT].known == frozenset()
    table.move((0, Discard((7,))), (1, Discard((2,))))
    assert table.need() == Show(
        tuple((Slot(1, p), 1) for p in (0, 1, 3, 4)) + tuple((Slot(1, p), 0) for p in (5, 6, 8, 9))
    )


@pytest.mark.parametrize("name", [ACC, SOURCE])
def test_all_seats_lay_away_at_once_and_in_clear(name: str) -> None:
    table = Table(registry.game(name), 3, Dealer(1))
    need = table.deal()
    assert need.seats == (0, 1, 2)
    assert not need.sealed
    assert need.of(1) == tuple(Discard((p,)) for p in range(5))


def test_two_cards_are_laid_away_in_any_of_fifteen_ways() -> None:
    table = Table(registry.game(ACC), 2, Dealer(1))
    need = table.deal()
    assert [len(moves) for _, moves in need.legal] == [15, 15]
    assert need.of(0)[0] == Discard((10, 11)), "notation is sorted as text"


def test_nobody_sees_the_crib_before_it_is_counted() -> None:
    deal = Deal(SOURCE, ["4H 4D 7C 9S QH", "7H JD 5C 8S KS"], "KH")
    crib = {Slot(1, p) for p in deal.state.crib}
    deal.play(PLAIN_SCRIPT)
    shown = [
        event
        for event in deal.table.happened[SPECTATOR]
        if isinstance(event, Shown) and crib & {slot for slot, _ in event.grants}
    ]
    assert shown == [
        Shown(((Slot(1, 4), None), (Slot(1, 9), None)), (parse_card("QH"), parse_card("KS")))
    ]
    assert deal.table.happened[SPECTATOR][-1] == shown[0]


def test_the_deal_passes_on() -> None:
    table = Table(registry.game(ACC), 3, Dealer(2))
    dealers = []
    while isinstance(need := table.deal(), Decide):
        if len(need.seats) == 3:
            dealers.append(table.states[SPECTATOR].dealer)
        table.move(*((seat, moves[0]) for seat, moves in need.legal))
    assert dealers[:7] == [0, 1, 2, 0, 1, 2, 0]


def test_a_new_deck_of_all_cards_closes_the_older_ones() -> None:
    deal = Deal(ACC, PLAIN, "KH").play(PLAIN_SCRIPT)
    assert deal.need() == Shuffle(DECK, closes=True)


# --- Scores --------------------------------------------------------------------------------


@pytest.mark.parametrize(("starter", "heels"), [("JH", 2), ("QC", 0)])
def test_a_jack_turned_as_starter_is_two_for_the_dealer(starter: str, heels: int) -> None:
    assert Deal(ACC, PLAIN, starter).scores == (heels, 0)


def test_hands_and_crib_are_scored_with_the_starter() -> None:
    deal = Deal(ACC, PLAIN, "KH").play(PLAIN_SCRIPT)
    starter = parse_card("KH")
    hands = [score_hand(ACC_RULES, parse_cards(hand)[:4], starter) for hand in PLAIN]
    crib = score_hand(ACC_RULES, parse_cards("QH QD KS KC"), starter, crib=True)
    assert (hands, crib) == ([4, 6], 8)
    assert deal.scores == (3 + 6 + 8, 6 + 4)


def test_partners_score_together() -> None:
    table = Table(registry.game(ACC), 4, Dealer(5))
    assert table.game.sides(4) == ((0, 2), (1, 3))
    while isinstance(need := table.deal(), Decide):
        table.move(*((seat, moves[0]) for seat, moves in need.legal))
    state = table.states[SPECTATOR]
    assert state.score_of(0) == state.score_of(2) == need.score[0]
    assert sorted(need.rank) == [1, 2]


def test_four_seats_of_the_source_game_play_each_for_itself() -> None:
    assert registry.game(SOURCE).sides(4) == ((0,), (1,), (2,), (3,))


# --- The end -------------------------------------------------------------------------------


def test_a_jack_turned_as_starter_may_win() -> None:
    deal = Deal(ACC, PLAIN, "JH", scores=(119, 120))
    assert deal.need() == Over((121, 120), (1, 2))


def test_the_match_ends_in_the_middle_of_a_count() -> None:
    deal = Deal(ACC, PLAIN, "KH", scores=(0, 119)).play("1:4H 0:7H 1:4D")
    assert deal.need() == Over((0, 121), (2, 1))


def test_the_first_seat_to_reach_the_target_wins_though_the_other_would_count_more() -> None:
    deal = Deal(ACC, PLAIN, "KH", scores=(117, 111)).play(PLAIN_SCRIPT)
    assert deal.need() == Over((120, 121), (2, 1)), "seat 1 counts 4, seat 0's 6 and crib do not"
    assert None in deal.table.states[SPECTATOR].faces, "nor is the crib shown"


def test_the_dealer_counts_its_hand_before_the_crib() -> None:
    deal = Deal(ACC, PLAIN, "KH", scores=(112, 100)).play(PLAIN_SCRIPT)
    assert deal.need() == Over((121, 110), (1, 2))
    deal = Deal(ACC, PLAIN, "KH", scores=(111, 100)).play(PLAIN_SCRIPT)
    assert deal.need() == Over((128, 110), (1, 2)), "all points of the crib are one event"


def test_equal_scores_share_a_rank() -> None:
    game = registry.game(SOURCE)
    state = game.start(4)._replace(phase=Phase.OVER, scores=(100, 90, 100, 80))
    assert game.need(state) == Over((100, 90, 100, 80), (1, 3, 1, 4))


def test_the_cap_of_deals_ends_a_match_with_the_highest_score() -> None:
    game = CribbageGame(SOURCE, dataclasses.replace(SOURCE_RULES, deal_cap=2))
    table = Table(game, 2, Dealer(3))
    while isinstance(need := table.deal(), Decide):
        table.move(*((seat, moves[0]) for seat, moves in need.legal))
    assert table.dealer.decks == 2
    assert max(need.score) < 121
    assert need.rank == ((1, 2) if need.score[0] > need.score[1] else (2, 1))


# --- A dealer that contradicts itself ------------------------------------------------------


def test_a_played_card_with_another_face_than_its_seat_saw_is_the_dealers_fault() -> None:
    deal = Deal(ACC, PLAIN, "KH")
    deal.table.move(deal.move("1:4H"))
    need = deal.need()
    assert isinstance(need, Show)
    forged = Shown(need.grants, (parse_card("6H"),))
    step(deal.table.game, deal.table.states[SPECTATOR], forged)
    for holder in (OMNISCIENT, Holder(1)):
        with pytest.raises(DealerFault, match="position 0 shows another card than before"):
            step(deal.table.game, deal.table.states[holder], forged)


def test_a_card_at_two_positions_is_the_dealers_fault() -> None:
    deal = Deal(ACC, PLAIN, "KH")
    deal.table.move(deal.move("1:4H"))
    need = deal.need()
    assert isinstance(need, Show)
    with pytest.raises(DealerFault, match="lies elsewhere"):
        deal.table.feed(SPECTATOR, Shown(need.grants, (parse_card("KH"),)))


def test_a_face_for_everybody_cannot_be_withheld() -> None:
    deal = Deal(ACC, PLAIN, "KH")
    deal.table.move(deal.move("1:4H"))
    need = deal.need()
    assert isinstance(need, Show)
    with pytest.raises(DealerFault, match="for everybody"):
        deal.table.feed(SPECTATOR, Shown(need.grants, (None,)))


def test_a_new_deal_starts_with_a_clear_table() -> None:
    deal = Deal(ACC, PLAIN, "KH").play(PLAIN_SCRIPT)
    for holder in deal.table.holders:
        deal.table.feed(holder, Shuffled(DECK))
        state = deal.table.states[holder]
        assert state.known == frozenset()
        assert (state.crib, state.pile, state.total, state.passed) == ((), (), 0, ())
