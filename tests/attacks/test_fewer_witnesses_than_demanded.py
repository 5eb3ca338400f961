"""A log has no witnesses, for these would see that it is forked."""

from aboveboard_referee.log.follower import Unwitnessed
from aboveboard_referee.verify.report import NOBODY, Check
from aboveboard_referee.verify.trust import Trust
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import WITNESS_KEYS, WITNESSES, Histories
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find, must_raise

ROW = Row(
    "fewer witnesses than demanded",
    "organiser",
    Outcome.REFUSED,
    (
        Defence("log.follower:Follower._lack", "shown.witnesses < self._needed"),
        Defence(
            "verify.log_files:_Checking._check_witnesses", "len(report.witnesses) < trust.needed"
        ),
    ),
)


def test_a_bot_goes_by_no_checkpoint_with_fewer_witnesses_than_it_was_told_to_demand() -> None:
    log = Histories()
    one, *_ = WITNESSES
    bot = log.follower(needed=2)
    known, note = bot.checkpoint, log.note("a", 9, one)
    bot.news(0, log.hashes("a", 0, 9), note)
    must_not(bot.checkpoint != known, "the bot goes by the checkpoint")
    must_raise(
        Unwitnessed,
        lambda: bot.check_logged(log.leaves["a"][2], 2, log.trees["a"].inclusion(2, 9), note),
        "1 of the 2 witnesses that are needed co-signed",
    )


def test_an_archive_without_the_witnesses_of_a_trust_file_does_not_verify() -> None:
    archive = finished(begun("unwitnessed"))
    trust = Trust(archive.organiser.key.public, None, WITNESS_KEYS, 1)
    must_find(archive, Check.LOG, NOBODY, "co-signatures by 1 of your witnesses", trust=trust)
