"""A log writes a witness's line itself."""

from aboveboard_referee.log.follower import Disagreement
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import WITNESSES, Histories, cosigned_by
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_raise

ROW = Row(
    "cosignature made up",
    "organiser",
    Outcome.REFUSED,
    (
        Defence(
            "log.cosignature:_verified_time",
            "witness.key.verify(timed[_TIME_BYTES:], _signed(text, time_s))",
            "None",
        ),
    ),
)


def test_a_line_that_the_witness_did_not_sign_spoils_the_checkpoint() -> None:
    log = Histories()
    name, *_ = WITNESSES
    bot = log.follower(needed=1)
    note = cosigned_by(log.note("a", 9), name, log.organiser.log_key)
    must_raise(Disagreement, lambda: bot.news(0, log.hashes("a", 0, 9), note), "co-signature by")
