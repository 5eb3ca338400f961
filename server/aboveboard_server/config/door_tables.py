"""The tables ``[tls]``, ``[entry]`` and ``[limits]``: how bots get in, and how much of the server
each may take.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from aboveboard_client.terminal.called_as import command_line
from aboveboard_server.config.values import Values

_NAME = re.compile(r"[A-Za-z0-9*](?:[A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?", re.ASCII)

MOST_NAMES = 100


@dataclass(frozen=True)
class Tls:
    """How the server proves who it is. Without ``certificate`` and ``key`` it makes its own,
    for the address that it listens on, this machine and ``names``.
    """

    on: bool = False
    certificate: Path | None = None
    key: Path | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """What others may take of the server; for each stream, each address, and all together.

    A stream waits until its bot has proved who it is.
    """

    frames_per_second: int = 2_000
    bytes_per_second: int = 4_000_000
    streams_per_address: int = 10_000
    new_streams_per_second: int = 1_000
    waiting_per_address: int = 500
    waiting: int = 2_000
    entrants: int = 3_000


def tls_of(values: Values) -> Tls:
    """Give both files or none: ``WrongUse`` for one alone."""
    certificate, key = values.path("tls.certificate"), values.path("tls.key")
    for name, given, other in (("certificate", certificate, key), ("key", key, certificate)):
        if given is not None and other is None:
            missing = "key" if name == "certificate" else "certificate"
            values.wrong(f"tls.{name}", f"needs tls.{missing} beside it")
    names = _names(values)
    if names and certificate is not None:
        values.wrong("tls.names", "is for a certificate that is made here; leave one of them out")
    return Tls(values.truth("tls.on"), certificate, key, names)


def tokens_of(values: Values) -> Path | None:
    """The file of the tokens that let bots enter, which has to be there; without one all may."""
    path = values.path("entry.tokens")
    if path is not None and not path.exists():
        values.wrong(
            "entry.tokens",
            f"names a file that is not there: {path};"
            f" {command_line('token', 'new', path, 8)} makes it",
        )
    return path


def limits_of(values: Values) -> Limits:
    """Every limit has a default that no honest bot meets."""
    default = Limits()
    return Limits(
        **{
            name: values.number(f"limits.{name}", least, 1_000_000_000) or getattr(default, name)
            for name, least in _LEAST.items()
        }
    )


_LEAST = {
    "frames_per_second": 50,
    "bytes_per_second": 500_000,
    "streams_per_address": 1,
    "new_streams_per_second": 1,
    "waiting_per_address": 1,
    "waiting": 1,
    "entrants": 2,
}
"""Less would keep bots out that do nothing wrong: the longest frame has to come through."""


def _names(values: Values) -> tuple[str, ...]:
    value = values.get("tls.names")
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MOST_NAMES:
        values.wrong("tls.names", f"must be a list of {MOST_NAMES} names at most")
    for name in value:
        if not isinstance(name, str) or _NAME.fullmatch(name) is None:
            values.wrong("tls.names", f"has {name!r:.60}, which is no name or address of a machine")
    return tuple(value)
