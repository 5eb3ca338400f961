"""A log has no witnesses, for these would see that it is forked."""

from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.verify.report import NOBODY, Check
from aboveboard_referee.verify.trust import Trust
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import WITNESS_KEYS, WITNESSES, Histories
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find, must_raise

ROW = Row(
    "fewer witnesses than demanded",
    "organiser",
    Outcome.REFUSED,
    (
        Defence("log.follower:Follower._open", "len(times) < self._needed"),
        Defence(
            "verify.log_files:_Checking._check_witnesses", "len(report.witnesses) < trust.needed"
        ),
    ),
)


def test_a_bot_goes_on_only_with_as_many_witnesses_as_it_was_told_to_demand() -> None:
    log = Histories()
    one, *_ = WITNESSES
    bot = log.follower(needed=2)
    must_raise(
        Disagreement,
        lambda: bot.news(0, log.hashes("a", 0, 9), log.note("a", 9, one)),
        "1 of the 2 witnesses that are needed co-signed",
    )


def test_an_archive_without_the_witnesses_of_a_trust_file_does_not_verify() -> None:
    archive = finished(begun("unwitnessed"))
    trust = Trust(archive.organiser.key.public, None, WITNESS_KEYS, 1)
    must_find(archive, Check.LOG, NOBODY, "co-signatures by 1 of your witnesses", trust=trust)
