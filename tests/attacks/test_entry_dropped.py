"""An organiser welcomes a bot and leaves it out, before it was shown any checkpoint."""

from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.verify.receipt import Receipt
from aboveboard_referee.verify.report import NOBODY, Check
from tests.fakes.attack_defence import WHOLE, Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find
from tests.fakes.keys import key

ROW = Row(
    "entry dropped",
    "organiser",
    Outcome.VISIBLE,
    (Defence("verify.receipt:_check_entrant", WHOLE, "return"),),
)


def test_its_receipt_says_that_it_was_welcomed_and_the_archive_that_it_was_not() -> None:
    archive = finished(begun("dropped"))
    cup = archive.organiser
    for entrant in (1, 2):  # another has its number, or nobody
        receipt = Receipt(
            "receipt.json",
            cup.tournament,
            NoteKey(cup.origin, ED25519, cup.log_key.public),
            entrant,
            key("the bot that was dropped").public.raw,
        )
        must_find(archive, Check.RECEIPTS, NOBODY, "receipt.json", receipt)
