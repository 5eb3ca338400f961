"""A bot gives another seat's commitment for its own, and then that seat's opening."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import copied, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "commitment copied from the other seat",
    "bot",
    Outcome.PREVENTED,
    (
        Defence("fairplay.commitment:commitment", "u32(seat)", "b''"),
        Defence("fairplay.commitment:commitment", "b32(key)", "b''"),
    ),
)


def test_a_copied_commitment_cannot_be_opened() -> None:
    # Knocks at allegra are the same words for every seat, so that a copy would be legal.
    script = Script(Setup("allegra", seats=3)).until(owes(pb.PHASE_COMMITMENT))
    victim, thief = script.referee.owed
    for payload in ("commitment", "opening"):
        original = script.honest(victim)
        script.send(victim, original)
        assert not script.referee.fold.outs
        script.send(thief, copied(script, thief, payload, original))
    must_go_out(script, thief, pb.END_REASON_REFUSED_OPENING)
