"""The lines of a game record, which are written and which a reader expects alike.

docs/records.md has the grammar.
"""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import groupby

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.game_record.course import Course
from aboveboard_referee.game_record.record import (
    ABOUT,
    NOTE_LIMIT,
    Dealt,
    Entry,
    Faced,
    GameRecord,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Show
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.one_line import one_line

DIGEST_DIGITS = 16


def write_record(record: GameRecord) -> str:
    """The text of one game, which ends with an empty line.

    Raises ``course.Wrong`` for entries that are no game, or none that has ended.
    """
    course = Course(record.game, record.seats)
    body: list[tuple[str, str]] = []  # lines and their notes
    decks: list[str] = []
    for entry in record.entries:
        if isinstance(entry, Dealt):
            decks.append(" ".join(entry.cards))
        lines = follow(course, entry)
        body += [(line, "" if more else _note(entry)) for more, line in enumerate(lines)]
    tags = [(name, record.about[name]) for name in ABOUT if name in record.about]
    tags += game_tags(record.game)
    tags += [(f"Seat{seat}", name) for seat, name in enumerate(record.names)]
    tags += result_tags(course)
    tags += [(f"Deck{number}", deck) for number, deck in enumerate(decks, 1)]
    tags.append(("Digest", digest(record.game, record.seats, decks, [line for line, _ in body])))
    said = [f'[{name} "{_quoted(value)}"]' for name, value in tags]
    moves = [f"{line}  {{{note}}}".lstrip() if note else line for line, note in body]
    return "\n".join([*said, "", *moves, result_line(course), "", ""])


def follow(course: Course, entry: Entry) -> list[str]:
    """The lines of an entry, which the course takes here, and of the score if it changes that.

    Raises ``course.Wrong``.
    """
    lines, before = _lines_before(course, entry), course.scores
    course.take(entry)
    return lines if course.scores == before else [*lines, _score_line(course.scores)]


def _lines_before(course: Course, entry: Entry) -> list[str]:
    """The lines of an entry, by the course that is about to take it."""
    match entry:
        case Dealt():
            return [f"deck {len(course.decks) + 1}"]
        case Faced():
            return _show_lines(course)
        case Made(seat, text):
            return [f"{course.moves + 1}. seat {seat}: {text}"]
        case Out(seat, reason):
            return [f"out {seat} {reason_text(reason)}"]
        case Stopped(reason):
            return [f"stopped {reason_text(reason)}"]
        case Remark():
            return [""]


def _show_lines(course: Course) -> list[str]:
    """What is shown next, a line for each seat's cards and for those that all see."""
    if not isinstance(course.need, Show):
        return []
    lines = []
    for audience, grants in groupby(course.need.grants, key=lambda grant: grant[1]):
        faces = [
            f"{slot.deck}.{slot.pos}={course.game.card_text(course.face(slot))}"
            for slot, _ in grants
        ]
        lines.append(" ".join(["show" if audience is None else f"deal {audience}", *faces]))
    return lines


def _score_line(scores: Sequence[int]) -> str:
    """The score so far, by side."""
    return " ".join(["score", *map(str, scores)])


def result_line(course: Course) -> str:
    """The last line: half points by seat as chess has them."""
    _, rows = course.result()
    words = {0: "0", 1: "1/2", 2: "1"}
    return "-".join(words[row.half_points] for row in rows)


def result_tags(course: Course) -> list[tuple[str, str]]:
    """How the game ended; the score is the last one there was, by side."""
    reason, rows = course.result()
    return [
        ("Result", result_line(course)),
        ("Reason", reason_text(reason)),
        ("Score", " ".join(map(str, course.scores))),
        ("Ranks", " ".join(str(row.rank) for row in rows)),
    ]


def game_tags(game: AnyGame) -> list[tuple[str, str]]:
    """A rule set: its name, its version, and the rules that are not as that name has them."""
    usual = dict(registry.describe(registry.game(game.name).rules))
    other = [
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in registry.describe(game.rules)
        if usual[name] != value
    ]
    tags = [("Game", game.name), ("Version", str(game.rules.version))]
    return [*tags, ("Rules", " ".join(other))] if other else tags


def digest(game: AnyGame, seats: int, decks: Iterable[str], lines: Iterable[str]) -> str:
    """What is equal for two texts only if they are of the same game, whoever played it."""
    parts = [f"{name} {value}" for name, value in game_tags(game)]
    parts += [f"{seats} seats", *decks, *(line for line in lines if line)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:DIGEST_DIGITS]


def reasons(known: Iterable[pb.EndReason]) -> dict[str, pb.EndReason]:
    """End reasons by their words."""
    return {reason_text(reason): reason for reason in known}


def _note(entry: Entry) -> str:
    note = "" if isinstance(entry, Dealt | Faced) else entry.note
    return one_line(" ".join(note.replace("{", "(").replace("}", ")").split()), NOTE_LIMIT)


def _quoted(value: str) -> str:
    return one_line(value, NOTE_LIMIT * 10).replace("\\", "\\\\").replace('"', '\\"')
