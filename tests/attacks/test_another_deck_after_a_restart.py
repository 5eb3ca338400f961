"""A referee that was restarted deals another deck to a bot that comes back with nothing."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict, must_convict_nobody
from tests.fakes.attack_referees import drawing_anew
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "another deck after a restart",
    "referee",
    Outcome.PROVED,
    (Defence("verify.evidence_twice:_two_histories", "heads.setdefault(sequence, head) != head"),),
)


def test_what_was_sent_before_and_after_the_restart_convicts_together() -> None:
    before = Script(Setup()).until(owes(pb.PHASE_MOVE))
    after = Script(Setup(), drawing_anew).until(owes(pb.PHASE_MOVE))
    common = [a for a, b in zip(before.records, after.records, strict=True) if a == b]
    assert len(before.records) - len(common) == 2  # the root, and who was shown cards under it
    for seat in (0, 1):
        must_convict_nobody(after, seat)
        must_convict(after, seat, "referee", others=before.records)
