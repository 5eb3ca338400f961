"""A bot signs that it saw another log than it was shown, to have the log suspected."""

from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.follower import Disagreement
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row, WentThrough
from tests.fakes.attack_tournaments import EARLY, begun, finished, publish
from tests.fakes.audit import audit
from tests.fakes.keys import key, secret
from tests.fakes.running import Running

ROW = Row(
    "false checkpoint claimed",
    "bot",
    Outcome.REFUSED,
    (
        Defence(
            "log.checkpoint:open_checkpoint",
            "verify_note(opened, (NoteKey(origin, ED25519, log_key),))",
            "None",
        ),
    ),
)


def made_up(origin: str, size: int) -> bytes:
    """What a log never had, as its checkpoint; signed by the liar."""
    return sign_checkpoint(Checkpoint(origin, size, secret("false")), key("a liar"))


def test_the_archive_verifies_and_names_the_seat() -> None:
    season = begun("claimed")
    (planned,) = season.draw()
    running = Running.of(season.cup, planned, trouble=EARLY, log=season)
    liar = running.players[1]
    tell = liar.logged
    lie = made_up(season.cup.origin, season.tree.size + 1)
    liar.logged = lambda note: tell(lie)  # type: ignore[method-assign]  # it lies
    records = running.play()
    season.add(records[-1])
    publish(season, planned, records)
    report = audit(finished(season).files)
    must_not(not report.good, "the archive is spoilt")
    (notice,) = report.notices
    expected = "seat 1 accepted attempt 1 at r1-b1 under what the log did not sign: "
    assert notice.text.startswith(expected)


def test_who_it_was_said_to_goes_on() -> None:
    log = Histories()
    bot = log.follower("a", 8)
    for size in (7, 8, 9):
        try:
            assert bot.claim(made_up(log.organiser.origin, size)) is None
        except Disagreement as error:
            raise WentThrough("the bot leaves the tournament") from error
    bot.news(8, log.hashes("a", 8, 9), log.note("a", 9))
