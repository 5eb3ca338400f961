"""An organiser shows the log of another tournament that it holds, under its own name."""

from aboveboard_referee.log.checkpoint import Checkpoint, log_origin
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.log.note import sign_note
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find, must_raise
from tests.fakes.keys import secret

ROW = Row(
    "another tournament's log",
    "organiser",
    Outcome.REFUSED,
    (Defence("log.checkpoint:open_checkpoint", "checkpoint.origin != origin"),),
)

ANOTHER = log_origin(secret("another tournament"))


def test_a_bot_takes_no_checkpoint_of_another_tournament_by_the_same_key() -> None:
    log = Histories()
    bot = log.follower()
    text = Checkpoint(ANOTHER, 9, log.root("a", 9)).text()
    note = sign_note(text, log.organiser.origin, log.organiser.log_key).to_bytes()
    must_raise(Disagreement, lambda: bot.news(0, log.hashes("a", 0, 9), note), "another log's")


def test_an_archive_under_the_checkpoint_of_another_tournament_is_found() -> None:
    archive = finished(begun("other log"))
    cup, tree = archive.organiser, Tree(map(leaf_hash, archive.leaves))
    text = Checkpoint(ANOTHER, tree.size, tree.root()).text()
    note = sign_note(text, cup.origin, cup.log_key).to_bytes()
    files = {**archive.files, CHECKPOINT: note}
    must_find(archive, Check.LOG, ALTERED, "another log's", files=files)
