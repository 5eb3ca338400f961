"""Somebody certifies a match key of his own for a seat that is another entrant's."""

from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.local import certificate
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
    def certificate(self, seat: Seat) -> bytes:
        body = pb.MatchKey(
            tournament=self.tournament,
            match=self.match,
            attempt=1,
            seat=seat,
            key=key(f"somebody's for {seat}").public.raw,
        )
        return certificate(key("somebody's own entry"), body)


def test_a_match_key_that_the_seats_entry_key_did_not_certify_opens_no_match() -> None:
    must_be_refused(Taken())
