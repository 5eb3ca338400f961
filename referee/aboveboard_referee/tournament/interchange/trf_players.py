"""The players of a TRF: records 001 with what each says of every round."""

from dataclasses import dataclass, field

from aboveboard_referee.tournament.interchange.sheet import MOST_ROUNDS, Unreadable, check_text
from aboveboard_referee.tournament.interchange.trf_lines import Line
from aboveboard_referee.tournament.interchange.trf_words import (
    BYE_CODES,
    FIRST_ROUND_COLUMN,
    FORFEIT_CODES,
    FORFEIT_LOST,
    FORFEIT_WON,
    FULL_BYE,
    PLAYED_CODES,
    ROUND_COLUMNS,
    UNRATED,
    ZERO_BYE,
)

_TABLE_CODES = f"{PLAYED_CODES}{FORFEIT_CODES} "


@dataclass(frozen=True, slots=True)
class Cell:
    """What a player's line says of one round. ``opponent`` is 0 for a bye.

    ``colour`` is w, b, or - where there is none. ``code`` is a result that is not decided
    where it is blank.
    """

    line: Line
    column: int
    opponent: int
    colour: str
    code: str

    def wrong(self, what: str) -> Unreadable:
        """The error to raise for what it says."""
        return self.line.wrong(self.column, what)


@dataclass(slots=True)
class Player:
    """One record 001. ``points`` are tenths, None where the columns are blank."""

    line: Line
    number: int
    name: str
    rating: int | None
    points: int | None
    rounds: dict[int, Cell] = field(default_factory=dict)


def player_of(line: Line) -> Player:
    """What a record 001 says. Raises Unreadable naming the column."""
    number = line.whole(5, 8, "a start number")
    line.gap(9, 9, "after the start number")
    if number == 0:
        raise line.wrong(5, "start numbers begin at 1")
    name = line.cell(15, 47)
    try:
        check_text(name)
    except ValueError as error:
        raise line.wrong(15, str(error)) from None
    rating = line.whole(49, 52, "a rating") if line.cell(49, 52) else 0
    line.gap(53, 53, "after the rating")
    points = line.tenths(81, 84, "points") if line.cell(81, 84) else None
    player = Player(line, number, name, rating or None, points)
    rounds = -(-(len(line.text) - FIRST_ROUND_COLUMN + 1) // ROUND_COLUMNS)
    if rounds > MOST_ROUNDS:
        raise line.wrong(FIRST_ROUND_COLUMN, f"more than {MOST_ROUNDS} rounds")
    for round_ in range(1, rounds + 1):
        cell = _cell(line, FIRST_ROUND_COLUMN + ROUND_COLUMNS * (round_ - 1))
        if cell is not None:
            player.rounds[round_] = cell
    return player


def _cell(line: Line, column: int) -> Cell | None:
    """A round's columns; None where the player has no part in it."""
    for gap in (column - 2, column - 1, column + 4, column + 6):
        line.gap(gap, gap, "between the columns of results")
    opponent = line.whole(column, column + 3, "an opponent") if line.cell(column, column + 3) else 0
    colour = line.cell(column + 5, column + 5).lower() or "-"
    code = line.cell(column + 7, column + 7).upper() or " "
    if colour not in "wb-":
        raise line.wrong(column + 5, f"w, b or - is expected, not {colour!r}")
    if opponent:
        code = UNRATED.get(code, code)
        if code not in _TABLE_CODES:
            raise line.wrong(column + 7, f"{code!r} is no result against an opponent")
        return Cell(line, column, opponent, colour, code)
    if code == " ":
        return None
    # Older files write a bye as a forfeit against nobody.
    code = {FORFEIT_WON: FULL_BYE, FORFEIT_LOST: ZERO_BYE}.get(code, code)
    if code not in BYE_CODES or colour != "-":
        raise line.wrong(column + 7, f"{code!r} is no result without an opponent")
    return Cell(line, column, 0, "-", code)


class Granted:
    """Byes that records 240 give, by round and start number: letter and record."""

    def __init__(self) -> None:
        self.byes: dict[int, dict[int, tuple[str, Line]]] = {}

    def add(self, line: Line) -> None:
        """A record 240. Raises Unreadable naming the column."""
        code = line.cell(5, 5).upper()
        if code not in BYE_CODES[:3] or not code:
            raise line.wrong(5, f"F, H or Z is expected, not {code!r}")
        line.gap(6, 6, "before the round")
        round_ = line.whole(7, 9, "a round")
        line.gap(10, 10, "after the round")
        if round_ == 0:
            raise line.wrong(7, "rounds begin at 1")
        here = self.byes.setdefault(round_, {})
        for column in range(11, len(line.text) + 1, 5):
            line.gap(column + 4, column + 4, "after a start number")
            if line.cell(column, column + 3):
                number = line.whole(column, column + 3, "a start number")
                if number in here:
                    raise line.wrong(column, f"player {number} has two byes in round {round_}")
                here[number] = (code, line)
