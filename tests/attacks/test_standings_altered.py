"""An organiser publishes another table than the results give."""

from dataclasses import replace

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.archive import STANDINGS, standings_csv
from aboveboard_referee.verify.report import Check
from tests.fakes.archive import Archive, Edit, keep
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, copy, finished, must_blame

ROW = Row(
    "standings altered",
    "organiser",
    Outcome.PROVED,
    (
        Defence("tournament.ledger.rounds:take_standings", "list(table.rows) != ledger.rows()"),
        Defence("tournament.ledger.rounds:take_close", "list(close.standings) != ledger.rows()"),
        Defence("verify.tournament:_check_table", "files.get(STANDINGS) != table"),
    ),
)


def favoured(rows: list[pb.StandingsRow]) -> list[pb.StandingsRow]:
    """The last is the first."""
    rows = [copy(row) for row in rows]
    rows[0].entrant, rows[-1].entrant = rows[-1].entrant, rows[0].entrant
    return rows


def test_the_table_after_a_round_follows_from_its_results() -> None:
    season = begun("table")
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    with ROW.without():
        rows = favoured(season.ledger.rows())
        season.say("standings", pb.Standings(tournament=season.cup.tournament, round=1, rows=rows))
        archive = season.published()
    must_blame(archive, Check.STANDINGS, "the table that follows from the results")


def closed(edit: Edit = keep) -> Archive:
    """The file for people is altered, and the close is edited."""
    archive = finished(begun("final"))
    organiser, rows = archive.organiser, favoured(list(archive.standings))
    csv = standings_csv(organiser.manifest, organiser.names, rows)
    return replace(archive, files=archive.sealed({STANDINGS: csv}, edit))


def favour(close: pb.TournamentClose) -> None:
    rows = favoured(list(close.standings))
    del close.standings[:]
    close.standings.extend(rows)


def test_the_final_table_follows_from_the_results() -> None:
    must_blame(closed(favour), Check.STANDINGS, "the table that follows from the results")


def test_the_table_for_people_is_the_one_recomputed() -> None:
    must_blame(closed(), Check.STANDINGS, "the table recomputed")
