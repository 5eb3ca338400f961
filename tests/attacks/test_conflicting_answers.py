"""A bot thinks better of its move and signs a second one for the same question."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited

ROW = Row(
    "conflicting answers",
    "bot",
    Outcome.PROVED,
    (
        # A seat owes nothing once it has answered; here, in every phase but that of moves.
        Defence(
            "match.fold:Fold._answered",
            "del self.owed[seat]",
            "self.owed.pop(seat) if self.phase != pb.PHASE_MOVE else None",
        ),
    ),
)


def test_a_second_answer_does_not_count_and_convicts_its_seat() -> None:
    script = STANDS["move"]()
    turn = script.players[0].turn
    assert turn is not None
    first = script.honest(0)

    def another(answer: pb.Answer) -> None:
        texts = [turn.game.encode(move) for move in turn.legal]
        answer.move.text = next(text for text in texts if text != answer.move.text)

    second = edited(first, another, own_key(script, 0))
    script.send(0, first)
    script.send(0, second)
    out = must_go_out(script, 0, pb.END_REASON_MALFORMED_MESSAGE)
    assert out.evidence == second
    script.step()
    for watcher in EVERYBODY:
        must_convict(script, watcher, "seat 0")
