"""A thief enters with a key whose certificate its owner let expire."""

from aboveboard_referee.fairplay.certificate import ENTRANT, certify_key
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.keys import key
from tests.fakes.leaves import START_US, Leaves

ROW = Row(
    "certificate expired",
    "bot",
    Outcome.REFUSED,
    (Defence("fairplay.certificate:check_key_certificate", "body.expires_us <= since_us"),),
)


def test_a_certificate_outlasts_the_making_of_the_tournament() -> None:
    home = Leaves()
    old = certify_key(key("owner"), home.key_of("stolen").public, ENTRANT, START_US)
    must_be_illegal(home, home.entry("stolen", certificate=old), "a certificate that has expired")
