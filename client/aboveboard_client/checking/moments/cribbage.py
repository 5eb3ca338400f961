"""The awkward moments of cribbage."""

from typing import Any

from aboveboard_client.checking.moments.moment import Asked, History, Moment
from aboveboard_referee.games.cribbage import GO, CribbageState, Phase
from aboveboard_referee.games.cribbage.cards import VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT


def _playing(history: History) -> CribbageState | None:
    state = history[-1].state
    return state if state.phase is Phase.PLAY else None


def _discards(history: History) -> bool:
    asked = history[-1]
    return asked.state.phase is Phase.DISCARD and asked.state.dealer == asked.seat


def _blind(history: History) -> bool:
    asked = history[-1]
    hand = asked.state.hand(asked.seat)
    return asked.state.phase is Phase.DISCARD and all(card is None for _, card in hand)


def _go(history: History) -> bool:
    return history[-1].legal == (GO,)


def _nobody_can(history: History) -> bool:
    """A go after which everybody who holds cards has said it."""
    asked = history[-1]
    state = asked.state
    others = {seat for seat in range(state.seats) if seat != asked.seat and state.held[seat]}
    return _go(history) and others <= set(state.passed)


def _alone(history: History) -> bool:
    state = _playing(history)
    return state is not None and bool(state.passed) and history[-1].legal != (GO,)


def _only_play(history: History) -> bool:
    return len(history[-1].legal) == 1 and history[-1].legal != (GO,)


def _last_card(history: History) -> bool:
    state = _playing(history)
    return state is not None and state.cards_held(history[-1].seat) == 1


def _to_limit(history: History) -> bool:
    state = _playing(history)
    if state is None:
        return False
    faces = [card for _, card in state.hand(history[-1].seat) if card is not None]
    return any(state.total + VALUE[card] == LIMIT for card in faces)


def _ends_deal(last: Asked, final: Any) -> bool:
    """The match was won by points, in the deal of the last question."""
    return final.phase is Phase.OVER and last.state.deal == final.deal


def _won_pegging(last: Asked, final: Any) -> bool:
    return _ends_deal(last, final) and any(final.held)


def _won_counting(last: Asked, final: Any) -> bool:
    """After the last card, and before the crib was turned."""
    unseen = any(final.faces[position] is None for position in final.crib)
    return _ends_deal(last, final) and not any(final.held) and unseen


MOMENTS = (
    Moment("cribbage", "dealers-discard", "lays away into its own crib", _discards),
    Moment(
        "cribbage",
        "blind-discard",
        "lays away before it has seen a card",
        _blind,
        rule_sets=("cribbage:source",),
    ),
    Moment("cribbage", "go", "holds no card that fits and has to say go", _go),
    Moment("cribbage", "nobody-can-go-on", "says the go after which nobody can play", _nobody_can),
    Moment("cribbage", "plays-on-alone", "plays after another seat has said go", _alone),
    Moment("cribbage", "one-legal-play", "has one legal move, and it is a card", _only_play),
    Moment("cribbage", "last-card", "is asked for the last card of its hand", _last_card),
    Moment("cribbage", "thirty-one", "holds a card that makes 31", _to_limit),
    Moment(
        "cribbage",
        "won-while-pegging",
        "answers, and the match is won before all cards are played",
        at_end=_won_pegging,
    ),
    Moment(
        "cribbage",
        "won-while-counting",
        "answers, and a hand wins the match before the crib is counted",
        at_end=_won_counting,
    ),
)
