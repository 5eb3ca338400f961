"""A game as its record has it: what cannot be computed, in the order in which it came.

What was shown to whom, the score and the result follow from these and the rules, so they
are not kept here; ``course.py`` brings them about, and the text has them to be checked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.one_line import one_line

NOTE_LIMIT = 1000
"""Characters of the longest comment."""

ABOUT = ("Event", "Date", "Round", "Match", "Attempt")
"""The tags that say which game this was and are no part of it, in their order."""


class Dealt(NamedTuple):
    """A deck came to the table: its cards as people write them, from the top."""

    cards: tuple[str, ...]


class Faced(NamedTuple):
    """The faces that were owed were shown."""


class Made(NamedTuple):
    """A seat moved; ``text`` is the game's notation."""

    seat: Seat
    text: str
    note: str = ""


class Out(NamedTuple):
    """A seat was out, by its own doing."""

    seat: Seat
    reason: pb.EndReason
    note: str = ""


class Stopped(NamedTuple):
    """The service could not go on."""

    reason: pb.EndReason
    note: str = ""


class Remark(NamedTuple):
    """Something that is no part of the game."""

    note: str


Entry = Dealt | Faced | Made | Out | Stopped | Remark


@dataclass(frozen=True)
class GameRecord:
    """One game. ``names`` are by seat, ``about`` has values of the tags of ``ABOUT``."""

    game: AnyGame = field(compare=False)
    names: tuple[str, ...]
    entries: tuple[Entry, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    rules: object = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Any machine of a rule set is as good as any other.
        object.__setattr__(self, "rules", (self.game.name, self.game.rules))

    @property
    def seats(self) -> int:
        return len(self.names)


class BadRecord(ValueError):
    """A text that is no game record. ``str()`` is one line: where it breaks off, and why."""

    def __init__(self, line: int, column: int, what: str) -> None:
        self.line = line
        self.column = column
        super().__init__(one_line(f"line {line}, column {column}: {what}", 400))
