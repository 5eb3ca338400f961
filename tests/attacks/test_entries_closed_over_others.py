"""An organiser closes entries over another list than the log has."""

from aboveboard_referee.verify.report import Check
from tests.fakes.archive import Organiser
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import finished, must_blame

ROW = Row(
    "entries closed over others",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.entrants:take_entries_closed",
            "list(closed.entries) != [member.digest for member in ledger.field]",
        ),
    ),
)


def test_the_closing_of_entries_lists_those_in_the_log() -> None:
    organiser = Organiser("closed over", 2, 1, ("cribbage",))
    season = organiser.empty_season()
    for entrant in range(2):
        season.enter(entrant)
    with ROW.without():
        season.add(organiser.entries_closed([season.leaves[1], organiser.entry_leaf(2)]))
        archive = finished(season)
    must_blame(archive, Check.ENTRIES, "the entries that are in the log")
