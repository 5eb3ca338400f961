"""An organiser draws a round again, with other entrants absent, until it likes the pairings."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame

ROW = Row(
    "round drawn twice",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_draw_reveal",
            "not ledger.closed or ledger.draw is not None or ledger.tables != len(ledger.rounds)",
        ),
        # A link that was revealed is not later than itself.
        Defence(
            "tournament.ledger.rounds:take_draw_reveal",
            "not fits(context, key, reveal.round, reveal.organiser_link, *ledger.organiser_link)",
        ),
        Defence(
            "tournament.field:Member.check_link",
            "not fits(tournament, self.chain_key, round_, link, *self.known)",
        ),
    ),
)


def test_a_second_draw_of_a_round_is_found() -> None:
    season = begun("drawn twice", entrants=4)
    with ROW.without():
        season.say("draw-reveal", season.reveal())
        season.draw(absent=[1])
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS, "a draw between two rounds")
