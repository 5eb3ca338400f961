"""The laws of the game contract, for every registered rule set and number of seats.

A match of random legal moves is played once for each, by an omniscient machine, every
seat's and a spectator's in lockstep; the tests look at what was met on the way.
"""

from dataclasses import fields, is_dataclass
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import (
    DealerFault,
    Decide,
    Foul,
    Happened,
    Illegal,
    Moved,
    Over,
    Show,
    Shown,
    Shuffle,
    Shuffled,
)
from aboveboard_referee.games.step import step
from tests.fakes.matches import MOST_EVENTS, NAMES, TABLES, played, some
from tests.fakes.table import OMNISCIENT, SPECTATOR, Dealer, Holder, Table

every_game = pytest.mark.parametrize("name", NAMES)
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


# --- The flow of a match ---------------------------------------------------------------


@every_table
def test_a_random_match_ends_with_one_result_for_every_holder(name: str, seats: int) -> None:
    match = played(name, seats)
    assert isinstance(match.end, Over)
    sides = match.table.game.sides(seats)
    assert len(match.end.score) == len(match.end.rank) == len(sides)
    ranks = match.end.rank
    assert ranks == tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


@every_table
def test_the_score_so_far_begins_at_nothing_and_ends_as_the_result(name: str, seats: int) -> None:
    table = played(name, seats).table
    game, end = table.game, played(name, seats).end
    assert set(game.scores(game.start(seats))) == {0}
    assert {game.scores(state) for state in table.states.values()} == {end.score}


@every_table
def test_every_seat_belongs_to_one_side(name: str, seats: int) -> None:
    sides = registry.game(name).sides(seats)
    assert sorted(seat for side in sides for seat in side) == list(range(seats))


@every_table
def test_no_match_needs_more_shuffles_than_its_game_proves(name: str, seats: int) -> None:
    bound = registry.game(name).max_shuffles(seats)
    assert played(name, seats).table.dealer.decks <= bound <= 1023


@every_game
def test_seats_that_the_game_does_not_know_are_refused(name: str) -> None:
    game = registry.game(name)
    for seats in (game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(ValueError, match=r".+"):
            game.start(seats)


@every_table
def test_an_owed_deck_lists_distinct_cards_in_ascending_order(name: str, seats: int) -> None:
    for _, _, need in played(name, seats).states:
        if isinstance(need, Shuffle):
            assert need.cards
            assert all(low < high for low, high in pairwise(need.cards))


@every_table
def test_only_slots_of_dealt_decks_are_shown_and_none_twice_in_a_batch(
    name: str, seats: int
) -> None:
    sizes: list[int] = []
    for _, _, need in played(name, seats).states:
        match need:
            case Shuffle(cards, _):
                sizes.append(len(cards))
            case Show(grants):
                assert grants
                assert len(set(grants)) == len(grants)
                assert all(0 <= slot.pos < sizes[slot.deck - 1] for slot, _ in grants)
                assert all(to is None or 0 <= to < seats for _, to in grants)


@every_table
def test_no_face_of_a_deck_is_owed_once_it_is_said_to_hold_no_secret(name: str, seats: int) -> None:
    dealt = closed = 0
    for _, _, need in played(name, seats).states:
        match need:
            case Shuffle(_, closes):
                closed = dealt if closes else closed
                dealt += 1
            case Show(grants):
                assert all(slot.deck > closed for slot, _ in grants)


# --- What may be done --------------------------------------------------------------------


@every_table
def test_a_seat_knows_its_legal_moves_and_others_a_superset(name: str, seats: int) -> None:
    for needs in played(name, seats).decisions:
        for seat, exact in needs[OMNISCIENT].legal:
            assert needs[Holder(seat)].of(seat) == exact
            for holder in needs:
                assert set(needs[holder].of(seat)) >= set(exact)


@every_table
def test_legal_moves_are_sorted_by_notation_without_repetition(name: str, seats: int) -> None:
    game = registry.game(name)
    for needs in played(name, seats).decisions:
        for need in needs.values():
            assert need.legal
            assert all(low < high for low, high in pairwise(need.seats))
            for _, moves in need.legal:
                texts = [game.encode(move) for move in moves]
                assert texts
                assert all(low < high for low, high in pairwise(texts))


@every_table
def test_a_lone_seat_is_asked_only_where_somebody_sees_a_choice(name: str, seats: int) -> None:
    for needs in played(name, seats).decisions:
        if len(needs[SPECTATOR].seats) == 1:
            ((_, moves),) = needs[SPECTATOR].legal
            assert len(moves) > 1


# --- States --------------------------------------------------------------------------------


@every_table
def test_the_same_events_lead_every_holder_to_the_same_state(name: str, seats: int) -> None:
    table = played(name, seats).table
    for holder in table.holders:
        state = table.game.start(seats)
        for event in table.happened[holder]:
            state = step(table.game, state, event)
        assert state == table.states[holder]
        assert hash(state) == hash(table.states[holder])


@every_table
def test_states_and_needs_cannot_be_changed(name: str, seats: int) -> None:
    for state, _, need in some(played(name, seats).states, 20):
        for value in (state, need):
            hash(value)
            names = [f.name for f in fields(value)] if is_dataclass(value) else value._fields
            for attribute in names:
                with pytest.raises(AttributeError):
                    setattr(value, attribute, None)


@every_table
def test_a_refused_event_leaves_the_state_as_it_was(name: str, seats: int) -> None:
    match = played(name, seats)
    game = match.table.game
    pool = {
        move for needs in match.decisions for _, moves in needs[OMNISCIENT].legal for move in moves
    }
    foreign = sorted(pool, key=game.encode)
    for state, before, need in some(match.states, 60):
        for event in wrong_events(need, foreign):
            with pytest.raises((DealerFault, Illegal)):
                step(game, state, event)
        assert hash(state) == before
        assert game.need(state) == need


def wrong_events(need: Any, foreign: list[Any]) -> list[Happened[Any]]:
    """Events that are not the one owed, or not as it is owed."""
    shuffled, shown, moved = Shuffled((0, 1, 2)), Shown((), ()), Moved(((0, foreign[0]),))
    match need:
        case Shuffle(cards, _):
            return [Shuffled(cards[1:]), Shuffled(cards[::-1]), shown, moved]
        case Show(grants):
            faces = (None,) * len(grants)
            too_many = Shown((*grants, grants[0]), (*faces, None))
            return [
                Shown(grants[1:], faces[1:]),
                Shown(grants, faces[1:]),
                too_many,
                shuffled,
                moved,
            ]
        case Decide(legal, _):
            honest = tuple((seat, moves[0]) for seat, moves in legal)
            wrong: list[Happened[Any]] = [Moved(honest[1:]), Moved((*honest, honest[0]))]
            for index, (seat, moves) in enumerate(legal):
                for move in [move for move in foreign if move not in moves][:5]:
                    wrong.append(Moved((*honest[:index], (seat, move), *honest[index + 1 :])))
            return [*wrong, shuffled, shown]
    raise AssertionError(f"nothing can be wrong where {need} is owed")


@every_table
def test_an_illegal_move_is_refused_with_the_seat_that_made_it(name: str, seats: int) -> None:
    match = played(name, seats)
    game = match.table.game
    pool = {
        move for needs in match.decisions for _, moves in needs[OMNISCIENT].legal for move in moves
    }
    for state, _, need in some(
        [entry for entry in match.states if isinstance(entry[2], Decide)], 40
    ):
        for index, (seat, moves) in enumerate(need.legal):
            illegal = sorted(pool - set(moves), key=game.encode)[:3]
            honest = [(other, options[0]) for other, options in need.legal]
            for move in illegal:
                event = Moved((*honest[:index], (seat, move), *honest[index + 1 :]))
                with pytest.raises(Illegal) as refusal:
                    step(game, state, event)
                assert refusal.value.seat == seat


@every_table
def test_faces_that_no_honest_deck_has_are_the_dealers_fault(name: str, seats: int) -> None:
    match = played(name, seats)
    game = match.table.game
    shows = [entry for entry in match.states if isinstance(entry[2], Show)]
    for state, _, need in some(shows, 30):
        faces = match.table.dealer.show(need, OMNISCIENT).faces
        forged = [(10_000, *faces[1:]), (-1, *faces[1:])]
        if (
            len({slot for slot, _ in need.grants}) > 1
            and len({s.deck for s, _ in need.grants}) == 1
        ):
            forged.append((faces[-1], *faces[1:]))
        if need.grants[0][1] is None:
            forged.append((None, *faces[1:]))
        for wrong in forged:
            with pytest.raises(DealerFault):
                step(game, state, Shown(need.grants, wrong))


# --- Fouls -----------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("seed", range(4))
def test_a_lie_is_refused_by_those_who_know_and_found_by_those_who_do_not(
    name: str, seats: int, seed: int
) -> None:
    random = Random(seed)
    if all_exact(name, seats):
        return  # everybody knows what everybody may do, so nobody can lie
    table = Table(registry.game(name), seats, Dealer(seed))
    lie = honest_until_lie(table, random)
    assert lie is not None
    liar, moves = lie
    for holder in (OMNISCIENT, Holder(liar)):
        before = table.states[holder]
        with pytest.raises(Illegal) as refusal:
            table.feed(holder, Moved(moves))
        assert refusal.value.seat == liar
        assert table.states[holder] is before
        table.leave(holder)
    suspect = [moved_so_far(table)]
    table.move(*moves)
    while isinstance(table.deal(), Decide):
        assert len(table.happened[SPECTATOR]) < MOST_EVENTS
        needs = table.needs()
        asked = needs[SPECTATOR].seats
        if liar in asked:
            suspect.append(moved_so_far(table))
        knowing = {seat: SPECTATOR if seat == liar else Holder(seat) for seat in asked}
        table.move(*((seat, random.choice(needs[knowing[seat]].of(seat))) for seat in asked))
    foul = table.need()
    assert isinstance(foul, Foul), "the match was played out over a lie"
    assert foul.seat == liar
    assert foul.moved in suspect
    with pytest.raises(DealerFault):
        table.move((liar, moves[0][1]))


def all_exact(name: str, seats: int) -> bool:
    return all(
        needs[SPECTATOR].legal == needs[OMNISCIENT].legal for needs in played(name, seats).decisions
    )


def honest_until_lie(table: Table, random: Random) -> tuple[int, tuple[Any, ...]] | None:
    """Play on until a seat could lie and does; its seat and all moves of that decision."""
    while isinstance(need := table.deal(), Decide):
        believed = table.needs()[SPECTATOR]
        honest = [(seat, random.choice(moves)) for seat, moves in need.legal]
        for index, (seat, exact) in enumerate(need.legal):
            lies = [move for move in believed.of(seat) if move not in exact]
            if lies and random.random() < 0.3:
                honest[index] = (seat, random.choice(lies))
                return seat, tuple(honest)
        table.move(*honest)
    return None


def moved_so_far(table: Table) -> int:
    return sum(isinstance(event, Moved) for event in table.happened[SPECTATOR])
