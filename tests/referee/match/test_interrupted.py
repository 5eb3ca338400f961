"""What becomes of a match that cannot be carried on."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.interrupted import finish_interrupted
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, owes


@pytest.mark.parametrize("phase", [pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_MOVE])
@pytest.mark.parametrize("lost", [0, 1])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_is_played_again_where_no_entropy_was_asked_for_and_nothing_decided(
    seats: int, lost: int, phase: pb.Phase
) -> None:
    script = Script(Setup("cribbage", seats)).until(owes(phase))
    for seat in range(lost):
        script.lost(seat)
    added = finish_interrupted(
        script.records,
        key("a referee"),
        secret("a referee's links"),
        pb.END_REASON_INTERRUPTED,
        "a test",
        script.now,
    )
    verified = verify_match(join((*script.records, *added)))
    again = phase == pb.PHASE_ACCEPT and not (lost and seats == 2)
    assert verified.void == again
