"""A bot signs that it saw another log than it was shown, to have the log suspected."""

from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories, must_not_convict_log
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import (
    EARLY,
    begun,
    finished,
    must_find,
    must_raise,
    publish,
)
from tests.fakes.keys import secret
from tests.fakes.running import Running

ROW = Row(
    "false checkpoint claimed",
    "bot",
    Outcome.VISIBLE,
    (
        Defence("verify.attempts:Transcripts._check_accepted", "tree.root(size) != root"),
        Defence("log.follower:Follower._hold", "self._tree.root(size) != root"),
    ),
)


def test_the_archive_says_that_it_was_the_log_or_this_seat() -> None:
    season = begun("claimed")
    (planned,) = season.draw()
    running = Running.of(season.cup, planned, trouble=EARLY, log=season)
    liar = running.players[1]
    tell = liar.logged
    liar.logged = lambda size, root: tell(size, secret("false"))  # type: ignore[method-assign]  # it lies
    records = running.play()
    season.add(records[-1])
    publish(season, planned, records)
    must_find(finished(season), Check.LOG, "the log or seat 1", "split view: this seat accepted")


def test_who_it_was_said_to_has_no_proof_of_anything() -> None:
    log = Histories()
    bot = log.follower("a", 8)
    error = must_raise(Disagreement, lambda: bot.claim(8, secret("false")))
    assert error.only_claimed
    must_not_convict_log(log.organiser, log.evidence(error.view))
