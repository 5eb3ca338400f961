"""The pairing systems by name."""

from aboveboard_referee.tournament.systems.double_elimination import DoubleElimination
from aboveboard_referee.tournament.systems.gauntlet import Gauntlet
from aboveboard_referee.tournament.systems.knockout import Knockout
from aboveboard_referee.tournament.systems.ladder import Ladder
from aboveboard_referee.tournament.systems.league import League
from aboveboard_referee.tournament.systems.round_robin import RoundRobin
from aboveboard_referee.tournament.systems.system import System


def systems() -> dict[str, System]:
    """Every system that a new tournament can be played by."""
    every: tuple[System, ...] = (
        RoundRobin(),
        Knockout(),
        DoubleElimination(),
        Gauntlet(),
        Ladder(),
        League(),
    )
    return {system.name: system for system in every}
