from dataclasses import replace

import pytest

from aboveboard_referee.games.contract import (
    DealerFault,
    Decide,
    Illegal,
    Moved,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.nebraska import (
    FAMILY_RULES,
    Bet,
    Choice,
    Nebraska,
    Phase,
)
from aboveboard_referee.games.step import step

GAME = Nebraska("nebraska:family", FAMILY_RULES)
SEATS = range(2, 8)
AFFORDABLE = {2: 26, 3: 17, 4: 11, 5: 8, 6: 5, 7: 3}


def test_a_hand_begins_with_a_shuffle_of_the_whole_pack_that_closes_older_decks():
    assert GAME.need(GAME.start(2)) == Shuffle(tuple(range(104)), closes=True)


def test_ten_cards_go_to_each_seat_alone_in_one_batch_seat_0_first(new_table):
    table = new_table(GAME, 3, seed=1)
    table.once()
    assert table.need() == Show(tuple((Slot(1, pos), pos // 10) for pos in range(30)))


def test_the_top_of_the_stock_is_turned_for_everybody(new_table):
    table = new_table(GAME, 3, seed=1)
    table.until(Phase.TURN)
    assert table.need() == Show(((Slot(1, 30), None),))
    table.once()
    assert all(holder.turned_card == table.deck[30] for holder in table.holders)
    assert table.referee.stock == 104 - 31


def test_all_seats_bet_sealed_any_card_of_their_hand(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.BET)
    assert table.need() == Decide(
        (
            (0, tuple(Bet(pos) for pos in range(10))),
            (1, tuple(Bet(pos) for pos in range(10, 20))),
        ),
        sealed=True,
    )


def test_bets_are_shown_to_everybody_in_one_batch_and_are_out(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.BET)
    table.once(lambda state, seat, legal: legal[3])
    assert table.need() == Show(((Slot(1, 3), None), (Slot(1, 13), None)))
    table.once()
    for holder in table.holders:
        assert holder.out_cards == (table.deck[3], table.deck[13])
        assert 3 not in holder.hands[0]
        assert 13 not in holder.hands[1]


def test_the_highest_bet_alone_decides(new_table):
    for seed in range(20):
        table = new_table(GAME, 4, seed)
        table.until(Phase.DECIDE)
        strengths = [FAMILY_RULES.orders.card[table.deck[pos]] for pos in table.referee.bets]
        best = strengths.index(max(strengths))
        assert table.need() == Decide(((best, (Choice.DISCARD, Choice.KEEP)),), sealed=False)
        assert table.referee.decider == best


def test_a_kept_card_stays_on_the_table_and_nobody_draws(new_table, always):
    table = new_table(GAME, 3, seed=2)
    table.until(Phase.TURN)
    table.until(Phase.TURN, choose=always(Choice.KEEP))
    assert table.referee.table == (30,)
    assert [len(hand) for hand in table.referee.hands] == [9, 9, 9]
    assert table.need() == Show(((Slot(1, 31), None),))


def test_after_a_discard_each_seat_draws_one_from_seat_0_up(new_table, always):
    table = new_table(GAME, 3, seed=2)
    table.until(Phase.DRAW, choose=always(Choice.DISCARD))
    assert table.need() == Show(tuple((Slot(1, 31 + seat), seat) for seat in range(3)))
    assert table.referee.out[-1] == 30
    table.once()
    assert [hand[-1] for hand in table.referee.hands] == [31, 32, 33]
    assert table.need() == Show(((Slot(1, 34), None),))
    assert table.referee.table == ()


def test_all_hands_are_opened_when_five_cards_lie_on_the_table(new_table, always):
    table = new_table(GAME, 2, seed=3)
    table.until(Phase.OPEN, choose=always(Choice.KEEP))
    assert len(table.referee.table) == 5
    assert table.need() == Show(
        tuple((Slot(1, pos), None) for hand in table.referee.hands for pos in hand)
    )
    assert [len(hand) for hand in table.referee.hands] == [5, 5]


def test_a_finished_hand_gives_one_win_and_a_fresh_deck_follows(new_table):
    table = new_table(GAME, 3, seed=4)
    table.until(Phase.SHUFFLE)
    for holder in table.holders:
        assert sum(holder.wins) == 1
        assert holder.wins[holder.last.winner] == 1
        assert holder.points == holder.last.points
        assert holder.faces == (None,) * 104
        assert len(holder.unseen) == 104
        assert (holder.hands, holder.table, holder.out) == ((), (), ())
    assert table.need() == Shuffle(tuple(range(104)), closes=True)
    table.once()
    assert table.need().grants[0][0] == Slot(2, 0)


@pytest.mark.parametrize("seats", SEATS)
def test_the_stock_affords_as_many_discards_as_published(new_table, always, seats):
    table = new_table(GAME, seats, seed=seats)
    table.until(Phase.OPEN, choose=always(Choice.DISCARD))
    assert table.moved.count(Choice.DISCARD) == AFFORDABLE[seats]
    assert table.moved.count(Choice.KEEP) == 0


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("keeps", range(1, 5))
def test_early_keeps_leave_the_number_of_affordable_discards_alone(new_table, seats, keeps):
    table = new_table(GAME, seats, seed=seats)

    def keep_first(state, seat, legal):
        if state.phase is not Phase.DECIDE:
            return legal[0]
        return Choice.KEEP if len(state.table) < keeps else Choice.DISCARD

    table.until(Phase.OPEN, choose=keep_first)
    assert table.moved.count(Choice.DISCARD) == AFFORDABLE[seats]


@pytest.mark.parametrize("seats", SEATS)
def test_a_forced_keep_is_bet_for_as_usual_and_nobody_is_asked(new_table, always, seats):
    table = new_table(GAME, seats, seed=seats)
    while table.referee.can_discard or table.phase is not Phase.REVEAL:
        table.once(always(Choice.DISCARD))
    for kept in range(5):
        assert not table.referee.can_discard
        assert table.phase is Phase.REVEAL
        turned = table.referee.turned
        table.once()
        assert len(table.referee.table) == kept + 1
        assert table.referee.table[-1] == turned
        assert table.referee.bets_winner is not None
        assert table.referee.decider is None
        assert table.phase is (Phase.OPEN if kept == 4 else Phase.TURN)
        if kept < 4:
            table.until(Phase.REVEAL, choose=always(Choice.DISCARD))
    assert table.referee.stock >= 0


@pytest.mark.parametrize("seats", SEATS)
def test_a_discard_is_legal_to_the_last_card_that_leaves_enough_to_turn(new_table, always, seats):
    table = new_table(GAME, seats, seed=seats)
    discard = always(Choice.DISCARD)
    last = None
    while table.phase is not Phase.OPEN:
        if table.phase is Phase.DECIDE:
            last = table.referee
        table.once(discard)
    # Once more would have left fewer cards than must still be turned.
    left = last.stock - seats - last.keeps_left
    assert 0 <= left <= seats


def test_draws_can_start_at_the_winner_of_the_bets(new_table, always):
    game = Nebraska("nebraska:family", replace(FAMILY_RULES, draw_order="winner"))
    firsts = set()
    for seed in range(10):
        table = new_table(game, 3, seed)
        table.until(Phase.DRAW, choose=always(Choice.DISCARD))
        won = table.referee.bets_winner
        firsts.add(won)
        assert table.need() == Show(tuple((Slot(1, 31 + i), (won + i) % 3) for i in range(3)))
        table.once()
        assert table.referee.hands[won][-1] == 31
    assert len(firsts) > 1


def test_cards_can_be_dealt_one_to_each_seat_in_turn(new_table):
    game = Nebraska("nebraska:family", replace(FAMILY_RULES, deal_order="card"))
    table = new_table(game, 3, seed=1)
    table.once()
    assert table.referee.hands[1] == tuple(range(1, 30, 3))
    assert [audience for _, audience in table.need().grants] == [0] * 10 + [1] * 10 + [2] * 10
    table.play()


def test_a_bet_of_a_card_that_is_not_in_the_hand_is_illegal(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.BET)
    for pos in (10, 20, 50, 103):
        with pytest.raises(Illegal) as refusal:
            step(GAME, table.referee, Moved(((0, Bet(pos)), (1, Bet(11)))))
        assert refusal.value.seat == 0


def test_a_choice_is_no_bet_and_a_bet_is_no_choice(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.BET)
    with pytest.raises(Illegal):
        step(GAME, table.referee, Moved(((0, Bet(0)), (1, Choice.KEEP))))
    table.until(Phase.DECIDE)
    seat = table.referee.decider
    with pytest.raises(Illegal):
        step(GAME, table.referee, Moved(((seat, Bet(table.referee.hands[seat][0])),)))


def test_a_bet_cannot_be_made_twice(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.BET)
    table.once(lambda state, seat, legal: legal[0])
    table.until(Phase.BET)
    with pytest.raises(Illegal):
        step(GAME, table.referee, Moved(((0, Bet(0)), (1, Bet(11)))))


def test_only_the_asked_seats_can_move(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.DECIDE)
    other = 1 - table.referee.decider
    with pytest.raises(DealerFault):
        step(GAME, table.referee, Moved(((other, Choice.KEEP),)))


def test_a_deck_of_other_cards_is_a_dealers_fault():
    with pytest.raises(DealerFault):
        step(GAME, GAME.start(2), Shuffled(tuple(range(52))))


def test_a_face_owed_to_everybody_must_be_shown(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.TURN)
    with pytest.raises(DealerFault, match="was not shown"):
        step(GAME, table.referee, Shown(table.need().grants, (None,)))


@pytest.mark.parametrize("face", [-1, 104])
def test_a_face_must_be_a_card_of_the_pack(new_table, face):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.TURN)
    with pytest.raises(DealerFault, match="no card"):
        step(GAME, table.referee, Shown(table.need().grants, (face,)))


def test_a_card_cannot_lie_in_two_slots(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.TURN)
    grants = table.need().grants
    shown_before = table.deck[0]
    with pytest.raises(DealerFault, match="elsewhere"):
        step(GAME, table.holders[0], Shown(grants, (shown_before,)))
    # Who was not shown the other slot cannot know.
    step(GAME, table.holders[1], Shown(grants, (shown_before,)))


def test_a_card_cannot_lie_twice_in_one_batch(new_table):
    table = new_table(GAME, 2, seed=1)
    table.once()
    grants = table.need().grants
    with pytest.raises(DealerFault, match="elsewhere"):
        step(GAME, table.referee, Shown(grants, (7,) * 20))


def test_a_face_cannot_change(new_table):
    table = new_table(GAME, 2, seed=1)
    table.until(Phase.REVEAL)
    grants = table.need().grants
    faces = [table.deck[slot.pos] for slot, _ in grants]
    with pytest.raises(DealerFault, match="another face"):
        step(GAME, table.referee, Shown(grants, tuple(reversed(faces))))


def test_a_bot_can_read_its_hand_by_slot_and_not_the_others(new_table):
    table = new_table(GAME, 3, seed=5)
    table.until(Phase.BET)
    me = table.holders[1]
    assert me.hand(1) == {pos: table.deck[pos] for pos in range(10, 20)}
    assert me.hand(0) == dict.fromkeys(range(10))
    assert set(me.unseen) == set(range(104)) - {table.deck[pos] for pos in (*range(10, 20), 30)}
    assert (me.keeps_left, me.target, me.deck) == (5, 4, 1)


def test_a_spectator_sees_nothing_but_what_is_shown_to_everybody(new_table):
    table = new_table(GAME, 3, seed=5)
    table.until(Phase.DRAW, choose=lambda state, seat, legal: legal[0])
    watching = table.holders[-1]
    public = {*watching.out, *watching.table}
    assert {pos for pos, card in enumerate(watching.faces) if card is not None} == public


@pytest.mark.parametrize("scoring", ["family", "expert", "poker"])
@pytest.mark.parametrize(("dealt", "keeps", "seats"), [(8, 3, 7), (2, 1, 2), (20, 15, 4)])
def test_hands_can_be_of_other_sizes(new_table, scoring, dealt, keeps, seats):
    rules = replace(
        FAMILY_RULES, scoring=scoring, dealt=dealt, keeps=keeps, targets=(2,) * (seats - 1)
    )
    table = new_table(Nebraska("nebraska:family", rules), seats, seed=6)
    table.play()
    last = table.referee.last
    assert len(last.table) == keeps
    assert {len(hand) for hand in last.hands} == {dealt - keeps}
