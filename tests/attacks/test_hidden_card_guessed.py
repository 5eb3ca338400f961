"""A bot tries all cards against the leaves that it is sent as proofs of its own."""

from aboveboard_referee.fairplay.bytes import label, sha256, u32
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import mail
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import content

ROW = Row(
    "hidden card guessed",
    "bot",
    Outcome.PREVENTED,
    (
        Defence("fairplay.deck:leaf_hash", "b32(salt)", "b''"),
        Defence(
            "fairplay.deck:_leaves",
            "start + _POS_CARD(pos, card) + salt",
            "start + _POS_CARD(pos, card)",
        ),
    ),
)


def test_no_card_can_be_found_by_hashing_all_that_it_could_be() -> None:
    script = STANDS["move"]()
    head0 = script.referee.fold.terms.head0
    found = 0
    for seat in (0, 1):
        _, (show,) = mail(script, seat)
        for face in content(show).faces:
            beside = face.position ^ 1
            known = b"\0" + label("leaf") + head0 + u32(1) + u32(beside)
            for card in range(52):
                for guess in (b"", bytes(32), face.salt):
                    found += sha256(known, u32(card), guess) == face.path[0]
    must_not(found > 0, f"{found} cards are known by their leaves")
