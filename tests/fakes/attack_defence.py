"""Switching off one check of the product, in the very code that is otherwise run.

A defence is named by its function and by the expression or statement in it that does the
checking. Switched off, the function runs with another one in that place; everybody who
holds the function has it so, since its code is exchanged and not the function. A defence
that the product no longer has is an error, so that no row can outlive its defence.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from aboveboard_referee.fairplay.keys import PublicKey

WHOLE = "the whole function"
"""The ``check`` of a function that does nothing else."""

REFUSES = "refuses: "


@dataclass(frozen=True)
class Defence:
    """``check`` in the function ``where``, such as ``match.decks:Decks.check_face``.

    Modules count from ``aboveboard_referee``, unless another package is named. ``off``
    stands in its place when it is switched off: an expression for an expression, a
    statement for a statement, and a statement where ``check`` is ``WHOLE``. ``refuses:
    words`` is the condition of the one raise whose message has these words, however it
    is put.
    """

    where: str
    check: str
    off: str = "False"


class NoSuchDefence(Exception):
    """The product has no such check, or has it more than once in that function."""


_whole: dict[FunctionType, CodeType] = {}
"""The code of functions that lack a check now, as the product has it."""


@contextmanager
def switched_off(defences: Iterable[Defence]) -> Iterator[None]:
    """The product without these checks; as it was afterwards.

    Within it checks can be switched off again: whoever is attacked lacks a defence then,
    and so does the attacker.
    """
    by_function: dict[str, list[Defence]] = {}
    for defence in defences:
        by_function.setdefault(defence.where, []).append(defence)
    changed = [(_function(where), _without(where, those)) for where, those in by_function.items()]
    kept = [(function, function.__code__) for function, _ in changed]
    first = [(function, code) for function, code in kept if function not in _whole]
    _whole.update(first)
    try:
        for function, code in changed:
            function.__code__ = code
        yield
    finally:
        for function, original in kept:
            function.__code__ = original
        for function, _ in first:
            del _whole[function]
        PublicKey.parse.cache_clear()  # it may hold keys that are no keys


def _function(where: str) -> FunctionType:
    module, path = where.split(":")
    package = "" if module.startswith("aboveboard_") else "aboveboard_referee."
    found: Any = import_module(package + module)
    for name in path.split("."):
        found = vars(found)[name]
    found = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    assert isinstance(found, FunctionType), where
    return found


def _without(where: str, defences: list[Defence]) -> Any:
    """The code of a function that lacks these checks."""
    function = _function(where)
    source = inspect.getsource(_whole.get(function, function.__code__))
    tree = ast.parse(textwrap.dedent(source))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef)
    definition.decorator_list = []
    for defence in defences:
        if defence.check == WHOLE:
            definition.body = ast.parse(defence.off).body
            continue
        exchange = _Exchange(defence)
        exchange.visit(tree)
        if exchange.found != 1:
            raise NoSuchDefence(f"{where} has {exchange.found} times: {defence.check}")
    names = dict(function.__globals__)
    exec(compile(ast.fix_missing_locations(tree), f"<without a defence: {where}>", "exec"), names)
    return names[definition.name].__code__


class _Exchange(ast.NodeTransformer):
    """Puts a defence's ``off`` where its ``check`` is, whatever the spacing."""

    def __init__(self, defence: Defence) -> None:
        self.found = 0
        self._words = defence.check.partition(REFUSES)[2]
        self._check = "" if self._words else ast.dump(_node(defence.check))
        self._off = defence.off

    def visit(self, node: ast.AST) -> Any:
        if self._words and isinstance(node, ast.If) and self._refuses(node):
            self.found += 1
            node.test = ast.Constant(False)
        elif ast.dump(node) == self._check:
            self.found += 1
            return _node(self._off) if isinstance(node, ast.expr) else ast.parse(self._off).body
        return self.generic_visit(node)

    def _refuses(self, node: ast.If) -> bool:
        (first, *others) = node.body
        return not others and isinstance(first, ast.Raise) and self._words in ast.unparse(first)


def _node(source: str) -> ast.AST:
    (statement,) = ast.parse(source).body
    return statement.value if isinstance(statement, ast.Expr) else statement
