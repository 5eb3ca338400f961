"""A thief plays on with a key that its owner has revoked, and the organiser lets it."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame

ROW = Row(
    "revoked key used",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.entrants:take_key_revoke",
            'member.key, member.revoked = b"", ledger.next_round',
            "pass",
        ),
    ),
)


def test_a_revoked_key_gives_no_link_for_a_draw_and_plays_no_round() -> None:
    season = begun("revoked", entrants=3, rounds=2)
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    season.standings()
    with ROW.without():
        season.revoke(0)
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS, "does not play in round 2")
