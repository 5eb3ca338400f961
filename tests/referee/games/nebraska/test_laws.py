"""Laws of whole games, played at random by every kind of holder in lockstep."""

import random
import time
from collections import Counter

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Over, Show, Shown
from aboveboard_referee.games.nebraska import FAMILY_RULES, Choice, Nebraska, Phase, State
from aboveboard_referee.games.step import step

NAMES = ("nebraska:family", "nebraska:expert", "nebraska:poker")
SEATS = range(2, 8)


def check_table(state: State) -> None:
    """Each of the 104 positions is in one place, and sizes fit what has been kept."""
    if state.phase in (Phase.SHUFFLE, Phase.OVER):
        return
    places = [pos for hand in state.hands for pos in hand]
    places += [*state.table, *state.out, *range(state.top, 104)]
    places += [] if state.turned is None else [state.turned]
    assert sorted(places) == list(range(104))
    assert all(list(hand) == sorted(hand) for hand in state.hands)
    kept = len(state.table)
    assert kept + state.keeps_left == 5
    assert {len(hand) for hand in state.hands} == {
        10 - kept - (state.phase in (Phase.DECIDE, Phase.DRAW))
    }
    shown = [card for card in state.faces if card is not None]
    assert len(shown) == len(set(shown))
    assert len(state.unseen) == 104 - len(shown)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", SEATS)
def test_random_games_keep_all_cards_and_end_in_order(new_table, name, seats):
    game = registry.game(name)
    table = new_table(game, seats, seed=seats)
    while table.phase is not Phase.OVER:
        table.once()
        check_table(table.referee)
        hash(table.referee)
    over = table.need()
    assert isinstance(over, Over)
    state = table.referee
    assert sum(state.wins) == state.deck <= game.max_shuffles(seats)
    assert over.score == state.wins
    assert Counter(over.rank)[1] == 1
    assert over.score[over.rank.index(1)] == max(over.score) == state.target
    assert all(holder.last == state.last for holder in table.holders)
    assert all(holder.points == state.points for holder in table.holders)


@pytest.mark.parametrize("seats", SEATS)
def test_a_bet_round_happens_exactly_for_each_keep_and_discard(new_table, seats):
    table = new_table(Nebraska("nebraska:family", FAMILY_RULES), seats, seed=seats)
    table.until(Phase.OPEN)
    discards = table.moved.count(Choice.DISCARD)
    assert len(table.referee.out) == seats * (5 + discards) + discards
    assert table.referee.top == seats * 10 + 5 + discards * (seats + 1)


@pytest.mark.parametrize("seats", SEATS)
def test_the_bound_on_shuffles_is_met_and_not_passed(new_table, always, seats):
    """Play on from every hand whose win leaves all others room, else deal that hand anew."""
    game = registry.game("nebraska:family")
    table = new_table(game, seats, seed=seats, alone=True)
    target = table.referee.target
    while table.phase is not Phase.OVER:
        before = table.referee
        table.until(Phase.SHUFFLE, Phase.OVER, choose=always(Choice.KEEP))
        others = [
            wins for seat, wins in enumerate(before.wins) if seat != table.referee.last.winner
        ]
        if table.phase is Phase.OVER and any(wins < target - 1 for wins in others):
            table.referee = before
    assert table.referee.deck == game.max_shuffles(seats)


@pytest.mark.parametrize("seats", SEATS)
def test_faces_that_a_seat_was_not_shown_change_nothing_that_it_holds(new_table, seats):
    """The unseen cards are dealt anew under a seat's eyes, and its state stays the same."""
    game = registry.game("nebraska:family")
    table = new_table(game, seats, seed=9)
    table.until(Phase.BET)
    me = table.holders[0]
    hidden = [pos for pos in range(104) if me.faces[pos] is None]
    other = list(table.deck)
    for pos, card in zip(hidden, random.Random(3).sample([other[p] for p in hidden], len(hidden))):
        other[pos] = card
    assert other != table.deck
    replay = new_table(game, seats, seed=9)
    replay.once()
    replay.deck = other
    replay.until(Phase.BET)
    assert replay.holders[0] == me
    assert replay.holders[-1] == table.holders[-1]
    assert replay.referee != table.referee


def test_a_refused_event_leaves_the_state_as_it_was(new_table):
    game = registry.game("nebraska:poker")
    table = new_table(game, 2, seed=1)
    table.until(Phase.TURN)
    before = table.referee
    need = game.need(before)
    assert isinstance(need, Show)
    for faces in ((None,), (104,), (table.deck[0],)):
        with pytest.raises(Exception, match="position 20"):
            step(game, before, Shown(need.grants, faces))
        assert table.referee == before
        assert game.need(before) == need


@pytest.mark.slow
def test_a_hundred_random_games_of_two_seats_take_seconds_not_minutes(new_table, record_property):
    game = registry.game("nebraska:family")
    began = time.process_time()
    for seed in range(100):
        new_table(game, 2, seed, alone=True).play()
    rate = 100 / (time.process_time() - began)
    record_property("games_per_second", round(rate, 1))
    assert rate > 10
