"""The word to begin, of an organiser or arbiter."""

from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey
from tests.fakes.entrants import ORGANISER, signed, up


def order(greeting: wire.Greeting, by: PrivateKey = ORGANISER, **fields: Any) -> bytes:
    """The organiser's word on this connection."""
    body = {
        "challenge": greeting.challenge,
        "tournament": tournament_id(parse_signed(greeting.manifest).body),
    }
    data = signed("start", pb.StartOrder(**{**body, **fields}), by)
    return up(start=wire.Start(start=data))
