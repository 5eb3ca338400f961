"""A bot that is out brings the service down, or has a friend there, to get a draw."""

from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "stop to save a seat that is out",
    "bot or referee",
    Outcome.PREVENTED,
    (Defence("match.result:result", "max(2, 1 + len(left) + later)", "1"),),
)


def test_a_seat_that_is_out_gains_nothing_when_the_match_is_stopped_as_well() -> None:
    script = STANDS["move"]()
    script.send(0, b"")
    script.stop()
    points = [seat.half_points for seat in script.finish().seats]
    must_not(points[0] > 0, "the seat that was out gets a draw")
    assert points == [0, 2]
