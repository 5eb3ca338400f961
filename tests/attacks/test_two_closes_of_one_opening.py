"""An organiser logs a second result of one attempt, the one that it likes."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import (
    OTHERWISE,
    Apart,
    begun,
    finished,
    must_blame,
    played,
    publish,
)

ROW = Row(
    "two closes of one opening",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.opens:Attempts.end", "del self._under_way[attempt.head0]", "pass"
        ),
    ),
)


def test_an_opening_is_closed_once() -> None:
    season = begun("closed twice")
    (planned,) = season.draw()
    first = played(season, planned)
    better = played(season, planned, OTHERWISE, log=Apart(season))
    publish(season, planned, better)
    with ROW.without():
        season.add(first[-1])
        season.add(better[-1])
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "a close of none")
