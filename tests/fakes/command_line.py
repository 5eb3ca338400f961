"""The command line as a function from arguments to what came of them."""

from collections.abc import Callable
from typing import NamedTuple


class Ran(NamedTuple):
    """What a command line came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]
