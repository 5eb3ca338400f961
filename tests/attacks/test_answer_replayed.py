"""Somebody sends a bot's answer once more, so that the bot goes out for it."""

from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "answer replayed",
    "anybody",
    Outcome.PREVENTED,
    (
        Defence("match.referee:Referee.receive", "fold.was_accepted(data)"),
        Defence("match.grounds:check_grounds", "fold.was_accepted(wire.evidence)"),
    ),
)


def test_the_same_answer_is_one_answer_however_often_it_comes() -> None:
    script = STANDS["move"]()
    answer = script.honest(0)
    assert script.send(0, answer)
    for seat in (0, 0, 1):
        must_not(bool(script.send(seat, answer)), f"seat {seat} goes out for it")
    script.step()
    must_not(bool(script.send(0, answer)), "seat 0 goes out for it a question later")
    assert not script.referee.fold.outs
