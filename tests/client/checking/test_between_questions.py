"""What happens to a bot between its questions is found out, too, and is no matter to a good one."""

import pytest

from tests.fakes.checked import failure_of, report_of
from tests.fakes.command_line import Run

pytestmark = pytest.mark.usefixtures("bots")


def test_a_bot_that_keeps_one_matchs_state_for_another_is_warned(run: Run) -> None:
    report = report_of(run, "Counting", "cribbage/2/two-matches")
    (warning,) = report["warnings"]
    assert "keeps something from one match for another: alone it answered `" in warning


def test_a_bot_whose_seed_does_not_repeat_it_is_warned(run: Run) -> None:
    report = report_of(run, "Unseeded", "cribbage/2/two-matches")
    (warning,) = report["warnings"]
    assert "otherwise when it is started again with the same seed" in warning


@pytest.mark.parametrize("bot", ["First", "Chancing"])
def test_two_matches_by_turns_are_no_matter_to_who_keeps_nothing(bot: str, run: Run) -> None:
    assert report_of(run, bot, "cribbage/2/two-matches")["warnings"] == []


def test_a_bot_that_forgets_when_it_is_started_anew_fails_there(run: Run) -> None:
    failure = failure_of(run, "Remembering", "cribbage/2/restarted")
    assert failure["what"] == "raised KeyError"
    assert failure["situation"].startswith("the bot was killed before and started anew")


def test_a_connection_that_breaks_is_no_matter_to_the_bot(run: Run) -> None:
    report = report_of(run, "Remembering", "cribbage/2/reconnected")
    (tried,) = report["cases"]
    assert tried["questions"] == 20
    met = {row["moment"]: row["met"] for row in report["moments"]}
    assert met["reconnected"] == 17
