"""A bot sends what is far too long, so that the record of the match grows with it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.judge import ANSWER_LIMIT
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_go_out, must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "sizes far beyond limits",
    "bot",
    Outcome.REFUSED,
    (
        Defence("match.referee:Referee._out", "evidence[: ANSWER_LIMIT + 1]", "evidence"),
        Defence("match.grounds:check_grounds", "len(wire.evidence) > ANSWER_LIMIT + 1"),
    ),
)

FAR = 512 << 10


def test_an_answer_however_long_adds_no_more_than_a_limit_to_the_record() -> None:
    for data in (bytes(FAR), STANDS["move"]().honest(0) + bytes(FAR)):
        script = STANDS["move"]()
        record, *_ = script.send(0, data)
        must_go_out(script, 0, pb.END_REASON_MALFORMED_MESSAGE)
        must_not(len(record) > 2 * ANSWER_LIMIT, "all of it is kept, and sent to everybody")


def test_a_frame_however_long_adds_no_more_than_a_limit_to_the_record() -> None:
    script = STANDS["move"]()
    record, *_ = script.garbage(0, bytes(FAR))
    must_go_out(script, 0, pb.END_REASON_MALFORMED_MESSAGE)
    must_not(len(record) > 2 * ANSWER_LIMIT, "all of it is kept, and sent to everybody")
