"""An organiser keeps the link that a bot gave to itself, for it likes the other draw more."""

from aboveboard_referee.verify.report import ORGANISER, Check
from tests.fakes.archive import Archive
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find
from tests.fakes.audit import audit

ROW = Row(
    "draw link withheld",
    "organiser",
    Outcome.VISIBLE,
    (Defence("tournament.form_rounds:question", "link is not None", "True"),),
)


def test_who_is_said_to_have_given_no_link_is_absent_for_all_to_see() -> None:
    archive = finished_without(2)
    assert audit(archive.files).good
    must_not(list(archive.pairings[0].absent) != [2], "it is not named as absent")


def finished_without(entrant: int) -> Archive:
    season = begun("withheld", entrants=4)
    season.draw(absent=[entrant])
    return finished(season)


def test_who_is_said_to_have_given_no_link_cannot_be_paired_all_the_same() -> None:
    with ROW.without():
        archive = finished_without(2)
    must_find(archive, Check.PAIRINGS, ORGANISER)
