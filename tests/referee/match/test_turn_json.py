"""A turn as JSON: all of what its seat knows, in plain values, and not one face more.

A random match of every rule set and number of seats is played by the omniscient machine
and every seat's in lockstep; some of the decisions on the way are rendered for each seat.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Decide, Happened, Over, Seat, Shown, Slot
from aboveboard_referee.games.step import step
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.turn_json import json_bytes, turn_json
from tests.fakes.matches import TABLES
from tests.fakes.table import OMNISCIENT, SPECTATOR, Dealer, Holder, Table

DECISIONS = 40
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


class Moment:
    """One decision: what every holder had been fed by then, and its state."""

    def __init__(self, table: Table) -> None:
        self.game = table.game
        self.states = dict(table.states)
        self.needs: dict[Holder, Decide[Any]] = table.needs()
        self.fed = {holder: len(events) for holder, events in table.happened.items()}
        self.seats = self.needs[SPECTATOR].seats

    def turn(self, seat: Seat) -> Turn:
        own = Holder(seat)
        legal = self.needs[own].of(seat)
        return Turn(self.game, self.states[own], seat, legal, left_us=7_000_000, asked=9)


def turn_bytes(turn: Turn) -> bytes:
    return json_bytes(turn_json(turn))


@cache
def history(name: str, seats: int) -> tuple[Table, list[Moment]]:
    """A random match up to its end or its ``DECISIONS``th decision."""
    random = Random(f"turns {name} {seats}")
    table = Table(registry.game(name), seats, Dealer(seed=seats))
    moments: list[Moment] = []
    while len(moments) < DECISIONS and not isinstance(need := table.deal(), Over):
        moments.append(Moment(table))
        table.move(*((seat, random.choice(moves)) for seat, moves in need.legal))
    return table, moments


def turns(name: str, seats: int) -> Iterator[Turn]:
    for moment in history(name, seats)[1]:
        for seat in moment.seats:
            yield moment.turn(seat)


def plain(value: object) -> bool:
    """Whether ``value`` is made of JSON's own kinds alone, and nothing that looks like them."""
    if type(value) is dict:
        return all(type(key) is str and plain(one) for key, one in value.items())
    if type(value) is list:
        return all(map(plain, value))
    return value is None or type(value) in (str, int, bool)


@every_table
def test_a_turn_is_plain_json_and_comes_back_from_its_bytes_as_it_was(
    name: str, seats: int
) -> None:
    for turn in turns(name, seats):
        rendered = turn_json(turn)
        assert plain(rendered)
        data = turn_bytes(turn)
        assert b"\n" not in data
        assert json.loads(data.decode()) == rendered
        assert list(json.loads(data)) == list(rendered)


@every_table
def test_a_turn_names_its_game_its_seat_and_its_legal_moves_in_their_notation(
    name: str, seats: int
) -> None:
    for turn in turns(name, seats):
        rendered = turn_json(turn)
        assert rendered["game"] == name
        assert (rendered["seat"], rendered["asked"], rendered["left_us"]) == (
            turn.seat,
            9,
            7_000_000,
        )
        assert rendered["legal"] == [turn.game.encode(move) for move in turn.legal]
        assert [turn.game.decode(text) for text in rendered["legal"]] == list(turn.legal)
        assert rendered["rules"]["version"] == turn.game.rules.version


@every_table
def test_every_game_says_its_phase_its_seats_and_who_is_to_move(name: str, seats: int) -> None:
    for moment in history(name, seats)[1]:
        for holder, state in moment.states.items():
            described = moment.game.describe(state)
            assert described["seats"] == seats
            assert described["to_move"] == list(moment.needs[holder].seats)
            assert described["phase"].isascii()
            assert described["phase"].replace("_", "").isalpha()


@every_table
def test_a_state_can_be_described_at_every_event_also_while_nobody_is_asked(
    name: str, seats: int
) -> None:
    table, moments = history(name, seats)
    for holder in (Holder(0), SPECTATOR):
        state = table.game.start(seats)
        for event in (None, *table.happened[holder][: moments[12 % len(moments)].fed[holder]]):
            state = state if event is None else step(table.game, state, event)
            described = table.game.describe(state)
            assert plain(described)
            need = table.game.need(state)
            assert described["to_move"] == (list(need.seats) if isinstance(need, Decide) else [])


@every_table
def test_equal_states_are_described_by_equal_bytes(name: str, seats: int) -> None:
    table, moments = history(name, seats)
    for moment in moments[:: len(moments) // 6 or 1]:
        for seat in moment.seats:
            own = Holder(seat)
            again = refed(table, table.happened[own][: moment.fed[own]])
            assert again == moment.states[own]
            assert turn_bytes(replace(moment.turn(seat), state=again)) == turn_bytes(
                moment.turn(seat)
            )


def refed(table: Table, events: list[Happened[Any]]) -> Any:
    state = table.game.start(table.seats)
    for event in events:
        state = step(table.game, state, event)
    return state


# --- What a seat may not know -----------------------------------------------------------------


class Exchanged(Dealer):
    """The same decks, with cards exchanged in slots that one holder was not shown."""

    def __init__(self, dealer: Dealer, seen: set[Slot], seed: int) -> None:
        super().__init__()
        random = Random(seed)
        for number, order in enumerate(dealer._decks, start=1):
            hidden = [pos for pos in range(len(order)) if Slot(number, pos) not in seen]
            moved = [order[pos] for pos in hidden]
            random.shuffle(moved)
            cards = list(order)
            for pos, card in zip(hidden, moved, strict=True):
                cards[pos] = card
            self._decks.append(tuple(cards))


def dealt_anew(dealer: Dealer, holder: Holder, event: Happened[Any]) -> Happened[Any]:
    """The event as ``holder`` would be fed it by another dealer."""
    if not isinstance(event, Shown):
        return event
    faces = tuple(dealer.face(slot) if holder.sees(to) else None for slot, to in event.grants)
    return Shown(event.grants, faces)


def shown(events: list[Happened[Any]]) -> set[Slot]:
    """The slots whose faces somebody who was fed these events has seen."""
    return {
        slot
        for event in events
        if isinstance(event, Shown)
        for (slot, _), face in zip(event.grants, event.faces, strict=True)
        if face is not None
    }


@every_table
def test_a_turn_stays_the_same_whatever_the_faces_that_its_seat_was_not_shown(
    name: str, seats: int
) -> None:
    table, moments = history(name, seats)
    for number, moment in enumerate(moments[:: len(moments) // 8 or 1]):
        for seat in moment.seats:
            own = Holder(seat)
            fed = table.happened[own][: moment.fed[own]]
            other = Exchanged(table.dealer, shown(fed), number)
            assert other._decks != table.dealer._decks
            state = refed(table, [dealt_anew(other, own, event) for event in fed])
            assert turn_bytes(replace(moment.turn(seat), state=state)) == turn_bytes(
                moment.turn(seat)
            )


@every_table
def test_exchanged_faces_are_told_to_whoever_was_shown_them(name: str, seats: int) -> None:
    table, moments = history(name, seats)
    events = table.happened[OMNISCIENT]
    # Before it nobody chose by a card, so any cards lead there.
    first = next(moment for moment in moments if shown(events[: moment.fed[OMNISCIENT]]))
    fed = events[: first.fed[OMNISCIENT]]
    other = Exchanged(table.dealer, set(), seats)
    state = refed(table, [dealt_anew(other, OMNISCIENT, event) for event in fed])
    assert table.game.describe(state) != table.game.describe(first.states[OMNISCIENT])


@pytest.mark.parametrize(("name", "seats"), [table for table in TABLES if table[0] != "allegra"])
def test_a_seat_reads_its_own_hand_and_no_other(name: str, seats: int) -> None:
    for moment in history(name, seats)[1]:
        for seat in moment.seats:
            told = moment.game.describe(moment.states[Holder(seat)])
            # Which lays away before it looks.
            blind = (name, told["phase"]) == ("cribbage:source", "discard")
            for other, hand in enumerate(told["hands"]):
                assert {face is not None for face in hand.values()} <= {other == seat and not blind}
