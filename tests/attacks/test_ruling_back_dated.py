"""An organiser rules when it knows how things went, and says that it had ruled before."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame
from tests.fakes.cup import NOON

ROW = Row(
    "ruling back-dated",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rulings:take_ruling",
            "ruling.number != len(ledger.rulings) + 1 or ruling.leaf != ledger.size",
        ),
        Defence("tournament.ledger.state:LedgerState.not_before", "time_us < self.time_us"),
    ),
)


def ruled(name: str, words: str, **claimed: int) -> None:
    """After the match, with a claim about when it was."""
    season = begun(name)
    (planned,) = season.draw()
    before = {"leaf": season.tree.size, "time_us": season.now()}
    season.attempt(planned, EARLY)
    said = {"leaf": season.tree.size, "time_us": season.now()} | claimed
    if claimed.get("leaf"):
        said["leaf"] = before["leaf"]
    ruling = pb.Ruling(
        tournament=season.cup.tournament, number=1, match=planned.match, text="so be it", **said
    )
    with ROW.without():
        season.say("ruling", ruling)
        archive = finished(season)
    must_blame(archive, Check.WORDS, words)


def test_a_ruling_that_claims_an_earlier_place_in_the_log_is_found() -> None:
    ruled("earlier leaf", "ruling 1 for leaf", leaf=1)


def test_a_ruling_of_an_earlier_time_is_found() -> None:
    ruled("earlier time", "times that go forward", time_us=NOON)
