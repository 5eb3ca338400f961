"""The awkward moments of Nebraska."""

from aboveboard_client.checking.moments.moment import History, Moment
from aboveboard_referee.games.nebraska import Phase


def _betting(history: History) -> bool:
    return history[-1].state.phase is Phase.BET


def _forced_keep(history: History) -> bool:
    return _betting(history) and not history[-1].state.can_discard


def _deciding(history: History) -> bool:
    return history[-1].state.phase is Phase.DECIDE


def _keep_ends(history: History) -> bool:
    return _deciding(history) and history[-1].state.keeps_left == 1


def _last_discard(history: History) -> bool:
    state = history[-1].state
    left = state.stock - state.seats - 1
    return _deciding(history) and left < state.seats + state.keeps_left


def _new_deck(history: History) -> bool:
    return (
        _betting(history) and len(history) > 1 and history[-2].state.deck < history[-1].state.deck
    )


def _at_point(history: History) -> bool:
    state = history[-1].state
    return _betting(history) and state.target - 1 in state.wins


MOMENTS = (
    Moment("nebraska", "forced-keep", "bets for a card that will be kept anyway", _forced_keep),
    Moment("nebraska", "keep-or-discard", "has won the bets and decides", _deciding),
    Moment("nebraska", "keep-ends-the-hand", "decides, and a keep ends the hand", _keep_ends),
    Moment("nebraska", "last-discard", "can discard for the last time in a hand", _last_discard),
    Moment("nebraska", "new-deck", "bets in a hand from a fresh deck", _new_deck),
    Moment("nebraska", "game-point", "bets while a seat lacks one win", _at_point),
)
