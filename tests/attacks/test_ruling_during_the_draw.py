"""An organiser knows the links of a draw, and pairs two by a ruling that it dates in time."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame

ROW = Row(
    "ruling during the draw",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rulings:_apply",
            "effect not in _ANY_TIME and _draw_is_being_made(ledger)",
        ),
        Defence(
            "tournament.ledger.rulings:_by_hand", "ledger.free_round <= round_ <= last", "True"
        ),
    ),
)


def test_nobody_is_paired_by_hand_once_links_can_be_known() -> None:
    season = begun("by hand", entrants=4, rounds=2)
    for planned in season.draw():
        season.attempt(planned, EARLY)
    season.standings()
    first = season.ledger.rounds[0].pairings[0].entrants
    with ROW.without():
        season.rule(
            "They wish to.", by_hand=pb.ByHand(round=2, pairings=[pb.Pairing(entrants=first)])
        )
        archive = finished(season)
    must_blame(archive, Check.WORDS, "draw of round 2 is made")
