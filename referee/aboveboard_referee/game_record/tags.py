"""The tags of a game record: what stands before its moves."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from aboveboard_referee.game_record.record import ABOUT, BadRecord
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import AnyGame, RuleValue, UnknownGame
from aboveboard_referee.match.wire import LARGEST

_TAG = re.compile(r'\[([A-Za-z]+)([0-9]*)[ \t]+"((?:[^"\\]|\\["\\])*)"\]', re.ASCII)
_ESCAPED = re.compile(r"\\(.)")
_NAMED = (*ABOUT, "Game", "Version", "Rules", "Result", "Reason", "Score", "Ranks", "Digest")
_NUMBERED = ("Seat", "Deck")
_RULE = re.compile("-?[0-9]{1,7}", re.ASCII)


@dataclass(frozen=True)
class Tag:
    """A tag's value, where its line is, and where in it the value begins."""

    value: str
    line: int
    column: int

    def wrong(self, what: str) -> BadRecord:
        return BadRecord(self.line, self.column, what)


def read_tag(number: int, line: str, tags: dict[str, Tag]) -> None:
    """Put the tag of a line to the others."""
    start = len(line) - len(line.lstrip())
    found = _TAG.fullmatch(line.strip())
    if found is None:
        raise BadRecord(number, start + 1, 'a tag is written [Name "value"]')
    word, digits, value = found.groups()
    name = word + digits
    if word not in (_NUMBERED if digits else _NAMED) or len(digits) > 4:
        raise BadRecord(number, start + 2, f"there is no tag {name[:20]}")
    if name in tags:
        raise BadRecord(number, start + 2, f"{name} is there twice")
    tags[name] = Tag(_ESCAPED.sub(r"\1", value), number, start + 1 + found.start(3))


def numbered(tags: Mapping[str, Tag], word: str) -> list[Tag]:
    """The tags of this word and 0, 1, ...; those of decks count from 1."""
    first = 1 if word == "Deck" else 0
    found: list[Tag] = []
    while (tag := tags.get(f"{word}{first + len(found)}")) is not None:
        found.append(tag)
    wanted = f"{word}{first + len(found)}"
    known = {f"{word}{number}" for number in range(first, first + len(found))}
    for name, tag in tags.items():
        if name.startswith(word) and name not in known:
            raise tag.wrong(f"{wanted} is missing, and {name} is there")
    return found


def game_of(tags: Mapping[str, Tag], line: int) -> AnyGame:
    """The rule set that the tags name; ``line`` is where they end."""
    name = tags.get("Game")
    if name is None:
        raise BadRecord(line, 1, "the tag Game is missing before this")
    try:
        game = registry.game(name.value)
    except UnknownGame as error:
        raise name.wrong(str(error)) from error
    version, rules = tags.get("Version"), tags.get("Rules")
    if version is not None and version.value != str(game.rules.version):
        raise version.wrong(f"this release plays version {game.rules.version} of {game.name}")
    return game if rules is None else _other_rules(game, rules)


def _other_rules(game: AnyGame, tag: Tag) -> AnyGame:
    fields = dict(registry.describe(game.rules))
    for found in re.finditer(r"\S+", tag.value):
        name, _, value = found[0].partition("=")
        at = Tag(value, tag.line, tag.column + found.start())
        if name not in fields:
            raise at.wrong(f"there is no rule {name[:30]!r}")
        fields[name] = _rule(fields[name], at)
    try:
        return registry.rebuild(game.name, game.rules.version, fields)
    except UnknownGame as error:
        raise tag.wrong(str(error)) from error


def _rule(usual: RuleValue, tag: Tag) -> RuleValue:
    if isinstance(usual, str):
        return tag.value
    numbers = []
    for text in tag.value.split(","):
        if not _RULE.fullmatch(text) or abs(int(text)) > LARGEST:
            raise tag.wrong(f"a number up to {LARGEST:,} is expected, not {text[:20]!r}")
        numbers.append(int(text))
    if isinstance(usual, tuple):
        return tuple(numbers)
    if len(numbers) != 1:
        raise tag.wrong("one number is expected")
    return numbers[0]
