"""A referee has a bot sign one end of a match and logs another one."""

from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.verify.receipt import Receipt, SeenMatch
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import (
    OTHERWISE,
    Apart,
    begun,
    finished,
    must_blame,
    played,
    publish,
)

ROW = Row(
    "another close than was shown",
    "referee",
    Outcome.PROVED,
    (Defence("verify.receipt:_close_misfit", "shown == attempt.close", "True"),),
)


def test_the_bots_receipt_has_the_other_close_with_the_referees_signature() -> None:
    season = begun("other close")
    cup = season.cup
    (planned,) = season.draw()
    shown = played(season, planned)[-1]
    logged = played(season, planned, OTHERWISE, log=Apart(season))
    season.add(logged[-1])
    publish(season, planned, logged)
    (attempt,) = season.ledger.attempts.of(planned.match)
    receipt = Receipt(
        "receipt.json",
        cup.tournament,
        NoteKey(cup.origin, ED25519, cup.log_key.public),
        0,
        cup.entry_key(0).public.raw,
        matches=(SeenMatch(planned.match, 1, attempt.head0, close=shown),),
    )
    must_blame(finished(season), Check.RECEIPTS, "the close", receipt, blame="referee")
