"""A recorded game as a row of moments, each with what one holder knows then."""

from collections.abc import Iterator
from dataclasses import dataclass

from aboveboard_client.terminal.boards import happening, move_words, position
from aboveboard_referee.game_record.course import Course
from aboveboard_referee.game_record.record import (
    Dealt,
    Entry,
    Faced,
    GameRecord,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.games.contract import Decide, Seat
from aboveboard_referee.match.result import reason_text


@dataclass(frozen=True)
class Frame:
    """A moment of a game: what happened, and the position after it.

    ``head`` names it, ``told`` says in words what it meant, ``note`` what is known of its
    time. ``scores`` are by side. ``move`` and ``deal`` number the newest move and deck,
    0 before the first; ``moved`` and ``dealt`` say that this moment is theirs.
    """

    head: str
    told: tuple[str, ...]
    note: str
    board: tuple[str, ...]
    scores: tuple[int, ...]
    scored: bool
    move: int
    deal: int
    moved: bool
    dealt: bool
    due: bool  # whether a decision begins here


def frames(record: GameRecord, holder: Seat | None = None) -> Iterator[Frame]:
    """The moments of a game as ``holder`` saw them, or with everything to be seen.

    A seat's view is that of the game's own machine, which is given the faces that the seat
    was sent and no others. Raises ``course.Wrong`` where an entry is not as the game has it.
    """
    course = Course(record.game, record.seats, holder)
    heads: list[str] = []  # of the moves since the newest step
    for entry in record.entries:
        before, scores = course.state, course.scores
        head = _head(record, course, entry)
        heads.append(head)
        course.take(entry)
        told: tuple[str, ...] = ()
        if course.event is not None:
            lines = happening(record.game, before, course.event, course.state, record.names)
            # Where words are the move's own again, its heading has said them.
            told = tuple(line for line in lines if not any(s.endswith(line) for s in heads))
            heads = []
        asked = isinstance(course.need, Decide) and not course.given and not course.ended
        yield Frame(
            head=head,
            told=told,
            note="" if isinstance(entry, Dealt | Faced | Remark) else entry.note,
            board=position(record.game, course.state, record.names),
            scores=course.scores,
            scored=course.scores != scores,
            move=course.moves,
            deal=len(course.decks),
            moved=isinstance(entry, Made),
            dealt=isinstance(entry, Dealt),
            due=asked and not isinstance(entry, Remark),
        )


def _head(record: GameRecord, course: Course, entry: Entry) -> str:
    match entry:
        case Dealt(cards):
            return f"deck {len(course.decks) + 1} of {len(cards)} cards"
        case Faced():
            return "cards are shown"
        case Made(seat, text):
            words = move_words(record.game, course.state, seat, record.game.decode(text))
            return f"{course.moves + 1}. {record.names[seat]}: {words}"
        case Out(seat, reason):
            return f"{record.names[seat]} is out: {reason_text(reason)}"
        case Stopped(reason):
            return f"the match is stopped: {reason_text(reason)}"
        case Remark(note):
            return note


_POINTS = {0: "0 points", 1: "half a point", 2: "1 point"}


def ending(record: GameRecord) -> tuple[str, ...]:
    """How a game ended and what everybody got; nothing of one that has not ended."""
    course = Course(record.game, record.seats)
    for entry in record.entries:
        course.take(entry)
    if not course.ended:
        return ("the records end here, and the match had not ended",)
    reason, rows = course.result()
    lines = [f"ends: {reason_text(reason)}"]
    for side, seats in enumerate(course.sides):
        score = course.scores[side]
        for seat in seats:
            row = rows[seat]
            lines.append(
                f"  {record.names[seat]}: {_POINTS[row.half_points]}, "
                f"score {score}, rank {row.rank}"
            )
    return tuple(lines)
