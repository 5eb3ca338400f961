"""An organiser lets somebody in when it knows who else has entered."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame

ROW = Row(
    "entrant added after the close",
    "organiser",
    Outcome.PROVED,
    (Defence("tournament.ledger.entrants:take_entry", "ledger.closed"),),
)


def test_an_entry_after_entries_were_closed_is_found() -> None:
    season = begun("added", entrants=3)
    with ROW.without():
        season.enter(3)
        archive = finished(season)
    must_blame(archive, Check.ENTRIES, "no entry after entries were closed")
