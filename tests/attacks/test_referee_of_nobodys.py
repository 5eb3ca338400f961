"""An organiser has matches refereed by somebody whom the tournament does not name."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame, played, publish
from tests.fakes.keys import key

ROW = Row(
    "referee of nobody's",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_match_open", "wire.referee_key not in ledger.referees"
        ),
    ),
)


def test_a_match_under_a_referee_that_neither_manifest_nor_log_names_is_found() -> None:
    season = begun("nobody's")
    (planned,) = season.draw()
    with ROW.without():
        records = played(season, planned, key=key("somebody"))
        season.add(records[-1])
        publish(season, planned, records)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "a referee that is none of this tournament's")
