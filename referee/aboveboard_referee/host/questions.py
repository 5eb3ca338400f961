"""When the open questions of a match left, for that is when their time begins."""

from collections.abc import Iterator, Mapping

from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.judge import Owed


class Questions:
    """The last question of every seat: the event that asked it, and when it left."""

    def __init__(self) -> None:
        self._left: dict[Seat, tuple[int, float]] = {}

    def left(self, seat: Seat, otherwise: float) -> float:
        """When the last question of ``seat`` left; ``otherwise`` if it was asked none yet."""
        return self._left.get(seat, (0, otherwise))[1]

    def new(self, owed: Mapping[Seat, Owed]) -> list[Seat]:
        """Who owes an answer to a question that has not left yet."""
        return [
            seat
            for seat, question in owed.items()
            if seat not in self._left or self._left[seat][0] != question.asked
        ]

    def leave(self, seat: Seat, question: Owed, now: float) -> None:
        """It leaves now, or its time begins anew."""
        self._left[seat] = (question.asked, now)

    def moments(self, fold: Fold) -> Iterator[float]:
        """When each answer that is owed will be late. Where a seat is excused, it never is."""
        for seat, owed in fold.owed.items():
            if not fold.presence.is_excused(seat):
                yield self._left[seat][1] + fold.clocks.left(seat, owed.phase) / 1e6
