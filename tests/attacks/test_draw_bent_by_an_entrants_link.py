"""A bot gives another link than it entered with, or an organiser makes one up for it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.verify.report import Check
from aboveboard_server.rounds.draw import LinkCall, LinkRefused
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame, must_raise
from tests.fakes.keys import secret
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "draw bent by an entrant's link",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.state:LedgerState.check_draw_link",
            'verify_sole(signed, "draw-link", key_of(member))',
            "None",
        ),
        Defence(
            "tournament.field:Member.check_link",
            "not fits(tournament, self.chain_key, round_, link, *self.known)",
        ),
    ),
)


def bent(name: str, by: str) -> None:
    """The first link is another one, signed by this party."""
    season = begun(name, entrants=4)
    reveal = season.reveal()
    signer: PrivateKey = season.cup.key if by == "organiser" else season.keys[0]
    other = pb.DrawLink(tournament=season.cup.tournament, round=1, link=secret("a better one"))
    reveal.links[0] = signed("draw-link", other, signer)
    with ROW.without():
        season.say("draw-reveal", reveal)
        season.say("pairings", season.ledger.next_pairings())
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS, "draw-reveal")


def test_a_link_that_a_bot_chose_later_is_found() -> None:
    bent("bent by a bot", "bot")


def test_a_link_that_was_made_up_for_a_bot_is_found() -> None:
    bent("bent for a bot", "organiser")


def test_a_server_takes_no_such_link_from_a_bot() -> None:
    home = Leaves()
    home.close_entries()
    call = LinkCall(home.ledger)
    call.begin()
    for signer in (home.keys[0], home.keys[1]):
        body = pb.DrawLink(tournament=home.tournament, round=1, link=secret("a better one"))
        link = signed("draw-link", body, signer)
        must_raise(LinkRefused, lambda: call.take(link))  # noqa: B023  # called at once
