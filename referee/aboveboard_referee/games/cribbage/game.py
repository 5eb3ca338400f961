"""Cribbage as a state machine over slots: what is owed, and every transition.

    SHUFFLE ─► HANDS ─► DISCARD ─► STARTER ─► PLAY ⇄ FACE ─► CRIB ─► SHUFFLE …
           └► DISCARD ─► HANDS ─┘                                 (look_first is false)

Any phase that scores may end the match: at once, or after PROOF if seats said go in
this deal and still hold the cards. FACE and PROOF may lead to FOUL instead.
"""

from typing import Any

from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Foul,
    Game,
    Grant,
    Moved,
    Over,
    Seat,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.cribbage import notation, turns
from aboveboard_referee.games.cribbage.as_json import as_json
from aboveboard_referee.games.cribbage.cards import DECK, JACK, RANK, card_text
from aboveboard_referee.games.cribbage.notation import CribbageMove, Discard, Go, Play, discards
from aboveboard_referee.games.cribbage.rules import (
    SEATS,
    CribbageRules,
    cards_needed,
    max_shuffles,
    sides,
)
from aboveboard_referee.games.cribbage.show import score_hand
from aboveboard_referee.games.cribbage.state import CribbageState, Phase, learn


class CribbageGame:
    """One rule set of cribbage; fulfils ``games.contract.Game``."""

    def __init__(self, name: str, rules: CribbageRules) -> None:
        self._name = name
        self._rules = rules

    @property
    def name(self) -> str:
        return self._name

    @property
    def rules(self) -> CribbageRules:
        return self._rules

    @property
    def seats(self) -> range:
        return SEATS

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        return sides(self._rules, _checked(seats))

    def max_shuffles(self, seats: int) -> int:
        """See ``rules.max_shuffles`` for the proof of the bound."""
        return max_shuffles(self._rules, _checked(seats))

    def start(self, seats: int) -> CribbageState:
        """Before the first deal, which is seat 0's. Raises ``ValueError`` for other seats."""
        teams = self.sides(seats)
        side_of = tuple(
            next(side for side, team in enumerate(teams) if seat in team) for seat in range(seats)
        )
        empty = ((),) * seats
        return CribbageState(side_of, scores=(0,) * len(teams), hands=empty, held=empty)

    # --- What is owed -----------------------------------------------------------------

    def need(self, state: CribbageState) -> Shuffle | Show | Decide[CribbageMove] | Foul | Over:
        match state.phase:
            case Phase.SHUFFLE:
                return Shuffle(DECK, closes=True)
            case Phase.HANDS:
                return Show(
                    tuple(
                        (Slot(state.deal, position), seat)
                        for seat in state.from_eldest
                        for position in state.hands[seat]
                    )
                )
            case Phase.DISCARD:
                each = self._rules.crib_each[SEATS.index(state.seats)]
                return Decide(
                    tuple((seat, discards(hand, each)) for seat, hand in enumerate(state.hands))
                )
            case Phase.STARTER:
                return _to_all(state, (len(state.faces) - 1,))
            case Phase.PLAY:
                return Decide(((state.turn, turns.legal(state)),))
            case Phase.FACE:
                return _to_all(state, (state.playing,))
            case Phase.CRIB:
                return _to_all(state, state.crib)
            case Phase.PROOF:
                return _to_all(state, turns.unproven(state))
            case Phase.FOUL:
                assert state.foul is not None
                return state.foul
            case Phase.OVER:
                rank = tuple(1 + sum(s > own for s in state.scores) for own in state.scores)
                return Over(state.scores, rank)

    # --- What happened ------------------------------------------------------------------

    def apply(
        self, state: CribbageState, event: Shuffled | Shown | Moved[CribbageMove]
    ) -> CribbageState:
        match event:
            case Shuffled():
                return self._deal(state)
            case Shown(grants, faces):
                return self._see(state, grants, faces)
            case Moved(moves):
                return self._carry_out(state, moves)

    def _deal(self, state: CribbageState) -> CribbageState:
        state = state._replace(
            phase=Phase.HANDS if self._rules.look_first else Phase.DISCARD,
            deal=state.deal + 1,
            faces=(None,) * cards_needed(self._rules, state.seats),
            crib=(),
            pile=(),
            claims=(),
        )
        each = self._rules.dealt[SEATS.index(state.seats)]
        eldest = state.from_eldest
        hands = tuple(
            tuple(range(eldest.index(seat) * each, (eldest.index(seat) + 1) * each))
            for seat in range(state.seats)
        )
        return state._replace(hands=hands, held=hands)

    def _carry_out(
        self, state: CribbageState, moves: tuple[tuple[Seat, CribbageMove], ...]
    ) -> CribbageState:
        if state.phase is Phase.DISCARD:
            return self._lay_away(state, moves)
        ((_, move),) = moves
        match move:
            case Play(position):
                return turns.put_down(state, position)
            case Go():
                return turns.say_go(self._rules, state)
            case Discard():
                raise AssertionError("step lets no discard through during the play")

    def _lay_away(
        self, state: CribbageState, moves: tuple[tuple[Seat, CribbageMove], ...]
    ) -> CribbageState:
        away = {p for _, move in moves if isinstance(move, Discard) for p in move.positions}
        dealt = sum(map(len, state.hands))
        stock = range(dealt, len(state.faces) - 1)
        hands = tuple(tuple(p for p in hand if p not in away) for hand in state.hands)
        return state._replace(
            phase=Phase.STARTER if self._rules.look_first else Phase.HANDS,
            moved=state.moved + 1,
            hands=hands,
            held=hands,
            crib=(*sorted(away), *stock),
        )

    def _see(
        self, state: CribbageState, grants: tuple[Grant, ...], faces: tuple[Card | None, ...]
    ) -> CribbageState:
        state = state._replace(faces=learn(state.faces, grants, faces))
        match state.phase:
            case Phase.HANDS:
                after = Phase.DISCARD if self._rules.look_first else Phase.STARTER
                return state._replace(phase=after)
            case Phase.STARTER:
                return self._turn_starter(state)
            case Phase.CRIB:
                return self._count_crib(state)
        foul = turns.proven_foul(state, tuple(slot.pos for slot, _ in grants))
        if foul is not None:
            return state._replace(phase=Phase.FOUL, foul=foul)
        if state.phase is Phase.PROOF:
            return state._replace(phase=Phase.OVER)
        card = state.faces[state.playing]
        assert card is not None
        state = turns.turn_up(self._rules, state, card)
        return self._count_hands(state) if state.phase is Phase.CRIB else state

    def _turn_starter(self, state: CribbageState) -> CribbageState:
        assert state.starter is not None
        if RANK[state.starter] == JACK:
            state = turns.score(state, state.dealer, self._rules.heels)
            if turns.reached(self._rules, state):
                return state._replace(phase=Phase.OVER)
        return turns.start_play(state)

    def _count_hands(self, state: CribbageState) -> CribbageState:
        """Every hand in turn, all of whose cards were seen as they were played."""
        for seat in state.from_eldest:
            points = self._count(state, state.hands[seat], crib=False)
            state = turns.score(state, seat, points)
            if turns.reached(self._rules, state):
                return state._replace(phase=Phase.OVER)
        return state

    def _count_crib(self, state: CribbageState) -> CribbageState:
        points = self._count(state, state.crib, crib=True)
        state = turns.score(state, state.dealer, points)
        ended = turns.reached(self._rules, state) or state.deal == self._rules.deal_cap
        return state._replace(phase=Phase.OVER if ended else Phase.SHUFFLE)

    def _count(self, state: CribbageState, positions: tuple[int, ...], *, crib: bool) -> int:
        cards = tuple(card for p in positions if (card := state.faces[p]) is not None)
        assert len(cards) == len(positions)
        assert state.starter is not None
        return score_hand(self._rules, cards, state.starter, crib)

    def scores(self, state: CribbageState) -> tuple[int, ...]:
        return state.scores

    # --- Notation -----------------------------------------------------------------------

    def encode(self, move: CribbageMove) -> str:
        return notation.encode(move)

    def decode(self, text: str) -> CribbageMove:
        return notation.decode(text)

    def card_text(self, card: Card) -> str:
        return card_text(card)

    def describe(self, state: CribbageState) -> dict[str, Any]:
        """See ``as_json``."""
        need = self.need(state)
        to_move = need.seats if isinstance(need, Decide) else ()
        return as_json(state, self.sides(state.seats), to_move)


def build(name: str, rules: object) -> Game[Any, Any]:
    """The game for any ``CribbageRules``, which have checked themselves."""
    if not isinstance(rules, CribbageRules):
        raise TypeError(f"cribbage cannot be played by {type(rules).__name__}")
    return CribbageGame(name, rules)


def _to_all(state: CribbageState, positions: tuple[int, ...]) -> Show:
    return Show(tuple((Slot(state.deal, position), None) for position in positions))


def _checked(seats: int) -> int:
    if seats not in SEATS:
        raise ValueError(f"cribbage is played by {SEATS[0]} to {SEATS[-1]} seats, not {seats}")
    return seats
