"""A bot signs with an R of small order, which some libraries take and some refuse."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import identity_signature, with_signatures

ROW = Row(
    "signature with small-order R",
    "bot",
    Outcome.REFUSED,
    (
        Defence(
            "fairplay.keys:PublicKey.verify", "signature[:32] in edwards.SMALL_ORDER_ENCODINGS"
        ),
        # PyNaCl holds to this too; without it, the library that does not.
        Defence(
            "fairplay.keys:PublicKey.verify",
            "self._verdict(signature, message)",
            "__import__('aboveboard_referee.fairplay.ed25519', fromlist=['ed25519'])"
            ".REFERENCE.verifier(self._raw)(signature, message)",
        ),
    ),
)


def test_a_signature_whose_r_is_the_identity_is_bad_though_the_library_takes_it() -> None:
    script = STANDS["move"]()
    honest = script.honest(0)
    signer = own_key(script, 0)
    lax = identity_signature(signer, parse_signed(honest).pae)
    script.send(0, with_signatures(honest, (signer.public.raw, lax)))
    must_go_out(script, 0, pb.END_REASON_BAD_SIGNATURE)
