"""The awkward moments of Allegra."""

from collections.abc import Callable

from aboveboard_client.checking.moments.moment import History, Moment
from aboveboard_referee.games.allegra.notation import Move, Verb
from aboveboard_referee.games.allegra.state import Phase


def _phase(*phases: Phase) -> Callable[[History], bool]:
    return lambda history: history[-1].state.phase in phases


def _refused(history: History) -> bool:
    """It knocked, and was not given the card: its next question is another one."""
    if len(history) < 2:
        return False
    before, now = history[-2], history[-1]
    return before.move == Move(Verb.KNOCK) and now.state.phase is not Phase.PLACE


def _reshuffled(history: History) -> bool:
    now = history[-1].state
    return any(
        asked.state.round == now.round and asked.state.decks < now.decks for asked in history[:-1]
    )


def _final(history: History) -> bool:
    state = history[-1].state
    return state.phase is Phase.TURN and state.is_final


def _gap(history: History) -> bool:
    state = history[-1].state
    return state.phase is Phase.TURN and len(state.occupied(history[-1].seat)) < 15


def _nothing_to_turn(history: History) -> bool:
    return Move(Verb.DISCARD) in history[-1].legal


def _out_of_turns(history: History) -> bool:
    asked = history[-1]
    last = asked.game.rules.turn_cap * asked.state.seats - 1  # type: ignore[attr-defined]  # Allegra's
    return asked.state.phase is Phase.TURN and asked.state.turns == last


MOMENTS = (
    Moment("allegra", "set-up", "turns its first two cells", _phase(Phase.SET_UP)),
    Moment("allegra", "may-knock", "may knock for a card", _phase(Phase.KNOCK)),
    Moment("allegra", "knock-refused", "goes on after its knock was refused", _refused),
    Moment("allegra", "give-or-decline", "has drawn what others want", _phase(Phase.CHOICE)),
    Moment("allegra", "knock-given", "was given what it knocked for", _phase(Phase.PLACE)),
    Moment("allegra", "gift-exchanged", "picks a card for its gift", _phase(Phase.PICK)),
    Moment("allegra", "gift-put-down", "puts that card down", _phase(Phase.PUT)),
    Moment("allegra", "reshuffled", "plays on from the reshuffled discards", _reshuffled),
    Moment("allegra", "final-turn", "takes its last turn of a round", _final),
    Moment("allegra", "gap", "has a gap where a line was removed", _gap),
    Moment("allegra", "nothing-to-turn", "may discard without a cell to turn", _nothing_to_turn),
    Moment("allegra", "out-of-turns", "takes the turn after which a round is cut", _out_of_turns),
)
