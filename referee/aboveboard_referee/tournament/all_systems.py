"""Every pairing system that a manifest with a form can name."""

from collections.abc import Mapping
from functools import cache

from aboveboard_referee.tournament.swiss_2.system import Swiss2
from aboveboard_referee.tournament.systems.registry import systems
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize
from aboveboard_referee.tournament.systems.system import System
from aboveboard_referee.tournament.systems.traits import Traits
from aboveboard_referee.tournament.tables.system import Tables


@cache
def all_systems() -> Mapping[str, System]:
    """The newest version of each system, by its name."""
    every: tuple[System, ...] = (SwissOfAnySize(), Tables(), *systems().values())
    return {system.name: system for system in every}


@cache
def _older_systems() -> Mapping[tuple[str, int], System]:
    """Those that no new tournament is played by, by name and version."""
    older: tuple[System, ...] = (Swiss2(),)
    return {(system.name, system.version): system for system in older}


def traits_of(name: str) -> Traits:
    """Those of the system of this name, or of one that nothing is known of."""
    system = all_systems().get(name)
    return Traits() if system is None else system.traits


def find_system(name: str, version: int) -> System | None:
    """The system of this name in this version; ``None`` if this release has none."""
    system = all_systems().get(name)
    if system is not None and system.version == version:
        return system
    return _older_systems().get((name, version))
