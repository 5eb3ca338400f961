"""A referee closes a match with another result than follows from its events."""

from functools import partial

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import REFEREE, must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import edited

ROW = Row(
    "result that does not follow",
    "referee",
    Outcome.PROVED,
    (Defence("match.close:check_close", "wire != fold.close_body(wire.time_us)"),),
)


def _won_by_seat_1(close: pb.MatchClose) -> None:
    for row, half_points in zip(close.seats, (0, 2), strict=True):
        row.half_points = half_points


def test_no_bot_signs_another_result_and_each_can_prove_it() -> None:
    script = STANDS["move"]()
    script.stop()
    close = edited(script.referee.close(script.now), _won_by_seat_1, REFEREE)
    for seat, player in script.players.items():
        must_deviate(partial(player.sign_close, close), Step.CLOSE)
        must_convict(script, seat, "referee", others=[close])
