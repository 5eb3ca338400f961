"""A bot whose owner certifies one match key for every seat."""

from aboveboard_referee.match.local import certificate
from tests.fakes.keys import key
from tests.fakes.robots import Robot


class SharingRobot(Robot):
    """Honest, but for a match key that all of its kind have."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = key("the same in every seat")
        self.certificate = certificate(self.entry, self.match_key())
        self.player = self.new_player()
