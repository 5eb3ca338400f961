"""An organiser enters a bot of its own under a name that people know."""

from aboveboard_referee.verify.report import ORGANISER, Check
from aboveboard_referee.verify.trust import Trust
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find
from tests.fakes.keys import key

ROW = Row(
    "entrant invented",
    "organiser",
    Outcome.REFUSED,
    (
        Defence(
            "verify.tournament:_check_entrants",
            "key is not None and key.raw not in (member.entry.key, member.owner)",
        ),
    ),
)


def test_whoever_knows_the_bots_key_is_not_taken_in() -> None:
    archive = finished(begun("invented"))
    organiser = archive.organiser
    known = {organiser.name_of(1): key("the real bot").public}
    trust = Trust(organiser.key.public, entrants=known)
    must_find(archive, Check.ENTRIES, ORGANISER, "that you know", trust=trust)
