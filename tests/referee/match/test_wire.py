"""Rule sets as they travel."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.wire import game_from_wire, game_to_wire

NAMES = registry.names()


def wire(name: str) -> pb.Game:
    return game_to_wire(registry.game(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_set_comes_back_as_it_went(name: str) -> None:
    game = registry.game(name)
    body = encode(wire(name))
    back = game_from_wire(decode(pb.Game, body))
    assert (back.name, back.rules) == (game.name, game.rules)
    assert encode(game_to_wire(back)) == body


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_the_rules_travels_by_name(name: str) -> None:
    fields = [field.name for field in wire(name).rules]
    assert fields == [field for field, _ in registry.describe(registry.game(name).rules)]
    assert wire(name).version == registry.game(name).rules.version


def test_no_two_rule_sets_travel_alike() -> None:
    assert len({encode(wire(name)) for name in NAMES}) == len(NAMES)


def test_another_value_is_another_rule_set() -> None:
    changed = wire("cribbage")
    next(field for field in changed.rules if field.name == "target").number = 61
    game = game_from_wire(changed)
    assert game.name == "cribbage"
    assert game.rules != registry.game("cribbage").rules
    assert encode(game_to_wire(game)) == encode(changed)


def _target(game: pb.Game) -> pb.RuleField:
    return next(field for field in game.rules if field.name == "target")


def _swap(game: pb.Game) -> None:
    first = pb.RuleField()
    first.CopyFrom(game.rules[0])
    game.rules[0].CopyFrom(game.rules[1])
    game.rules[1].CopyFrom(first)


@pytest.mark.parametrize(
    "change",
    [
        lambda g: g.ClearField("name"),
        lambda g: setattr(g, "name", "whist"),
        lambda g: setattr(g, "name", "cribbage:acc"),
        lambda g: setattr(g, "name", "Cribbage"),
        lambda g: setattr(g, "name", "nebraska:poker"),
        lambda g: setattr(g, "name", "x" * 10_000),
        lambda g: g.ClearField("version"),
        lambda g: setattr(g, "version", 2),
        lambda g: g.ClearField("rules"),
        lambda g: g.rules.pop(),
        lambda g: g.rules.add(name="muggins", number=1),
        lambda g: g.rules.add(name="target", number=121),
        lambda g: g.rules.add(),
        _swap,
        lambda g: setattr(_target(g), "name", "version"),
        lambda g: setattr(_target(g), "text", "121"),
        lambda g: _target(g).numbers.append(121),
        lambda g: _target(g).CopyFrom(pb.RuleField(name="target", text="121")),
        lambda g: _target(g).CopyFrom(pb.RuleField(name="target", numbers=[121])),
        lambda g: setattr(_target(g), "number", 0),
        lambda g: setattr(_target(g), "number", -1),
        lambda g: setattr(_target(g), "number", 2**63 - 1),
        lambda g: setattr(next(f for f in g.rules if f.name == "look_first"), "number", 2),
    ],
)
def test_a_description_of_no_game_of_ours_is_refused(change: Callable[[pb.Game], object]) -> None:
    game = wire("cribbage")
    change(game)
    with pytest.raises(UnknownGame):
        game_from_wire(game)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [0, -1, 1, 7, 10**6, 2**63 - 1, -(2**63)])
def test_any_number_in_any_rule_makes_a_game_or_is_refused(name: str, number: int) -> None:
    for index, field in enumerate(wire(name).rules):
        for kind in ("number", "numbers", "text"):
            game = wire(name)
            rule = game.rules[index]
            if kind == "number":
                rule.number = number
            elif kind == "numbers":
                rule.numbers[:] = [number, *field.numbers[1:]]
            else:
                rule.text = str(number)
            try:
                back = game_from_wire(game)
            except UnknownGame:
                continue
            assert encode(game_to_wire(back)) == encode(game)
            for seats in back.seats:
                assert 1 <= back.max_shuffles(seats) <= 1024
                back.need(back.start(seats))
