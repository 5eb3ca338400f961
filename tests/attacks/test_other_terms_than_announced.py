"""A referee opens a match by other rules than the bot's ticket and the manifest have."""

from dataclasses import dataclass
from functools import cache

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.verify.evidence import make_evidence, weigh
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import BOTS, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.keys import key
from tests.fakes.referees import manifest
from tests.fakes.scripted import Script, Setup

ROW = Row(
    "other terms than announced",
    "referee",
    Outcome.PROVED,
    (Defence("match.player:Player._open", "found != expected"),),
)

ORGANISER = key("organiser")


@cache
def announced() -> bytes:
    """The body of a manifest that names the referee."""
    wire = manifest("cribbage")
    wire.referees[0].key = REFEREE.public.raw
    return encode(wire)


@dataclass(frozen=True)
class Changed(Setup):
    """A match of that tournament, to half the points."""

    @property
    def tournament(self) -> bytes:
        return tournament_id(announced())

    def opening(self) -> pb.MatchOpen:
        opening = super().opening()
        target = next(rule for rule in opening.game.rules if rule.name == "target")
        target.number = 61
        return opening


def test_a_match_by_other_rules_is_refused_and_convicts_beside_the_manifest() -> None:
    script = Script(Changed())
    must_refuse(script, BOTS, Step.OPENING)
    # By itself an opening says nothing about what was announced.
    must_convict_nobody(script, 0)
    signed = sign(type_of("tournament-manifest"), announced(), ORGANISER).to_bytes()
    data = make_evidence(holder=0, records=script.sent[0], shows=(), manifest=signed)
    proof = weigh(data, ORGANISER.public)
    assert (proof.party, proof.step, proof.referee_known) == ("referee", Step.OPENING, True)
