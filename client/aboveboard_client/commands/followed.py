"""Which pairing systems follow an option, so that none is left unheeded without a word."""

from collections.abc import Mapping, Sequence

import click

from aboveboard_client.errors import WrongUse
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.systems.league import LEAST_OF_A_DIVISION, MOST_DIVISIONS

FOLLOWERS: Mapping[str, Sequence[str]] = {
    f"--{field}": [name for name, system in all_systems().items() if field in system.traits.follows]
    for field in ("accelerated", "legs", "reach", "divisions")
}
"""The systems that an option means something to; every other option means it to all."""


def check_followed(given: Mapping[str, object], systems: Sequence[str]) -> None:
    """Raises ``WrongUse`` for an option, not None, that none of the systems follows."""
    for option, value in given.items():
        if value is not None and not set(FOLLOWERS[option]) & set(systems):
            raise WrongUse(
                f"{option} means nothing to {', '.join(systems)}; it is for"
                f" {', '.join(FOLLOWERS[option])}"
            )


def sizes_of_divisions(
    _: click.Context, __: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    """An option's list of sizes, such as 4,4,6."""
    if value is None:
        return None
    parts = [part.strip() for part in value.split(",")]
    if len(parts) > MOST_DIVISIONS or not all(
        part.isascii() and part.isdigit() and len(part) <= 6 for part in parts
    ):
        raise click.BadParameter(f"{value[:60]!r} is no list of sizes, such as 4,4,6")
    if min(map(int, parts)) < LEAST_OF_A_DIVISION:
        raise click.BadParameter(f"a division has {LEAST_OF_A_DIVISION} or more")
    return tuple(map(int, parts))
