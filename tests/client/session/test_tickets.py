"""Which tickets a bot goes by."""

from typing import Any

import pytest

from aboveboard_client.session.tickets import SKEW_US, BadTicket, read_ticket, referee_address
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.keys import key, secret
from tests.fakes.referees import NOW, REFEREE, signed, ticket, tournament

EVENT = tournament("cribbage")


def by_referee(**fields: Any) -> bytes:
    return signed("ticket", ticket(EVENT, **fields), REFEREE)


def test_a_good_ticket_is_taken() -> None:
    assert read_ticket(by_referee(), EVENT, NOW) == ticket(EVENT)


def other_rules() -> pb.Game:
    rules = pb.Game()
    rules.CopyFrom(EVENT.manifest.games[0])
    rules.rules[0].number += 1
    return rules


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"nonsense", "the body is no Signed"),
        (signed("ticket", ticket(EVENT), key("forger")), "no signature by"),
        (signed("login", ticket(EVENT), REFEREE), "is expected here"),
        (
            signed(
                "ticket",
                ticket(EVENT, referee_key=key("forger").public.raw),
                key("forger"),
            ),
            "whom the manifest does not list",
        ),
        (by_referee(tournament=secret("another")), "for another tournament"),
        (by_referee(match="../r1"), "a match called"),
        (by_referee(attempt=0), "attempt 0"),
        (by_referee(seat=2), "for seat 2"),
        (by_referee(game=game_to_wire(registry.game("allegra"))), "not the manifest's"),
        (by_referee(game=other_rules()), "not the manifest's"),
        (by_referee(address="10.0.0.1:22"), "where the manifest has no referee"),
        (by_referee(expires_us=NOW - SKEW_US - 7_000_000), "expired 307 s ago"),
    ],
)
def test_other_tickets_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(BadTicket, match=why):
        read_ticket(data, EVENT, NOW)


def test_machines_whose_clocks_differ_a_little_can_still_play() -> None:
    assert read_ticket(by_referee(expires_us=NOW - SKEW_US), EVENT, NOW)


def test_a_ticket_may_lead_to_where_the_manifest_says_its_referee_is() -> None:
    content = tournament("cribbage").manifest
    content.referees[0].address = "referee.example:50051"
    event = type(EVENT)(EVENT.id, EVENT.organiser, content)
    assert read_ticket(by_referee(address="referee.example:50051"), event, NOW)
    assert read_ticket(by_referee(), event, NOW)


def test_a_referee_elsewhere_is_dialled_by_the_certificate_that_the_manifest_names() -> None:
    elsewhere = tournament("cribbage")
    elsewhere.manifest.referees[0].address = "arbiter.example:7878"
    led = ticket(elsewhere, address="arbiter.example:7878")
    assert referee_address(led, elsewhere) == "arbiter.example:7878"
    elsewhere.manifest.referees[0].tls_fingerprint = bytes(range(32))
    named = f"tls://arbiter.example:7878#sha256={bytes(range(32)).hex()}"
    assert referee_address(led, elsewhere) == named
    assert referee_address(ticket(elsewhere), elsewhere) == ""
