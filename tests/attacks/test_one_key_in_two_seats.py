"""Two bots of one owner have the same match key, so that neither's answers are its own."""

from dataclasses import dataclass

from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import must_be_refused
from tests.fakes.keys import key
from tests.fakes.scripted import Setup

ROW = Row(
    "one key in two seats",
    "bot",
    Outcome.REFUSED,
    (Defence("match.terms:read_terms", "len(set(used)) != len(used)"),),
)


@dataclass(frozen=True)
class Shared(Setup):
    def match_key(self, seat: Seat) -> PrivateKey:
        return key("one for all")


def test_no_match_is_opened_with_one_key_for_two_seats() -> None:
    must_be_refused(Shared())
