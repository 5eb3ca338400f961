"""An organiser has two play on after their pairing was decided, for its bot has lost it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.archive import Organiser
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, OTHERWISE, finished, must_blame

ROW = Row(
    "match after the decision",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_match_open",
            "wire.attempt == 1 and not ledger.is_due(planned)",
        ),
    ),
)


def a_majority(manifest: pb.TournamentManifest) -> None:
    manifest.form.MergeFrom(pb.Form(games=3, majority=True, early_stop=True))


def test_no_match_of_a_decided_pairing_is_opened() -> None:
    season = Organiser("decided", 2, 1, ("cribbage",), edit_manifest=a_majority).season()
    one, two, three = season.draw()
    season.attempt(one, EARLY)
    season.attempt(two, OTHERWISE)
    with ROW.without():
        season.attempt(three, EARLY)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "no match of a pairing that is decided")
