"""A referee takes what a seat signed for another purpose and puts it down as its answer."""

from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import EVERYBODY, must_refuse, tell_instead_of_answer
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import with_signatures

ROW = Row(
    "signature from another kind",
    "referee",
    Outcome.PREVENTED,
    (Defence("fairplay.envelope:pae", "_pae_start(type_)", "_pae_start('')"),),
)


def test_a_signature_over_the_same_body_as_another_kind_is_none_over_an_answer() -> None:
    script = STANDS["move"]()

    def relabelled(honest: bytes) -> bytes:
        body = parse_signed(honest).body
        elsewhere = sign(type_of("admission"), body, own_key(script, 0))
        return with_signatures(honest, *elsewhere.signatures)

    tell_instead_of_answer(script, relabelled)
    must_refuse(script, EVERYBODY, Step.ANSWER)
