"""Game records read back: every deal, move, score and result by the game's own machine."""

import re
from collections.abc import Iterator, Mapping

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.game_record.course import Course, Wrong
from aboveboard_referee.game_record.record import (
    ABOUT,
    BadRecord,
    Dealt,
    Entry,
    Faced,
    GameRecord,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.game_record.tags import Tag, game_of, numbered, read_tag
from aboveboard_referee.game_record.text import (
    digest,
    follow,
    reasons,
    result_line,
    result_tags,
)
from aboveboard_referee.game_record.words import Words
from aboveboard_referee.games.contract import Show, Shuffle
from aboveboard_referee.match.result import BOT, SERVICE

TEXT_LIMIT = 64 << 20
"""Characters of the longest file that is read."""

LINE_LIMIT = 20_000
"""Characters of the longest line; a deck of a thousand cards has some four thousand."""

_MOVE_NUMBER = re.compile(r"[0-9]{1,9}\.", re.ASCII)
_OUT, _STOPPED = reasons(BOT), reasons(SERVICE)


def read_records(text: str) -> Iterator[GameRecord]:
    """The games of a text, one after the other, of which there is at least one.

    Raises ``BadRecord`` with line and column at the first thing that is not as its game
    or the grammar has it.
    """
    if len(text) > TEXT_LIMIT:
        raise BadRecord(1, 1, f"more than {TEXT_LIMIT >> 20} MiB")
    tags: dict[str, Tag] = {}
    body: _Body | None = None
    number, games = 1, 0
    for number, line in _lines(text):
        if body is None:
            if not line.strip():
                continue
            if line.lstrip().startswith("["):
                read_tag(number, line, tags)
                continue
            body = _Body(tags, number)
        if body.take(number, line):
            yield body.record()
            games += 1
            tags, body = {}, None
    if body is not None:
        raise BadRecord(number, 1, f"the text ends before the game does: {body.owed}")
    if tags or not games:
        raise BadRecord(number, 1, "the text ends where a game should begin")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    text = text.removeprefix("\ufeff")
    at, number = 0, 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        number += 1
        if end - at > LINE_LIMIT:
            raise BadRecord(number, LINE_LIMIT, "the line is too long")
        line = text[at:end].removesuffix("\r")
        if not line.isprintable():
            for column, char in enumerate(line, 1):
                if not char.isprintable() and char != "\t":
                    raise BadRecord(number, column, "a character that cannot be seen")
        yield number, line
        at = end + 1


class _Body:
    """One game's lines, taken one by one."""

    def __init__(self, tags: Mapping[str, Tag], line: int) -> None:
        self._tags = tags
        self._game = game_of(tags, line)
        names = numbered(tags, "Seat")
        if len(names) not in self._game.seats:
            raise BadRecord(
                line,
                1,
                f"the tags Seat0, Seat1 ... name {counted(len(names), 'seat')};"
                f" {self._game.name} has {self._game.seats[0]} to {self._game.seats[-1]}",
            )
        self._names = tuple(tag.value for tag in names)
        self._decks = numbered(tags, "Deck")
        self._course = Course(self._game, len(names))
        self._entries: list[Entry] = []
        self._lines: list[str] = []  # as they should be written
        self._expected: list[str] = []  # the lines that have to come before anything else

    def record(self) -> GameRecord:
        about = {name: self._tags[name].value for name in ABOUT if name in self._tags}
        return GameRecord(self._game, self._names, tuple(self._entries), about)

    @property
    def owed(self) -> str:
        if self._expected:
            return f"{self._expected[0][:80]} is to come"
        if self._course.ended:
            return f"the game has ended with {result_line(self._course)}"
        return self._course.owed

    def take(self, number: int, line: str) -> bool:
        """Take a line; whether the game ends with it."""
        words = Words(number, line)
        if not words:
            if words.note:
                self._entries.append(Remark(words.note))
            return False
        showing = isinstance(self._course.need, Show) and not self._course.ended
        if showing and not self._expected and words.at(0) != "stopped":
            self._follow(words, Faced())
        if not self._expected:
            if self._course.ended and words.at(0) == result_line(self._course):
                words.must_be(result_line(self._course))
                self._check_tags()
                return True
            self._follow(words, self._entry(words))
        words.must_be(self._expected[0])
        self._lines.append(self._expected.pop(0))
        return False

    def _entry(self, words: Words) -> Entry:
        """What a line tells that does not follow from what was before."""
        seats = self._course.seats
        match words.at(0):
            case "deck":
                number = len(self._course.decks) + 1
                if self._course.ended or not isinstance(self._course.need, Shuffle):
                    raise words.wrong_word(0, f"no deck is dealt here; {self.owed}")
                if number > len(self._decks):
                    raise words.wrong_word(0, f"the tag Deck{number} is missing")
                return Dealt(tuple(self._decks[number - 1].value.split()))
            case "out":
                return Out(words.seat(1, seats), self._reason(words, 2, _OUT), words.note)
            case "stopped":
                return Stopped(self._reason(words, 1, _STOPPED), words.note)
            case word if _MOVE_NUMBER.fullmatch(word):
                if words.at(1) != "seat":
                    raise words.wrong_word(1, "seat is expected")
                if not words.at(2).endswith(":"):
                    raise words.wrong_word(2, "a seat and a colon are expected")
                seat = words.seat(2, seats)
                return Made(seat, " ".join(word for _, word in words.words[3:]), words.note)
        raise words.wrong_word(0, f"{self.owed}, not {words.at(0)!r:.30}")

    def _reason(self, words: Words, index: int, known: Mapping[str, pb.EndReason]) -> pb.EndReason:
        reason = known.get(words.at(index))
        if reason is None:
            raise words.wrong_word(index, f"one of {', '.join(sorted(known))} is expected")
        return reason

    def _follow(self, words: Words, entry: Entry) -> None:
        try:
            self._expected += follow(self._course, entry)
        except Wrong as error:
            if isinstance(entry, Dealt):
                raise self._wrong_deck(error) from error
            raise words.wrong_word(3 if isinstance(entry, Made) else 0, str(error)) from error
        self._entries.append(entry)

    def _wrong_deck(self, error: Wrong) -> BadRecord:
        """Where in its tag a deck is wrong."""
        tag = self._decks[len(self._course.decks)]
        starts = [found.start() for found in re.finditer(r"\S+", tag.value)]
        at = 0 if error.card is None else starts[error.card]
        return BadRecord(tag.line, tag.column + at, str(error))

    def _check_tags(self) -> None:
        """What the tags say of the whole game, now that it is over."""
        if len(self._decks) > len(self._course.decks):
            tag = self._decks[len(self._course.decks)]
            raise tag.wrong("this deck is never dealt")
        said = [*result_tags(self._course)]
        decks = [" ".join(tag.value.split()) for tag in self._decks]
        said.append(("Digest", digest(self._game, len(self._names), decks, self._lines)))
        for name, value in said:
            given = self._tags.get(name)
            if given is None or given.value == value:
                continue
            if name == "Digest":
                raise given.wrong(f"this is another game than the one of this digest, {value}")
            raise given.wrong(f"{name} is {value}, not {given.value!r:.40}")
