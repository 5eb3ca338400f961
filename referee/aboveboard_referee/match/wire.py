"""A rule set as it travels: every field of it, by name, and back.

docs/format.md, "Game".
"""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import AnyGame, RuleValue, UnknownGame

LARGEST = 1_000_000
"""Rules have no larger numbers, so that no score outgrows a field."""


def game_to_wire(game: AnyGame) -> pb.Game:
    """The description of ``game`` that is signed with whatever names it."""
    fields = []
    for name, value in registry.describe(game.rules):
        field = pb.RuleField(name=name)
        if isinstance(value, int):
            field.number = value
        elif isinstance(value, str):
            field.text = value
        else:
            field.numbers.extend(value)
        fields.append(field)
    return pb.Game(name=game.name, version=game.rules.version, rules=fields)


def game_from_wire(wire: pb.Game) -> AnyGame:
    """The game that a signed description names; ``UnknownGame`` if it is none of ours."""
    if wire.name not in registry.names():
        raise UnknownGame(f"unknown game {wire.name[:40]!r}")
    kinds = {name: type(value) for name, value in registry.describe(registry.game(wire.name).rules)}
    fields: dict[str, RuleValue] = {}
    for field in wire.rules:
        kind = kinds.get(field.name)
        if kind is None or field.name in fields:
            raise UnknownGame(f"{wire.name} has no rule {field.name[:40]!r}, or has it twice")
        fields[field.name] = _value(field, kind)
    return registry.rebuild(wire.name, wire.version, fields)


def _value(field: pb.RuleField, kind: type) -> RuleValue:
    present = {
        int: field.number != 0,
        str: field.text != "",
        tuple: len(field.numbers) != 0,
    }
    if any(there for other, there in present.items() if other is not kind):
        raise UnknownGame(f"the rule {field.name} has a value of another kind")
    if any(abs(number) > LARGEST for number in (field.number, *field.numbers)):
        raise UnknownGame(f"the rule {field.name} has a number beyond {LARGEST:,}")
    if kind is int:
        return field.number
    if kind is str:
        return field.text
    return tuple(field.numbers)
