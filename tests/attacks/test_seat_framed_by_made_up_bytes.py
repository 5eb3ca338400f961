"""A referee puts a bot out for bytes that it made up itself."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from tests.fakes.attack_bodies import with_unknown_field
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import EVERYBODY
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import resigned, with_signatures

ROW = Row(
    "seat framed by made-up bytes",
    "referee",
    Outcome.VISIBLE,
    (Defence("verify.evidence_papers:bears", "key.verify(value, signed.pae)", "None"),),
)


def test_a_seat_goes_out_for_bytes_that_it_did_not_sign_and_is_not_convicted() -> None:
    script = STANDS["move"]()
    honest = script.honest(0)
    made_up = with_signatures(
        resigned(honest, with_unknown_field(parse_signed(honest).body)),
        (own_key(script, 0).public.raw, bytes(64)),
    )
    script.send(0, made_up)  # as the referee has it; the bot sent nothing
    assert script.referee.fold.outs == {0: pb.END_REASON_MALFORMED_MESSAGE}
    script.step()
    for watcher in EVERYBODY:
        must_convict_nobody(script, watcher)
