"""The lines of a TRF, and what stands in their columns."""

from collections.abc import Iterator

from aboveboard_referee.tournament.interchange.sheet import TEXT_LIMIT, Unreadable, is_number

MOST_LINES = 2_000_000


class Line:
    """One line. Columns count from 1, as in FIDE's description."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text
        self.record = text[:3]

    def wrong(self, column: int, what: str) -> Unreadable:
        """The error to raise for what stands in a column."""
        return Unreadable(f"line {self.number}, column {column}", what)

    def cell(self, first: int, last: int) -> str:
        """The text in some columns; what is beyond the line's end is blank."""
        return self.text[first - 1 : last].strip(" ")

    def gap(self, first: int, last: int, where: str) -> None:
        """Refuse text in columns that mean nothing: what is beside them stands out of place."""
        if text := self.cell(first, last):
            column = first + self.text[first - 1 :].index(text)
            raise self.wrong(column, f"a blank is expected {where}, not {text!r}")

    def whole(self, first: int, last: int, what: str) -> int:
        """A whole number in some columns; ``what`` it is, for the error."""
        text = self.cell(first, last)
        if not is_number(text):
            raise self.wrong(first, f"{what} is expected, not {text[:20]!r}")
        return int(text)

    def tenths(self, first: int, last: int, what: str) -> int:
        """A number with at most one decimal, in tenths."""
        text = self.cell(first, last).replace(",", ".")
        units, _, tenth = text.partition(".")
        numbers = is_number(units or "0") and is_number(tenth or "0")
        if not numbers or len(tenth) > 1 or not units + tenth:
            raise self.wrong(first, f"{what} like 1.5 is expected, not {text[:20]!r}")
        return 10 * int(units or "0") + int(tenth or "0")

    def words(self, separators: str = " ") -> Iterator[tuple[int, str]]:
        """What stands after the record's name, with the columns where each begins."""
        column = 5
        text = self.text[4:]
        for other in separators[1:]:
            text = text.replace(other, separators[0])
        for word in text.split(separators[0]):
            if word.strip():
                yield column + len(word) - len(word.lstrip()), word.strip()
            column += len(word) + 1


def lines_of(text: str) -> Iterator[Line]:
    """Every line that is not blank. Raises Unreadable for a file that has too many."""
    if len(text) > TEXT_LIMIT:
        raise Unreadable("", f"more than {TEXT_LIMIT >> 20} MiB")
    # Programs end lines by CR, LF or both.
    whole = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if whole.count("\n") > MOST_LINES:
        raise Unreadable("", f"more than {MOST_LINES} lines")
    for number, line in enumerate(whole.split("\n"), 1):
        if line.strip():
            yield Line(number, line.rstrip())
