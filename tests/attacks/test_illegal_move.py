"""A bot plays a card that it does not hold."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited

ROW = Row(
    "illegal move",
    "bot",
    Outcome.PROVED,
    (Defence("match.judge:_legal", "move not in question.decide.of(question.seat)"),),
)


def test_a_card_of_the_stock_is_no_move_and_convicts_its_seat() -> None:
    script = STANDS["move"]()
    stock = edited(
        script.honest(0),
        lambda answer: setattr(answer.move, "text", "discard 50 51"),
        own_key(script, 0),
    )
    script.send(0, stock)
    must_go_out(script, 0, pb.END_REASON_ILLEGAL_MOVE)
    script.step()
    for watcher in EVERYBODY:
        must_convict(script, watcher, "seat 0")
