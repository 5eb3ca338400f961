"""A server goes back to an earlier state of its log and goes on from there otherwise."""

from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.verify.receipt import Receipt
from aboveboard_referee.verify.report import LOG_KEY, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import COMMON, Histories, must_convict_log
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find, must_raise

ROW = Row(
    "log rolled back",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "log.follower:Follower.news",
            "leaf_hashes[:overlap] != self._tree.hashes(size_before, known)",
        ),
        Defence("log.follower:Follower._compare", "self._tree.root(size) != shown.checkpoint.root"),
        Defence("verify.receipt:_check_checkpoint", "tree.root(size) != checkpoint.root"),
    ),
)


def test_a_bot_that_is_told_other_leaves_has_the_proof_by_itself() -> None:
    log = Histories()
    bot = log.follower("a", 9)
    anew = log.hashes("b", COMMON, 8)
    error = must_raise(Disagreement, lambda: bot.news(COMMON, anew, log.note("b", 8)))
    must_convict_log(log.organiser, log.evidence(error.view))


def test_a_receipt_of_what_was_there_before_shows_it_in_the_archive() -> None:
    season = begun("rolled back")
    cup, before = season.cup, len(season.leaves)
    season.rule("this never was")
    note = cup.note(season.tree, before + 1)
    anew = begun("rolled back")
    anew.rule("something else")
    archive = finished(anew)
    receipt = Receipt(
        "receipt.json",
        cup.tournament,
        NoteKey(cup.origin, ED25519, cup.log_key.public),
        0,
        cup.entry_key(0).public.raw,
        (note,),
    )
    must_find(archive, Check.RECEIPTS, LOG_KEY, "receipt.json", receipt)
