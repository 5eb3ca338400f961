"""The awkward moments of each game: what they are, and how one knows that a bot is in one.

A moment is recognised from what its seat was asked so far in a match, the newest question
last, or from how the match ended once no question is left.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aboveboard_referee.games.allegra.notation import Move, Verb
from aboveboard_referee.games.allegra.state import Phase as AllegraPhase
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.cribbage import GO, CribbageState
from aboveboard_referee.games.cribbage import Phase as CribbagePhase
from aboveboard_referee.games.cribbage.cards import VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT
from aboveboard_referee.games.nebraska import Phase as NebraskaPhase
from aboveboard_referee.games.registry import AnyGame


@dataclass(frozen=True)
class Asked:
    """A question to a seat, and what was answered; None while that is open."""

    game: AnyGame
    state: Any
    seat: Seat
    legal: tuple[Any, ...]
    move: Any = None


History = Sequence[Asked]
"""What a seat was asked in a match, oldest first; never empty."""


@dataclass(frozen=True)
class Moment:
    """``name`` is unique in its family; ``told`` says what it is, for a person.

    A moment that is ``at_end`` is recognised by the last question and by the final state as
    everybody sees it, any other by the questions alone.
    """

    family: str
    name: str
    told: str
    met: Callable[[History], bool] = lambda _history: False
    at_end: Callable[[Asked, Any], bool] | None = None
    rule_sets: tuple[str, ...] = ()  # those that know it; empty: all of the family
    fewest: int = 2  # seats that it takes

    def applies(self, game: AnyGame, seats: int) -> bool:
        return (
            game.name.split(":")[0] == self.family
            and (not self.rule_sets or game.name in self.rule_sets)
            and seats >= self.fewest
        )


def met_now(history: History, seats: int) -> list[str]:
    """The moments that the newest question is."""
    game = history[-1].game
    return [m.name for m in MOMENTS if m.applies(game, seats) and m.met(history)]


def met_at_end(last: Asked, final: Any, seats: int) -> list[str]:
    """The moments that a match was which ended in ``final``, its state for everybody."""
    return [
        m.name
        for m in MOMENTS
        if m.at_end and m.applies(last.game, seats) and m.at_end(last, final)
    ]


# --- Cribbage ------------------------------------------------------------------------------


def _playing(history: History) -> CribbageState | None:
    state = history[-1].state
    return state if state.phase is CribbagePhase.PLAY else None


def _discards(history: History) -> bool:
    asked = history[-1]
    return asked.state.phase is CribbagePhase.DISCARD and asked.state.dealer == asked.seat


def _blind(history: History) -> bool:
    asked = history[-1]
    hand = asked.state.hand(asked.seat)
    return asked.state.phase is CribbagePhase.DISCARD and all(card is None for _, card in hand)


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
    return final.phase is CribbagePhase.OVER and last.state.deal == final.deal


def _won_pegging(last: Asked, final: Any) -> bool:
    return _ends_deal(last, final) and any(final.held)


def _won_counting(last: Asked, final: Any) -> bool:
    """After the last card, and before the crib was turned."""
    unseen = any(final.faces[position] is None for position in final.crib)
    return _ends_deal(last, final) and not any(final.held) and unseen


_CRIBBAGE = (
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


# --- Nebraska ------------------------------------------------------------------------------


def _betting(history: History) -> bool:
    return history[-1].state.phase is NebraskaPhase.BET


def _forced_keep(history: History) -> bool:
    return _betting(history) and not history[-1].state.can_discard


def _deciding(history: History) -> bool:
    return history[-1].state.phase is NebraskaPhase.DECIDE


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


_NEBRASKA = (
    Moment("nebraska", "forced-keep", "bets for a card that will be kept anyway", _forced_keep),
    Moment("nebraska", "keep-or-discard", "has won the bets and decides", _deciding),
    Moment("nebraska", "keep-ends-the-hand", "decides, and a keep ends the hand", _keep_ends),
    Moment("nebraska", "last-discard", "can discard for the last time in a hand", _last_discard),
    Moment("nebraska", "new-deck", "bets in a hand from a fresh deck", _new_deck),
    Moment("nebraska", "game-point", "bets while a seat lacks one win", _at_point),
)


# --- Allegra -------------------------------------------------------------------------------


def _phase(*phases: AllegraPhase) -> Callable[[History], bool]:
    return lambda history: history[-1].state.phase in phases


def _refused(history: History) -> bool:
    """It knocked, and was not given the card: its next question is another one."""
    if len(history) < 2:
        return False
    before, now = history[-2], history[-1]
    return before.move == Move(Verb.KNOCK) and now.state.phase is not AllegraPhase.PLACE


def _reshuffled(history: History) -> bool:
    now = history[-1].state
    return any(
        asked.state.round == now.round and asked.state.decks < now.decks for asked in history[:-1]
    )


def _final(history: History) -> bool:
    state = history[-1].state
    return state.phase is AllegraPhase.TURN and state.is_final


def _gap(history: History) -> bool:
    state = history[-1].state
    return state.phase is AllegraPhase.TURN and len(state.occupied(history[-1].seat)) < 15


def _nothing_to_turn(history: History) -> bool:
    return Move(Verb.DISCARD) in history[-1].legal


def _out_of_turns(history: History) -> bool:
    asked = history[-1]
    last = asked.game.rules.turn_cap * asked.state.seats - 1  # type: ignore[attr-defined]  # Allegra's
    return asked.state.phase is AllegraPhase.TURN and asked.state.turns == last


_ALLEGRA = (
    Moment("allegra", "set-up", "turns its first two cells", _phase(AllegraPhase.SET_UP)),
    Moment("allegra", "may-knock", "may knock for a card", _phase(AllegraPhase.KNOCK)),
    Moment("allegra", "knock-refused", "goes on after its knock was refused", _refused),
    Moment("allegra", "give-or-decline", "has drawn what others want", _phase(AllegraPhase.CHOICE)),
    Moment("allegra", "knock-given", "was given what it knocked for", _phase(AllegraPhase.PLACE)),
    Moment("allegra", "gift-exchanged", "picks a card for its gift", _phase(AllegraPhase.PICK)),
    Moment("allegra", "gift-put-down", "puts that card down", _phase(AllegraPhase.PUT)),
    Moment("allegra", "reshuffled", "plays on from the reshuffled discards", _reshuffled),
    Moment("allegra", "final-turn", "takes its last turn of a round", _final),
    Moment("allegra", "gap", "has a gap where a line was removed", _gap),
    Moment("allegra", "nothing-to-turn", "may discard without a cell to turn", _nothing_to_turn),
    Moment("allegra", "out-of-turns", "takes the turn after which a round is cut", _out_of_turns),
)

MOMENTS: Final = (*_CRIBBAGE, *_NEBRASKA, *_ALLEGRA)
"""All of them; a name is unique among those of a family."""

AROUND: Final = {
    "whole-match": "plays a match from its first question to its end",
    "seat-out": "is asked while autopilot plays for a seat that is out",
    "seat-fails-beside": "answers a question that another seat fails at",
    "reconnected": "goes on after its connection broke",
    "restarted": "goes on in a new process, in the middle of a match",
    "two-matches": "plays two matches by turns",
}
"""What does not follow from the rules of a game, but from what happens around a match."""


def told(name: str, family: str) -> str:
    """What a moment is, for a person."""
    for moment in MOMENTS:
        if (moment.family, moment.name) == (family, name):
            return moment.told
    return AROUND[name]
