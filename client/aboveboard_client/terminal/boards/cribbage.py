"""Cribbage: hands, the pile with its count, starter, crib and scores."""

from collections.abc import Iterator, Sequence
from typing import cast

from aboveboard_client.terminal.boards.text import (
    Event,
    cards_text,
    name_of,
    width_of,
)
from aboveboard_referee.counted import counted
from aboveboard_referee.games.contract import Moved, Shuffled
from aboveboard_referee.games.cribbage import (
    CribbageMove,
    CribbageRules,
    CribbageState,
    Discard,
    Go,
    Phase,
    Play,
    score_hand,
    score_play,
)
from aboveboard_referee.games.cribbage.cards import VALUE
from aboveboard_referee.games.registry import AnyGame


class CribbageBoard:
    """See ``text.Board``."""

    def position(
        self, game: AnyGame, state: CribbageState, names: Sequence[str]
    ) -> tuple[str, ...]:
        if not state.deal:
            return ()
        width = width_of(names, state.seats)
        starter = "--" if state.starter is None else game.card_text(state.starter)
        lines = [f"deal {state.deal}, {name_of(names, state.dealer)} deals; starter {starter}"]
        for seat in range(state.seats):
            held = cards_text(game, (card for _, card in sorted(state.hand(seat), key=_by_rank)))
            to_play = ">" if state.phase is Phase.PLAY and seat == state.turn else " "
            lines.append(
                f"{to_play} {name_of(names, seat):<{width}}  {state.score_of(seat):>3}  {held}"
            )
        pile = cards_text(game, state.pile)
        lines.append(f"  {'on the table':<{width}}  {pile}, count {state.total}")
        if state.crib:
            crib = cards_text(game, (state.faces[position] for position in state.crib))
            lines.append(f"  {'in the crib':<{width}}  {crib}")
        return tuple(lines)

    def happening(
        self,
        game: AnyGame,
        before: CribbageState,
        event: Event,
        after: CribbageState,
        names: Sequence[str],
    ) -> tuple[str, ...]:
        if isinstance(event, Shuffled):
            return (f"deal {after.deal}: {name_of(names, after.dealer)} deals",)
        if isinstance(event, Moved):
            return tuple(
                f"{name_of(names, seat)} {_deed(self, game, before, move)}"
                for seat, move in event.moves
                if not isinstance(move, Play)  # told with its face, which comes next
            ) + tuple(_go_point(before, after, names))
        return tuple(_seen(game, before, after, names))

    def cards_of(self, game: AnyGame, state: CribbageState, move: CribbageMove) -> str:
        match move:
            case Discard(positions):
                return cards_text(game, (state.faces[position] for position in positions))
            case Play(position):
                return cards_text(game, (state.faces[position],))
            case Go():
                return ""


def _by_rank(card: tuple[int, int | None]) -> tuple[int, int]:
    position, face = card
    return (-1 if face is None else face % 13, position)


def _deed(board: CribbageBoard, game: AnyGame, state: CribbageState, move: CribbageMove) -> str:
    cards = board.cards_of(game, state, move)
    return f"lays away {cards}" if cards else f"says go at {state.total}"


def _go_point(before: CribbageState, after: CribbageState, names: Sequence[str]) -> Iterator[str]:
    """The last card before a go that nobody could follow."""
    gained = after.score_of(before.last) - before.score_of(before.last)
    if gained > 0:
        yield f"{name_of(names, before.last)} takes {counted(gained, 'point')} for the last card"


def _seen(
    game: AnyGame, before: CribbageState, after: CribbageState, names: Sequence[str]
) -> Iterator[str]:
    match before.phase:
        case Phase.HANDS:
            for seat in before.from_eldest:
                cards = cards_text(game, (after.faces[pos] for pos in before.hands[seat]))
                yield f"{name_of(names, seat)} holds {cards}"
        case Phase.STARTER:
            heels = after.score_of(after.dealer) - before.score_of(before.dealer)
            gained = f", {counted(heels, 'point')} for {name_of(names, after.dealer)}"
            yield f"starter {cards_text(game, (after.starter,))}{gained if heels else ''}"
        case Phase.FACE:
            yield from _played(game, before, after, names)
        case Phase.CRIB:
            points = after.score_of(after.dealer) - before.score_of(before.dealer)
            yield from _shown(game, after, names, after.dealer, after.crib, "crib", points)
    if after.phase is Phase.FOUL and after.foul is not None:
        yield f"{name_of(names, after.foul.seat)} {after.foul.rule}"


def _played(
    game: AnyGame, before: CribbageState, after: CribbageState, names: Sequence[str]
) -> Iterator[str]:
    """A card of the play; and once the last one lies, the hands in their order."""
    seat, card = before.turn, after.faces[before.playing]
    if card is None or after.phase is Phase.FOUL:
        return
    rules = cast("CribbageRules", game.rules)
    count = before.total + VALUE[card]
    over = not any(before.held)
    points = score_play(rules, (*before.pile, card))
    if over and count < 31:
        points += rules.last_card
    gained = f", {counted(points, 'point')}" if points else ""
    yield f"{name_of(names, seat)} plays {cards_text(game, (card,))}, count {count}{gained}"
    score = list(before.scores)
    score[before.side_of[seat]] += points
    if not over or max(score) >= rules.target:
        taken = after.score_of(seat) - score[before.side_of[seat]]
        if not over and taken > 0:
            yield f"{name_of(names, seat)} takes {counted(taken, 'point')} for the last card"
        return
    for shown in after.from_eldest:
        hand = after.hands[shown]
        faces = tuple(face for pos in hand if (face := after.faces[pos]) is not None)
        assert after.starter is not None
        worth = score_hand(rules, faces, after.starter)
        yield from _shown(game, after, names, shown, hand, "hand", worth)
        score[after.side_of[shown]] += worth
        if score[after.side_of[shown]] >= rules.target:
            return


def _shown(
    game: AnyGame,
    state: CribbageState,
    names: Sequence[str],
    seat: int,
    positions: Sequence[int],
    what: str,
    points: int,
) -> Iterator[str]:
    cards = cards_text(game, (state.faces[pos] for pos in positions))
    yield (
        f"{name_of(names, seat)}'s {what} {cards} with {cards_text(game, (state.starter,))}: "
        f"{counted(points, 'point')}"
    )
