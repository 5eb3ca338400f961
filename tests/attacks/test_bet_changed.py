"""A bot opens another bet than the one that it committed to."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import (
    EVERYBODY,
    must_go_out,
    must_refuse,
    tell_instead_of_answer,
)
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited
from tests.fakes.scripted import Script

ROW = Row("bet changed", "bot", Outcome.PROVED, (Defence("match.judge:_opening", "not fits"),))


def _another_bet(answer: pb.Answer) -> None:
    slot = int(answer.opening.text.removeprefix("bet "))
    answer.opening.text = f"bet {slot + 1 if slot % 10 != 9 else slot - 1}"


def _changed(script: Script, honest: bytes) -> bytes:
    return edited(honest, _another_bet, own_key(script, 0))


def test_an_opening_of_another_bet_convicts_its_seat() -> None:
    script = STANDS["opening"]()
    script.send(0, _changed(script, script.honest(0)))
    must_go_out(script, 0, pb.END_REASON_REFUSED_OPENING)
    script.step()
    for watcher in EVERYBODY:
        must_convict(script, watcher, "seat 0")


def test_a_referee_that_lets_it_pass_is_refused_and_convicted() -> None:
    script = STANDS["opening"]()
    tell_instead_of_answer(script, lambda honest: _changed(script, honest))
    must_refuse(script, EVERYBODY, Step.MOVE)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
