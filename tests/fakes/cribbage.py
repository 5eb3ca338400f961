"""A deal of cribbage with chosen cards, played from a script by all its holders."""

from collections.abc import Sequence

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Card, Decide, Seat, Show, Slot
from aboveboard_referee.games.cribbage import (
    GO,
    CribbageRules,
    CribbageState,
    Discard,
    Phase,
    Play,
    score_hand,
)
from aboveboard_referee.games.cribbage.cards import card_text, parse_card, parse_cards
from aboveboard_referee.games.cribbage.notation import CribbageMove
from aboveboard_referee.games.cribbage.rules import HAND
from aboveboard_referee.games.registry import AnyGame
from tests.fakes.table import Dealer, Holder, Table


class Deal:
    """The first deal of a match, whose dealer is seat 0, up to the lead.

    ``hands`` are written in turn order, seat 1 first and the dealer last; the last
    cards of each are laid away. ``scores`` are what the sides have before the starter
    is turned. Scripts are words such as ``1:5H`` or ``0:go``.
    """

    def __init__(
        self,
        name: str | AnyGame,
        hands: Sequence[str],
        starter: str,
        *,
        stock: str = "",
        scores: tuple[int, ...] | None = None,
        holders: tuple[Holder, ...] = (),
    ) -> None:
        game = registry.game(name) if isinstance(name, str) else name
        deck = parse_cards(" ".join((*hands, stock, starter)))
        self.dealer = Dealer(decks=[deck])
        self.table = Table(game, len(hands), self.dealer, holders)
        self.table.bring_about(self.table.need())
        if not isinstance(need := self.show(), Decide):
            raise AssertionError(f"cards are to be laid away, not {need}")
        if scores is not None:
            for holder, state in self.table.states.items():
                self.table.states[holder] = state._replace(scores=scores)
        self.table.move(*((seat, Discard(self.state.hands[seat][HAND:])) for seat in need.seats))
        self.show()

    @property
    def state(self) -> CribbageState:
        state: CribbageState = next(iter(self.table.states.values()))
        return state

    @property
    def scores(self) -> tuple[int, ...]:
        return self.state.scores

    def need(self) -> object:
        return self.table.need()

    def face(self, position: int) -> Card:
        return self.dealer.face(Slot(self.state.deal, position))

    def move(self, word: str) -> tuple[Seat, CribbageMove]:
        """The move that a word of a script names, whoever is to move."""
        seat, card = int(word[0]), word[2:]
        if card == "go":
            return seat, GO
        faces = {self.face(p): p for p in self.state.hands[seat]}
        return seat, Play(faces[parse_card(card)])

    def play(self, script: str) -> "Deal":
        """Make these moves; what plays itself is not in the script. Stops before deal 2."""
        for word in script.split():
            self.table.move(self.move(word))
            self.show()
        return self

    def show(self) -> object:
        """Show what is owed, and hand back the first need that is another."""
        while isinstance(need := self.need(), Show):
            self.table.bring_about(need)
        return need

    def pegged(self) -> tuple[int, ...]:
        """By side, what was scored beside the hands and the crib, once all are counted."""
        state = self.state
        assert state.phase is Phase.SHUFFLE, "the deal is not over"
        rules = self.table.game.rules
        assert state.starter is not None
        assert isinstance(rules, CribbageRules)
        left = list(state.scores)
        for seat, positions in (*enumerate(state.hands), (state.dealer, state.crib)):
            cards = tuple(map(self.face, positions))
            crib = positions == state.crib
            points = score_hand(rules, cards, state.starter, crib)
            left[state.side_of[seat]] -= points
        return tuple(left)

    def asked(self, holder: Holder | None = None) -> str:
        """Who is asked for what, as the holder sees it, or the first: ``1: go, 5H``."""
        need = self.need() if holder is None else self.table.needs()[holder]
        assert isinstance(need, Decide)
        ((seat, moves),) = need.legal
        cards = [card_text(self.face(move.position)) for move in moves if isinstance(move, Play)]
        return f"{seat}: " + ", ".join(["go"] * (GO in moves) + sorted(cards))

    def pile(self) -> str:
        """The cards since the count last started, or those of the count in which it ended."""
        return " ".join(map(card_text, self.state.pile))
