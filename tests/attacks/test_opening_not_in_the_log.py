"""A referee deals a match that is in no log, so that nobody would miss it."""

from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, Apart, begun, finished, publish
from tests.fakes.audit import audit
from tests.fakes.running import Running

ROW = Row(
    "opening not in the log",
    "referee",
    Outcome.REFUSED,
    (
        Defence("match.player:Player.__init__", 'None if expected.in_log else b""', 'b""'),
        Defence("verify.accepted:check_accepted", "size <= attempt.opened"),
    ),
)


def test_a_bot_accepts_no_match_before_its_opening_is_proved_to_be_in_the_log() -> None:
    season = begun("not logged")
    (planned,) = season.draw()
    running = Running.of(season.cup, planned, log=season)
    running.deliver(running.referee.start(running.now_us))
    for player in running.players:
        must_not(player.protocol_answer() is not None, "it accepts")


def test_the_report_says_of_a_match_that_it_was_accepted_before_it_was_in_the_log() -> None:
    season = begun("logged later")
    (planned,) = season.draw()
    running = Running.of(season.cup, planned, trouble=EARLY, log=Apart(season))
    records = running.play()
    season.add(records[0])
    season.add(records[-1])
    publish(season, planned, records)
    told = [notice.text for notice in audit(finished(season).files).notices]
    must_not(not told, "nobody is told")
    why = "under a checkpoint of 6 leaves, which does not cover its opening"
    assert told == [f"seat {seat} accepted attempt 1 at r1-b1 {why}" for seat in (0, 1)]
