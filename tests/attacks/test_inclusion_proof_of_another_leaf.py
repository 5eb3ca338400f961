"""A server proves that something is in the log, and it is not the match's opening."""

from aboveboard_referee.log.follower import Disagreement
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_raise

ROW = Row(
    "inclusion proof of another leaf",
    "organiser",
    Outcome.REFUSED,
    (
        Defence(
            "log.follower:Follower.check_logged",
            "check_inclusion(leaf, index, checkpoint.size, path, checkpoint.root)",
            "None",
        ),
        Defence(
            "log.follower:Follower.check_logged",
            "index < self._tree.size and self._tree.leaf(index) != leaf",
        ),
    ),
)


def test_a_bot_wants_the_proof_of_the_very_bytes_that_it_was_sent() -> None:
    log = Histories()
    tree, note = log.trees["a"], log.note("a", 8)
    for index in (5, 7):
        bot = log.follower("a", 6)
        path = tree.inclusion(index, 8)
        must_raise(
            Disagreement,
            lambda: bot.check_logged(b"an opening", index, path, note),  # noqa: B023  # called at once
        )
