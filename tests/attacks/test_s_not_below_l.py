"""A bot adds L to a signature's S, so that there are two signatures for one message."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.envelope import parse_signed
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import with_signatures

ROW = Row(
    "S not below L",
    "bot",
    Outcome.REFUSED,
    (
        Defence(
            "fairplay.keys:PublicKey.verify",
            "int.from_bytes(signature[32:], 'little') >= edwards.L",
        ),
        # The library holds to this too; without it, one that reduces S first.
        Defence(
            "fairplay.keys:PublicKey.verify",
            "self._verdict(signature, message)",
            "self._verdict(signature[:32] + (int.from_bytes(signature[32:], 'little')"
            " % edwards.L).to_bytes(32, 'little'), message)",
        ),
    ),
)


def test_a_signature_whose_s_is_not_below_l_is_bad() -> None:
    script = STANDS["move"]()
    honest = script.honest(0)
    ((signer, value),) = parse_signed(honest).signatures
    large = int.from_bytes(value[32:], "little") + edwards.L
    script.send(0, with_signatures(honest, (signer, value[:32] + large.to_bytes(32, "little"))))
    must_go_out(script, 0, pb.END_REASON_BAD_SIGNATURE)
