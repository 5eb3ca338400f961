"""A referee opens another attempt by itself, with the certificates of one that was played."""

from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.terms import read_terms
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import evidence, must_prove, must_prove_nothing
from tests.fakes.attack_matches import must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import Attempt, opened_all_the_same

ROW = Row(
    "certificate from another attempt",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.terms:check_certificate",
            "(body.tournament, body.match, body.attempt, body.seat) != place",
        ),
    ),
)


def test_no_attempt_is_opened_with_match_keys_of_another() -> None:
    setup = Attempt(attempt=2, certified=1)
    opening = opened_all_the_same(setup)
    must_deviate(lambda: read_terms(parse_signed(opening)), Step.OPENING)
    must_deviate(lambda: setup.player(0).take([opening]), Step.OPENING)
    must_prove(evidence(None, [opening], ()), "referee")
    must_prove_nothing(evidence(None, [opened_all_the_same(Attempt(attempt=1))], ()))
