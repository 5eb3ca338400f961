"""A bot gives another link than its tip fixed, chosen when it knew more."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited
from tests.fakes.keys import secret

ROW = Row(
    "e not of its chain",
    "bot",
    Outcome.PROVED,
    (
        Defence(
            "match.judge:_entropy",
            "link_before(question.context, question.key.raw, question.shuffle, link)"
            " != question.link",
        ),
    ),
)


def test_a_link_chosen_after_the_other_seats_convicts_its_seat() -> None:
    script = STANDS["entropy"]()
    script.send(0, script.honest(0))
    chosen = edited(
        script.honest(1),
        lambda answer: setattr(answer.entropy, "link", secret("chosen")),
        own_key(script, 1),
    )
    script.send(1, chosen)
    must_go_out(script, 1, pb.END_REASON_REFUSED_ENTROPY)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "seat 1")
