"""Somebody who listened on a bot's line sends its proofs again on a connection of his own."""

from dataclasses import dataclass
from typing import Any

import trio

from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.hosting import make_host, run, sweeping
from tests.fakes.robots import Robot, opening, resign

ROW = Row(
    "admission from another connection",
    "anybody",
    Outcome.REFUSED,
    (Defence("host.host:MatchHost._prove", "body.challenge != challenge"),),
)


@dataclass(eq=False)
class Listener(Robot):
    """Sends an admission that it heard, whatever it is challenged with."""

    heard: bytes = b""

    def admission(self, challenge: bytes, by: Any = None, **fields: Any) -> bytes:
        return self.heard


def test_an_admission_is_good_for_the_connection_that_it_was_made_for_alone() -> None:
    terms = opening(grace_us=60_000_000)
    bots = [Robot(terms, 0, instead=resign), Robot(terms, 1, comes=5)]
    listeners: list[Listener] = []

    async def main() -> None:
        host = make_host()
        async with sweeping(host) as doors, trio.open_nursery() as nursery:
            nursery.start_soon(host.play, terms)
            for bot in bots:
                nursery.start_soon(bot.play, host, doors)
            await trio.sleep(1)
            challenge = decode(service.MatchDown, bots[0].got[0][1]).challenge.challenge
            heard = bots[0].admission(challenge)
            listeners.append(listener := Listener(terms, 0, instead=resign, heard=heard))
            nursery.start_soon(listener.play, host, doors)

    run(main)
    must_not(bool(listeners[0].records), "a stranger sits in the seat and sees its cards")
    assert listeners[0].refusal.code == service.REFUSAL_CODE_BAD_PROOF
    assert bots[0].records
