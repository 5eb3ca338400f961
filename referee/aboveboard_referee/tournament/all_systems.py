"""Every pairing system that a manifest with a form can name."""

from aboveboard_referee.tournament.systems.system import System


def find_system(name: str, version: int) -> System | None:
    """The system of this name in this version; ``None`` if this release has none."""
    return None
