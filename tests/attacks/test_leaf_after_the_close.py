"""An organiser rules once more when the tournament is over and everybody has gone."""

from dataclasses import replace

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, must_blame

ROW = Row(
    "leaf after the close",
    "organiser",
    Outcome.PROVED,
    (Defence("tournament.ledger.ledger:Ledger.apply", "self.close is not None"),),
)


def test_nothing_comes_after_the_close() -> None:
    season = begun("over")
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    season.standings()
    with ROW.without():
        published = season.published()
        season.time_us += 10**11
        season.rule("the prize goes to somebody else")
        leaves = season.leaves
    archive = replace(published, files=published.relogged(leaves))
    must_blame(archive, Check.WORDS, "nothing after the close")
