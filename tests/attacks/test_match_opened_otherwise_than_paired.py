"""An organiser has a match played under terms that suit one of the two."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame, played, publish

ROW = Row(
    "match opened otherwise than paired",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_match_open",
            "(stranger := find_stranger(wire, ledger.opening(planned, wire.attempt)))",
        ),
    ),
)


def test_a_match_by_another_clock_than_the_manifests_is_found() -> None:
    season = begun("other clock")
    (planned,) = season.draw()
    with ROW.without():
        records = played(
            season, planned, edit=lambda opening: setattr(opening.clock, "move_us", 1_000)
        )
        season.add(records[-1])
        publish(season, planned, records)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "as paired")
