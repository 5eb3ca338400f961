"""A row of the CSV, read cell by cell."""

from aboveboard_referee.tournament.interchange.sheet import Unreadable, is_number


class Row:
    """A row's cells. Those that its record does not have must be empty."""

    def __init__(self, where: str, cells: dict[str, str]) -> None:
        self.where = where
        self.record = cells.pop("record")
        self._cells = cells

    def wrong(self, column: str, expected: str) -> Unreadable:
        return Unreadable(f"{self.where}, column {column}", f"{expected} is expected")

    def text(self, column: str) -> str:
        return self._cells.pop(column)

    def number(self, column: str) -> int:
        number = self.maybe(column)
        if number is None:
            raise self.wrong(column, "a whole number")
        return number

    def maybe(self, column: str) -> int | None:
        text = self._cells.pop(column)
        if not text:
            return None
        if not is_number(text):
            raise self.wrong(column, "a whole number")
        return int(text)

    def word(self, column: str, *words: str) -> str:
        text = self._cells.pop(column)
        if text not in words:
            raise self.wrong(column, " or ".join(word or "nothing" for word in words))
        return text

    def end(self) -> None:
        for column, text in self._cells.items():
            if text:
                raise self.wrong(column, f"nothing in a row of {self.record!r}")

    def numbers(self, column: str, expected: str) -> tuple[int, ...]:
        """Whole numbers with one blank between two."""
        words = self._cells.pop(column).split(" ")
        if not all(map(is_number, words)):
            raise self.wrong(column, expected)
        return tuple(map(int, words))
