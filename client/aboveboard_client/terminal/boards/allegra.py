"""Allegra: everybody's grid with the column that it shares, and the piles.

Each row of a grid begins with the left neighbour's rightmost card, in brackets: it
belongs to both. ``##`` lies face down, ``.`` is a gap.
"""

from collections.abc import Iterator, Sequence

from aboveboard_client.terminal.boards.text import Event, name_of, width_of
from aboveboard_referee.counted import counted
from aboveboard_referee.games.allegra.grid import COLUMNS, ROWS, Cell, area_sum, left_of
from aboveboard_referee.games.allegra.notation import Move, Verb
from aboveboard_referee.games.allegra.state import FaceDown, Lying, Phase, State
from aboveboard_referee.games.contract import Moved, Seat, Shuffled
from aboveboard_referee.games.registry import AnyGame

FACE_DOWN, GAP = "##", "."
ABREAST = 3
"""Grids beside each other: as many as 80 columns hold."""


class AllegraBoard:
    """See ``text.Board``."""

    def position(self, game: AnyGame, state: State, names: Sequence[str]) -> tuple[str, ...]:
        if not state.grid:
            return ()
        taken = counted(state.turns, "turn")
        acting = name_of(names, state.active)
        lines = [f"round {state.round + 1}, {taken} taken; {acting} to act"]
        if state.trigger is not None:
            lines.append(f"{name_of(names, state.trigger)} ends the round: these are last turns")
        for start in range(0, state.seats, ABREAST):
            blocks = [
                _grid(state, names, seat)
                for seat in range(start, min(start + ABREAST, state.seats))
            ]
            lines.extend("    ".join(row).rstrip() for row in zip(*blocks, strict=True))
        top = _value(state.top) if state.discards else "--"
        drawn = "--" if state.drawn is None else _value(state.drawn)
        lines.append(
            f"drawn {drawn}, top discard {top}, {counted(state.stock.left, 'card')} to draw from"
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
        return tuple(_told(self, game, before, event, after, names))

    def cards_of(self, game: AnyGame, state: State, move: Move) -> str:
        """The drawn, picked or top card that it places, and what lies where it goes."""
        moved = {
            Verb.TAKE: state.discards[-1] if state.discards else None,
            Verb.SWAP: state.drawn,
            Verb.PLACE: state.drawn,
            Verb.PUT: state.gift.picked if state.gift else None,
        }.get(move.verb)
        there = " ".join(_value(state.at(cell)) for cell in move.cells)
        if moved is not None:
            return f"{_value(moved)} for {there}"
        if move.verb is Verb.DISCARD and state.drawn is not None:
            return f"{_value(state.drawn)}, turns {there}" if there else _value(state.drawn)
        return there


def _told(
    board: AllegraBoard,
    game: AnyGame,
    before: State,
    event: Event,
    after: State,
    names: Sequence[str],
) -> Iterator[str]:
    if isinstance(event, Shuffled):
        if before.phase is Phase.DEAL:
            yield f"round {after.round + 1} is dealt"
        else:
            yield f"the discards are shuffled: {counted(after.stock.left, 'card')} to draw from"
        return
    if isinstance(event, Moved):
        for seat, move in event.moves:
            cards = board.cards_of(game, before, move)
            words = f"{game.encode(move)} ({cards})" if cards else game.encode(move)
            yield f"{name_of(names, seat)}: {words}"
    elif before.phase is Phase.OPEN:
        yield f"{_value(after.top)} is the first discard"
    elif before.phase is Phase.DRAWN:
        drawn = [game.card_text(card) for card in event.faces if card is not None]
        yield f"{name_of(names, before.active)} draws {' '.join(drawn)}"
    elif before.pending is not None:
        for (slot, _), card in zip(event.grants, event.faces, strict=True):
            at = next(
                cell
                for cell in before.pending.cells
                if (lying := before.at(cell)) is not None and lying.slot == slot
            )
            yield f"{at} is {'??' if card is None else game.card_text(card)}"
    elif before.phase is Phase.COUNT:
        yield "all cards are turned"
    gone = after.removed[len(before.removed) :] if after.round == before.round else ()
    if gone:
        yield f"{' '.join(_value(card) for card in gone)} removed in a line"
    if after.trigger is not None and before.trigger is None:
        yield f"{name_of(names, after.trigger)} ends the round: the others have a last turn"
    for result in after.results[len(before.results) :]:
        scores = ", ".join(f"{name_of(names, seat)} {n}" for seat, n in enumerate(result))
        yield f"the round scores {scores}"


def _grid(state: State, names: Sequence[str], seat: Seat) -> list[str]:
    """A seat's name and sum, and below them its three rows; all lines of one width."""
    points = f"{area_sum(state.faces, seat)} open, {state.totals[seat]} before"
    heading = f"{name_of(names, seat)}: {points}"
    shared = left_of(seat, state.seats)
    rows = [
        f"[{_value(state.at(Cell(shared, row, COLUMNS - 1))):>2}]"
        + "".join(f"{_value(lying):>4}" for lying in state.rows(seat)[row])
        for row in range(ROWS)
    ]
    width = max(width_of(names, state.seats) + len(": 100 open, 100 before"), len(rows[0]))
    return [line.ljust(width) for line in (heading, *rows)]


def _value(lying: Lying | None) -> str:
    if lying is None:
        return GAP
    return FACE_DOWN if isinstance(lying, FaceDown) else str(lying.value)
