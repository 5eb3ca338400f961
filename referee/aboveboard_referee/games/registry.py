"""Every rule set that a match can name, found from the folders beside this file.

A new game is a new folder that exports ``FAMILY``; nothing here changes for it.
"""

import dataclasses
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

import aboveboard_referee.games as _here
from aboveboard_referee.games.contract import Family, Game

RuleValue = int | str | tuple[int, ...]

AnyGame = Game[Any, Any]


class UnknownGame(ValueError):
    """No rule set goes by this name, or its rules are not ones this release can play."""


@cache
def families() -> tuple[Family, ...]:
    """The families of games, by name."""
    found = [
        importlib.import_module(f"{_here.__name__}.{module.name}").FAMILY
        for module in pkgutil.iter_modules(_here.__path__)
        if module.ispkg
    ]
    return tuple(sorted(found, key=lambda family: family.name))


def names() -> tuple[str, ...]:
    """Every selectable rule set, sorted; aliases are left out."""
    return tuple(sorted(name for family in families() for name in family.variants))


def canonical(name: str) -> str:
    """The one name that is signed for ``name``, which may be an alias."""
    for family in families():
        resolved = family.aliases.get(name, name)
        if resolved in family.variants:
            return resolved
        if name == family.name:
            rules = ", ".join(sorted(family.variants))
            raise UnknownGame(f"unknown game {name!r}; name one of its rule sets: {rules}")
    raise UnknownGame(f"unknown game {name!r:.60}; there are {', '.join(names())}")


@cache
def game(name: str) -> AnyGame:
    """The rule set ``name`` (an alias will do) with its own rules."""
    name = canonical(name)
    family = _family(name)
    return family.build(name, family.variants[name])


def describe(rules: object) -> tuple[tuple[str, RuleValue], ...]:
    """Every field of a rule set but its version, in declared order, as it travels."""
    return tuple(
        (field.name, _travelling(getattr(rules, field.name)))
        for field in dataclasses.fields(rules)  # type: ignore[arg-type]  # all rules are dataclasses
        if field.name != "version"
    )


def rebuild(name: str, version: int, fields: Mapping[str, RuleValue]) -> AnyGame:
    """The rule set ``name`` with other values of its fields, each of its field's own kind.

    Raises ``UnknownGame`` for a version other than this release's, for fields that are
    missing, too many or in another order, and for values that cannot be played by.
    """
    family = _family(name)
    known = family.variants[name]
    if version != known.version:
        raise UnknownGame(f"{name} has version {version}, this release plays {known.version}")
    template = dict(describe(known))
    if list(fields) != list(template):
        raise UnknownGame(f"the rules of {name} must have the fields {', '.join(template)}")
    assert all(type(value) is type(template[key]) for key, value in fields.items())
    values = {key: _typed(getattr(known, key), value) for key, value in fields.items()}
    try:
        return family.build(name, family.rules_type(version=version, **values))
    except ValueError as error:
        raise UnknownGame(f"the rules of {name} cannot be played: {error}") from error


def _family(name: str) -> Family:
    return next(family for family in families() if name in family.variants)


def _travelling(value: object) -> RuleValue:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | str):
        return value
    if isinstance(value, tuple) and all(type(item) is int for item in value):
        return value
    raise TypeError(f"a rule cannot be a {type(value).__name__}")


def _typed(template: object, value: RuleValue) -> object:
    if isinstance(template, bool):
        if value not in (0, 1):
            raise UnknownGame("a yes-or-no rule is neither 0 nor 1")
        return bool(value)
    return value
