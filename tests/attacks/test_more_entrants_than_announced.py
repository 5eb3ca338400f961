"""An organiser fills a tournament up with bots beyond what it announced."""

from aboveboard_referee.verify.report import Check
from tests.fakes.archive import Organiser
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import finished, must_blame

ROW = Row(
    "more entrants than announced",
    "organiser",
    Outcome.PROVED,
    (Defence("tournament.ledger.entrants:_enter", "most and len(ledger.field) >= most"),),
)


def test_there_are_no_more_than_the_manifest_says() -> None:
    crowd = Organiser(
        "crowd", 4, 1, ("cribbage",), edit_manifest=lambda m: setattr(m, "entrants_max", 2)
    )
    with ROW.without():
        archive = finished(crowd.season())
    must_blame(archive, Check.ENTRIES, "2 entrants at most")
