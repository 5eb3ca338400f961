"""Somebody has all of a tournament signed again with keys of his own."""

from aboveboard_referee.verify.report import ANOTHER, Check
from aboveboard_referee.verify.trust import Trust
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find
from tests.fakes.keys import key

ROW = Row(
    "tournament signed anew",
    "anybody",
    Outcome.REFUSED,
    (
        Defence(
            "verify.tournament:_take_manifest",
            "trust.organiser is not None and trust.organiser not in (organiser, owner)",
        ),
    ),
)


def test_whoever_knows_the_organisers_key_is_not_taken_in() -> None:
    trust = Trust(key("the real organiser").public)
    must_find(
        finished(begun("impostor")), Check.MANIFEST, ANOTHER, "a manifest of organiser", trust=trust
    )
