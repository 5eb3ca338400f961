"""An organiser shows two bots two histories of the tournament."""

from aboveboard_referee.log.follower import Disagreement
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories, must_convict_log, must_not_convict_log
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_raise

ROW = Row(
    "log forked",
    "organiser",
    Outcome.PROVED,
    (
        Defence("log.follower:Follower._compare", "self._tree.root(size) != shown.checkpoint.root"),
        Defence("log.fork:_beginnings", "smaller < size and not _fits(entry, tree)"),
    ),
)


def test_two_bots_that_tell_each_other_what_they_saw_each_hold_the_proof() -> None:
    log = Histories()
    for mine, theirs in ("ab", "ba"):
        bot = log.follower(mine, 7)
        error = must_raise(Disagreement, lambda: bot.claim(log.note(theirs, 7)))  # noqa: B023  # called at once
        must_convict_log(log.organiser, log.evidence(error.view))


def test_what_two_keep_who_never_met_convicts_the_log_together_and_not_alone() -> None:
    log = Histories()
    one, other = (log.evidence(log.follower(*seen).view()) for seen in (("a", 7), ("b", 9)))
    for alone in (one, other):
        must_not_convict_log(log.organiser, alone, alone)
    must_convict_log(log.organiser, one, other)
