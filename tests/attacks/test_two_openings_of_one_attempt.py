"""A referee opens one attempt twice, to publish the run that it likes."""

from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "two openings of one attempt",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "verify.evidence_twice:referee_twice",
            "len({encode(wire) for wire in papers.openings}) > 1",
        ),
    ),
)


@dataclass(frozen=True)
class Later(Setup):
    """The same match, opened a second later."""

    def opening(self) -> pb.MatchOpen:
        opening = super().opening()
        opening.time_us += 1_000_000
        return opening


def test_a_bot_that_was_sent_both_openings_has_the_proof() -> None:
    script = Script(Setup()).until(owes(pb.PHASE_MOVE))
    again = Script(Later())
    must_convict(script, 0, "referee", others=again.records[:1])
