"""A line of a game record, word by word, with the columns for what is wrong in it."""

import re

from aboveboard_referee.game_record.record import NOTE_LIMIT, BadRecord

_SEAT = re.compile("[0-9]", re.ASCII)


class Words:
    """A line's words and its comment. Every error is a ``BadRecord`` at its column."""

    def __init__(self, number: int, line: str) -> None:
        self.number = number
        said, brace, comment = line.partition("{")
        self.note = " ".join(comment.rstrip().removesuffix("}").split())
        if brace and (not comment.rstrip().endswith("}") or "{" in comment):
            raise self.wrong(len(said), "a comment begins here and does not end with the line")
        if "}" in self.note or "}" in said:
            raise self.wrong(line.index("}"), "a comment ends here, or it has ended before")
        if len(self.note) > NOTE_LIMIT:
            raise self.wrong(len(said), f"a comment of more than {NOTE_LIMIT} characters")
        self.words = [(found.start(), found[0]) for found in re.finditer(r"\S+", said)]
        self.end = len(said.rstrip())

    def __len__(self) -> int:
        return len(self.words)

    def at(self, index: int) -> str:
        """A word, or the empty text beyond the last."""
        return self.words[index][1] if index < len(self.words) else ""

    def wrong_word(self, index: int, what: str) -> BadRecord:
        return self.wrong(self.words[index][0] if index < len(self.words) else self.end, what)

    def wrong(self, start: int, what: str) -> BadRecord:
        return BadRecord(self.number, start + 1, what)

    def must_be(self, expected: str) -> None:
        """Raise ``BadRecord`` at the first word that is another than in this line."""
        words = expected.split()
        for index in range(max(len(words), len(self.words))):
            if index >= len(words):
                raise self.wrong_word(
                    index, f"nothing more is expected, not {self.at(index)!r:.30}"
                )
            if self.at(index) != words[index]:
                found = f"not {self.at(index)!r:.30}" if self.at(index) else "where the line ends"
                raise self.wrong_word(index, f"{words[index]} is expected, {found}")

    def seat(self, index: int, seats: int) -> int:
        """A seat's number."""
        word = self.at(index).removesuffix(":")
        if not _SEAT.fullmatch(word) or int(word) >= seats:
            raise self.wrong_word(index, f"a seat from 0 to {seats - 1} is expected")
        return int(word)
