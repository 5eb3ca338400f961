"""Nebraska: the turned card, the table, hands, bets and wins."""

from collections.abc import Iterator, Sequence

from aboveboard_client.terminal.boards.text import (
    Event,
    cards_text,
    name_of,
    width_of,
)
from aboveboard_referee.counted import counted
from aboveboard_referee.games.contract import Card, Moved, Shuffled
from aboveboard_referee.games.nebraska import Bet, Choice, Move, Phase, State
from aboveboard_referee.games.registry import AnyGame

NOBODY_YET = ".."


class NebraskaBoard:
    """See ``text.Board``."""

    def position(self, game: AnyGame, state: State, names: Sequence[str]) -> tuple[str, ...]:
        if not state.deck:
            return ()
        width = width_of(names, state.seats)
        lines = [f"hand {state.deck}, {counted(state.target, 'win')} to reach"]
        for seat in range(state.seats):
            # Between two hands nobody holds anything.
            held = state.hands[seat] if state.hands else ()
            cards = cards_text(game, sorted((state.faces[pos] for pos in held), key=_by_suit))
            lines.append(
                f"  {name_of(names, seat):<{width}}  {counted(state.wins[seat], 'win'):>6}  {cards}"
            )
        if state.hands:
            kept = [game.card_text(card) for card in state.table_cards]
            kept += [NOBODY_YET] * state.keeps_left
            turned = "--" if state.turned_card is None else game.card_text(state.turned_card)
            forced = "" if state.can_discard else ", which will be kept"
            lines.append(f"  {'table':<{width}}  {' '.join(kept)}")
            lines.append(
                f"  {'turned':<{width}}  {turned}{forced}; {counted(state.stock, 'card')} left"
            )
        return tuple(lines)

    def happening(
        self,
        game: AnyGame,
        before: State,
        event: Event,
        after: State,
        names: Sequence[str],
    ) -> tuple[str, ...]:
        if isinstance(event, Shuffled):
            return (f"hand {after.deck} is dealt",)
        if isinstance(event, Moved):
            return tuple(
                f"{name_of(names, seat)} {_VERB[move]}s {cards_text(game, (before.turned_card,))}"
                for seat, move in event.moves
                if isinstance(move, Choice)  # bets are told once they are seen
            )
        return tuple(_seen(game, before, after, names))

    def cards_of(self, game: AnyGame, state: State, move: Move) -> str:
        card = state.faces[move.pos] if isinstance(move, Bet) else state.turned_card
        return cards_text(game, (card,))


_VERB = {Choice.KEEP: "keep", Choice.DISCARD: "discard"}


def _by_suit(card: Card | None) -> int:
    return -1 if card is None else card


def _seen(game: AnyGame, before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    match before.phase:
        case Phase.DEAL:
            for seat, hand in enumerate(after.hands):
                yield f"{name_of(names, seat)} holds {_hand(game, after, hand)}"
        case Phase.TURN:
            yield f"{cards_text(game, (after.turned_card,))} is turned"
        case Phase.REVEAL:
            for seat, pos in enumerate(before.bets):
                wins = " and wins" if seat == after.bets_winner else ""
                yield f"{name_of(names, seat)} bets {cards_text(game, (after.faces[pos],))}{wins}"
            if before.turned is not None and before.turned in after.table:
                yield f"{cards_text(game, (before.turned_card,))} is kept, as it must be"
        case Phase.DRAW:
            for seat, hand in enumerate(after.hands):
                drawn = [pos for pos in hand if pos not in before.hands[seat]]
                yield f"{name_of(names, seat)} draws {_hand(game, after, drawn)}"
        case Phase.OPEN:
            assert after.last is not None
            yield f"the table is {cards_text(game, after.last.table)}"
            for seat, cards in enumerate(after.last.hands):
                points = counted(after.last.points[seat], "point")
                wins = ", which wins the hand" if seat == after.last.winner else ""
                yield f"{name_of(names, seat)} has {cards_text(game, cards)}: {points}{wins}"


def _hand(game: AnyGame, state: State, positions: Sequence[int]) -> str:
    return cards_text(game, sorted((state.faces[pos] for pos in positions), key=_by_suit))
