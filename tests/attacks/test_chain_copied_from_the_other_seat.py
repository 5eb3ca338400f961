"""A bot takes another seat's tip for its own, and then gives that seat's links."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import copied, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "chain copied from the other seat",
    "bot",
    Outcome.PREVENTED,
    (Defence("fairplay.chain:_before", "b32(key)", "b''"),),
)


def test_a_copied_chain_does_not_fit_the_key_of_who_copied_it() -> None:
    script = STANDS["accept"]()
    for payload in ("accept", "entropy"):
        original = script.honest(0)
        script.send(0, original)
        assert not script.referee.fold.outs
        script.send(1, copied(script, 1, payload, original))
    must_go_out(script, 1, pb.END_REASON_REFUSED_ENTROPY)
