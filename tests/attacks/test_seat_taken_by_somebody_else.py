"""Somebody certifies a match key of his own for a seat that is another entrant's."""

from dataclasses import dataclass

from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import must_be_refused
from tests.fakes.keys import key
from tests.fakes.scripted import Setup

ROW = Row(
    "seat taken by somebody else",
    "anybody",
    Outcome.REFUSED,
    (Defence("match.terms:check_certificate", "verify_sole(signed, 'match-key', entry)", "None"),),
)


@dataclass(frozen=True)
class Taken(Setup):
    def certifier(self, seat: Seat) -> PrivateKey:
        return key("somebody's own entry")

    def match_key(self, seat: Seat) -> PrivateKey:
        return key(f"somebody's for {seat}")


def test_a_match_key_that_the_seats_entry_key_did_not_certify_opens_no_match() -> None:
    must_be_refused(Taken())
