"""A referee opens another attempt by itself, with the certificates of one that was played."""

from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import Attempt

ROW = Row(
    "certificate from another attempt",
    "referee",
    Outcome.REFUSED,
    (
        Defence(
            "match.terms:check_certificate",
            "(body.tournament, body.match, body.attempt, body.seat) != place",
        ),
    ),
)


def test_a_match_key_of_one_attempt_is_none_of_another() -> None:
    setup = Attempt(attempt=2, certified=1)
    must_deviate(setup.referee, Step.OPENING)
