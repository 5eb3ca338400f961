"""A log signs a checkpoint of more or fewer leaves than it has shown."""

from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.follower import Disagreement
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_raise

ROW = Row(
    "checkpoint of a wrong size",
    "organiser",
    Outcome.REFUSED,
    (
        Defence("log.follower:Follower.news", "shown is not None and shown.checkpoint.size < size"),
        Defence("log.follower:Follower._compare", "self._tree.root(size) != shown.checkpoint.root"),
    ),
)


def test_leaves_that_their_checkpoint_does_not_cover_are_refused() -> None:
    log = Histories()
    bot = log.follower("a", 6)
    news = log.hashes("a", 6, 9)
    must_raise(Disagreement, lambda: bot.news(6, news, log.note("a", 8)), "a checkpoint of fewer")


def test_the_root_of_another_size_is_refused() -> None:
    log = Histories()
    bot = log.follower("a", 6)
    wrong = Checkpoint(log.organiser.origin, 9, log.root("a", 8))
    note = sign_checkpoint(wrong, log.organiser.log_key)
    must_raise(Disagreement, lambda: bot.news(6, log.hashes("a", 6, 9), note), "root of 9 leaves")
