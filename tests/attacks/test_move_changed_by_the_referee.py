"""A referee puts down another move for a seat than the one that it signed."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_refuse, tell_instead_of_answer
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import edited, with_signatures

ROW = Row(
    "move changed by the referee",
    "referee",
    Outcome.PROVED,
    (Defence("match.judge:judge", "question.key.verify(signature, signed.pae)", "None"),),
)


def test_another_move_under_the_seats_signature_convicts_the_referee() -> None:
    script = STANDS["move"]()
    turn = script.players[0].turn
    assert turn is not None

    def another(honest: bytes) -> bytes:
        def change(answer: pb.Answer) -> None:
            texts = [turn.game.encode(move) for move in turn.legal]
            answer.move.text = next(text for text in texts if text != answer.move.text)

        return with_signatures(edited(honest, change), *parse_signed(honest).signatures)

    tell_instead_of_answer(script, another)
    must_refuse(script, EVERYBODY, Step.ANSWER)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
