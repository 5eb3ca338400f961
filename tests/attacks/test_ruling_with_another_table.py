"""An organiser gives a match to the loser, and shows a table in which nothing changed."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame

ROW = Row(
    "ruling with another table",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rulings:take_ruling",
            'list(ruling.table) != (_table(ledger) if ruling.WhichOneof("effect") else [])',
        ),
    ),
)


def test_a_ruling_shows_what_it_changes() -> None:
    season = begun("another table", entrants=4, rounds=2)
    (first, *_), rows = season.draw(), None
    for planned in season.ledger.planned():
        season.attempt(planned, EARLY)
    season.standings()
    rows = season.ledger.settled_rows()
    season.draw()
    with ROW.without():
        season.rule("A mistake.", first.match, table=rows, rescore=pb.Rescore(half_points=[2, 0]))
        archive = finished(season)
    must_blame(archive, Check.WORDS, "the table that follows from the ruling")
