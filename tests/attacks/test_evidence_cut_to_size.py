"""Somebody leaves out, alters or exchanges what an honest referee sent him, to convict it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import evidence, mail, must_prove_nothing
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.forging import edited, follow, rechained, unsigned
from tests.fakes.keys import key
from tests.fakes.scripted import Script, owes

ROW = Row(
    "evidence cut to size",
    "anybody",
    Outcome.PREVENTED,
    (
        Defence(
            "verify.evidence_replay:Replay._follow",
            "deviation if place <= self._vouched else None",
            "deviation",
        ),
    ),
)


def test_an_honest_referees_records_convict_nobody_however_they_are_cut() -> None:
    script = Script().until(owes(pb.PHASE_MOVE, at=3))
    records, shows = mail(script, 0)
    must_prove_nothing(evidence(0, records, shows))
    for place in range(1, len(records)):
        dropped = records[:place] + records[place + 1 :]
        must_prove_nothing(evidence(0, dropped, shows))
        must_prove_nothing(evidence(0, records[:place], shows))
    for place in range(1, len(records) - 1):
        one, two = records[place : place + 2]
        must_prove_nothing(evidence(0, [*records[:place], two, one, *records[place + 2 :]], shows))


def test_records_that_somebody_rewrote_convict_nobody() -> None:
    script = Script().until(owes(pb.PHASE_MOVE, at=3))
    records, shows = mail(script, 0)
    for place in range(1, len(records)):
        before, (record, *later) = records[:place], records[place:]
        for signers in ((), (key("somebody"),)):
            altered = edited(record, lambda event: setattr(event, "time_us", 1), *signers)
            must_prove_nothing(evidence(0, [*before, altered, *later], shows))
        rewritten = rechained([record], follow(before), key("somebody"), renumber=True)
        must_prove_nothing(evidence(0, [*before, *map(unsigned, rewritten)], shows))
        must_prove_nothing(evidence(0, [*before, *rewritten, *later], shows, others=[record]))
