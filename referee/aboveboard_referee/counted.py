"""Numbers before what they count, for people."""

import re


def counted(number: int | float | str, what: str) -> str:
    """``1 leaf``, ``2 leaves``; ``what`` is one of them.

    A number that is to be written in a way of its own is given as its text.
    """
    text = str(number)
    return f"{text} {what if text == '1' else _several(what)}"


def _several(what: str) -> str:
    if what.endswith("leaf"):
        return f"{what[:-1]}ves"
    if re.search("[^aeiou]y$", what):
        return f"{what[:-1]}ies"
    return f"{what}es" if what.endswith(("s", "x", "ch", "sh")) else f"{what}s"
