"""A thief plays on with a key that its owner has exchanged, and the organiser lets it."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame

ROW = Row(
    "key used after it was rotated",
    "organiser",
    Outcome.PROVED,
    (
        Defence("tournament.field:Member.rotate", "self.key = self.chain_key = key", "pass"),
        Defence("tournament.field:Member.rotate", "self.known = (0, tip)", "pass"),
    ),
)


def test_an_old_key_gives_no_link_for_a_draw() -> None:
    season = begun("old key", rounds=2)
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    old = season.keys[0]
    with ROW.without():
        season.rotate(0)
        season.keys[0] = old
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS, "draw-reveal")
