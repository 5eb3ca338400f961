"""A recorded game on its way: the game's own machine, fed entry by entry."""

from collections.abc import Sequence
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.game_record.record import (
    Dealt,
    Entry,
    Faced,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Malformed,
    Moved,
    Over,
    Seat,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.games.step import step
from aboveboard_referee.match.result import result, sides_left


class Wrong(ValueError):
    """An entry that cannot come here. ``card`` is the place in a deck that is wrong, if one is."""

    def __init__(self, what: str, card: int | None = None) -> None:
        super().__init__(what)
        self.card = card


class Course:
    """One game as far as its entries have come.

    ``holder`` is the seat whose view this is: its machine is given the faces that were shown
    to it and to all, and no others. None is shown everything. Reading is free; ``take``
    raises ``Wrong`` and leaves the course of no more use.
    """

    def __init__(self, game: AnyGame, seats: int, holder: Seat | None = None) -> None:
        self.game = game
        self.seats = seats
        self.holder = holder
        self.sides = game.sides(seats)
        self.state: Any = game.start(seats)
        self.need: Any = game.need(self.state)
        self.outs: dict[Seat, pb.EndReason] = {}
        self.stopped: pb.EndReason | None = None
        self.given: dict[Seat, Any] = {}  # moves of the decision under way
        self.decks: list[tuple[Card, ...]] = []
        self.moves = 0
        # What the newest entry was to the game; None if it brought no step about.
        self.event: Shuffled | Shown | Moved[Any] | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        """The score so far, by side."""
        return self.game.scores(self.state)

    @property
    def ended(self) -> bool:
        """Whether there is a result."""
        return isinstance(self.need, Over) or self.stopped is not None or self._decided

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose move is missing in the decision under way."""
        seats = self.need.seats if isinstance(self.need, Decide) else ()
        return tuple(seat for seat in seats if seat not in self.given)

    @property
    def _decided(self) -> bool:
        return len(sides_left(self.sides, self.outs)) < 2

    def result(self) -> tuple[pb.EndReason, tuple[pb.SeatResult, ...]]:
        """Why the game ended, and what it gave to each seat; once it has ended."""
        over = self.need if isinstance(self.need, Over) else None
        return result(self.sides, over, self.outs, self.stopped)

    def face(self, slot: Slot) -> Card:
        """The card in a slot of a deck that is on the table."""
        return self.decks[slot.deck - 1][slot.pos]

    def take(self, entry: Entry) -> None:
        """Follow the next entry."""
        self.event = None
        match entry:
            case Dealt(cards):
                self._deal(cards)
            case Faced():
                self._show()
            case Made(seat, text):
                self._move(seat, text)
            case Out(seat, reason):
                self._go_out(seat, reason)
            case Stopped(reason):
                if self.stopped is not None or isinstance(self.need, Over):
                    raise Wrong("the game has ended and cannot be stopped")
                self.stopped = reason
            case Remark():
                pass

    def _deal(self, texts: Sequence[str]) -> None:
        if self.ended or not isinstance(self.need, Shuffle):
            raise Wrong(f"no deck is dealt here; {self.owed}")
        if len(texts) != len(self.need.cards):
            raise Wrong(f"the deck has {counted(len(self.need.cards), 'card')}, not {len(texts)}")
        left: dict[str, list[Card]] = {}
        for card in reversed(self.need.cards):
            left.setdefault(self.game.card_text(card), []).append(card)
        order = []
        for place, text in enumerate(texts):
            if text not in left:
                raise Wrong(f"{text[:12]!r} is no card of this deck", place)
            if not left[text]:
                raise Wrong(f"{text} is in this deck once too often", place)
            # Of equal cards any will do, so that the lowest comes first.
            order.append(left[text].pop())
        self.decks.append(tuple(order))
        self._step(Shuffled(self.need.cards))

    def _show(self) -> None:
        if self.ended or not isinstance(self.need, Show):
            raise Wrong(f"no card is shown here; {self.owed}")
        faces = [self.face(slot) for slot, _ in self.need.grants]
        self._step(self.need.seen(faces, self.holder))

    def _move(self, seat: Seat, text: str) -> None:
        if self.stopped is not None or seat not in self.waiting:
            raise Wrong(f"seat {seat} is not to move here; {self.owed}")
        try:
            move = self.game.decode(text)
        except Malformed as error:
            raise Wrong(str(error)) from error
        legal = self.need.of(seat)
        if move not in legal:
            raise Wrong(f"{text} is not among the legal moves of seat {seat}")
        if seat in self.outs and self.holder is None and move != legal[0]:
            raise Wrong(f"seat {seat} is out, so its move is {self.game.encode(legal[0])}")
        self.given[seat] = move
        self.moves += 1
        if not self.waiting and not self._decided:
            given, self.given = self.given, {}
            self._step(Moved(tuple((each, given[each]) for each in self.need.seats)))

    def _go_out(self, seat: Seat, reason: pb.EndReason) -> None:
        asked = isinstance(self.need, Shuffle | Decide) and self.stopped is None
        if seat >= self.seats or seat in self.outs or not asked:
            raise Wrong(f"seat {seat} cannot be out here; {self.owed}")
        self.outs[seat] = reason

    def _step(self, event: Shuffled | Shown | Moved[Any]) -> None:
        # Cards, faces and moves were judged before, so that nothing is refused here.
        self.state = step(self.game, self.state, event, self.need)
        self.event = event
        self.need = self.game.need(self.state)

    @property
    def owed(self) -> str:
        """What is to come next, for a person."""
        if self.ended:
            return "the game has ended"
        match self.need:
            case Shuffle(cards, _):
                return f"deck {len(self.decks) + 1} of {len(cards)} cards is to come"
            case Show():
                return "faces are to be shown"
            case Decide():
                return f"a move of seat {' or '.join(map(str, self.waiting))} is to come"
        return "an earlier move was illegal"
