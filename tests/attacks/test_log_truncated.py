"""An organiser publishes its log up to where it liked it."""

from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.receipt import Receipt
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import WHOLE, Defence
from tests.fakes.attack_rows import Outcome, Row, WentThrough
from tests.fakes.attack_tournaments import must_find, wordy
from tests.fakes.audit import audit

ROW = Row(
    "log truncated",
    "organiser",
    Outcome.REFUSED,
    (
        Defence("verify.walk:walk", "ledger.close is None"),
        Defence("verify.receipt:_check_checkpoint", WHOLE, "return"),
    ),
)


def truncated() -> dict[str, bytes]:
    """The organiser has signed what is left."""
    return wordy().relogged(wordy().leaves[:-2])


def test_a_log_without_its_close_is_not_whole() -> None:
    words = "the tournament's close as the last leaf"
    must_find(wordy(), Check.LOG, ALTERED, words, files=truncated())


def test_whoever_saw_more_of_it_has_that_in_the_receipt() -> None:
    cup = wordy().organiser
    receipt = Receipt(
        "receipt.json",
        cup.tournament,
        NoteKey(cup.origin, ED25519, cup.log_key.public),
        0,
        cup.entry_key(0).public.raw,
        (wordy().files[CHECKPOINT],),
    )
    report = audit(truncated(), None, receipt)
    found = [finding for finding in report.findings if "says receipt.json" in str(finding)]
    if not found:
        raise WentThrough("the receipt says nothing against it")
    assert [finding.found for finding in found] == [
        f"one of {len(wordy().leaves) - 2}: truncated or rolled back"
    ]
