"""A bot passes for another's by a certificate that was made for something else."""

from aboveboard_referee.fairplay.certificate import ENTRANT, ORGANISER, certify_key
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.keys import key
from tests.fakes.leaves import START_US, Leaves

ROW = Row(
    "certificate for another role",
    "bot",
    Outcome.REFUSED,
    (
        Defence(
            "fairplay.certificate:check_key_certificate",
            "(body.role, body.key) != (role, key) or body.owner == key",
        ),
    ),
)

WORDS = "a certificate for another key or role"


def test_an_organisers_certificate_is_no_entrants() -> None:
    home = Leaves()
    other = certify_key(key("owner"), home.key_of("bot9").public, ORGANISER, START_US + 1)
    must_be_illegal(home, home.entry("bot9", certificate=other), WORDS)


def test_a_certificate_of_one_key_is_none_of_another() -> None:
    home = Leaves()
    other = certify_key(key("owner"), home.key_of("bot1").public, ENTRANT, START_US + 1)
    must_be_illegal(home, home.entry("bot9", certificate=other), WORDS)
