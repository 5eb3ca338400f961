"""A bot sends what another seat has signed, as if it were its own."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import EVERYBODY, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "signature from another seat",
    "bot",
    Outcome.REFUSED,
    (
        Defence("match.judge:judge", "key != question.key.raw"),
        Defence("match.judge:judge", "question.key.verify(signature, signed.pae)", "None"),
        Defence(
            "match.judge:judge",
            "(answer.match, answer.seat) != (question.match, question.seat)",
        ),
    ),
)


def test_what_another_seat_signed_is_a_bad_signature_and_convicts_nobody() -> None:
    script = STANDS["accept"]()
    script.tamper = lambda _watcher, outbox: outbox  # nobody need agree, should it be taken
    script.send(0, script.honest(1))
    must_go_out(script, 0, pb.END_REASON_BAD_SIGNATURE)
    script.step()
    for watcher in EVERYBODY:
        must_convict_nobody(script, watcher)
