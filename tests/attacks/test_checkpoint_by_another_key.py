"""Somebody signs checkpoints of a history of its own, and sits between bot and log."""

from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find, must_raise
from tests.fakes.keys import key

ROW = Row(
    "checkpoint by another key",
    "anybody",
    Outcome.REFUSED,
    (
        Defence(
            "log.checkpoint:open_checkpoint",
            "verify_note(opened, (NoteKey(origin, ED25519, log_key),))",
            "None",
        ),
    ),
)


def test_a_bot_takes_no_checkpoint_but_by_the_key_in_the_manifest() -> None:
    log = Histories()
    bot = log.follower()
    checkpoint = Checkpoint(log.organiser.origin, 9, log.root("b", 9))
    note = sign_checkpoint(checkpoint, key("somebody"))
    must_raise(Disagreement, lambda: bot.news(0, log.hashes("b", 0, 9), note), "checkpoint:")


def test_an_archive_under_a_checkpoint_of_somebody_elses_is_found() -> None:
    archive = finished(begun("other key"))
    tree = Tree(map(leaf_hash, archive.leaves))
    checkpoint = Checkpoint(archive.organiser.origin, tree.size, tree.root())
    files = {**archive.files, CHECKPOINT: sign_checkpoint(checkpoint, key("somebody"))}
    must_find(archive, Check.LOG, ALTERED, "signed by the log's key", files=files)
