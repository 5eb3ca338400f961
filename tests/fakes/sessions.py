"""A bot's session with a server that follows a script, all in memory."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import trio
from trio.testing import MockClock

from aboveboard_client.bot import Bot, load
from aboveboard_client.errors import AboveboardError
from aboveboard_client.identity import Identity
from aboveboard_client.match_session import Choice
from aboveboard_client.session import Outcome, play_session
from aboveboard_protos.bridge import Stream, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.keys import PrivateKey
from tests.fakes.keys import key, secret
from tests.fakes.referees import (
    NOW,
    ORGANISER,
    REFEREE,
    OneSeatReferee,
    manifest,
    signed,
    ticket,
    tournament,
)
from tests.fakes.reporting import Recorded
from tests.fakes.streams import remembering_pair

IDENTITY = Identity("me", key("my entry"), secret("my stored"), "test")
EVENT = tournament("cribbage")
CLOSE = pb.TournamentClose(
    tournament=EVENT.id,
    standings=[
        pb.StandingsRow(entrant=1, rank=1, half_points=2, wins=1, matches=1),
        pb.StandingsRow(entrant=0, rank=2, matches=1),
    ],
    time_us=NOW,
)


async def at_once(choose: Callable[[], Choice]) -> Choice:
    await trio.lowlevel.checkpoint()
    return choose()


def frame(**frame: Any) -> bytes:
    return service.ControlDown(**frame).SerializeToString()


def refusal(code: "service.RefusalCode", text: str) -> bytes:
    return frame(refusal=service.Refusal(code=code, text=text))


def ticket_frame(match: str = "r1-b1", **fields: Any) -> bytes:
    return frame(ticket=signed("ticket", ticket(EVENT, match, **fields), REFEREE))


GREETING = frame(
    greeting=service.Greeting(
        protocol=1,
        challenge=secret("challenge"),
        manifest=signed("tournament-manifest", manifest("cribbage"), ORGANISER),
    )
)
WELCOME = frame(welcome=service.Welcome(entrant=0, epoch=1))
FINISHED = frame(finished=service.Finished(close=signed("tournament-close", CLOSE, ORGANISER)))


@dataclass
class Played:
    """A session with a scripted server: what came of it."""

    reports: Recorded = field(default_factory=Recorded)
    sent: list[service.ControlUp] = field(default_factory=list)
    referees: list[OneSeatReferee] = field(default_factory=list)
    at_once: int = 0  # most matches under way together
    seconds: float = 0.0
    outcome: Outcome | None = None
    error: BaseException | None = None


Script = Callable[[Stream, Played], Any]


def session(
    *frames: bytes,
    bot: Bot | None = None,
    capacity: int = 1,
    unreachable: bool = False,
    script: Script | None = None,
) -> Played:
    """Play against a server that sends these frames one after the other, or by a script."""
    played = Played()
    under_way = 0

    @asynccontextmanager
    async def open_match(address: str) -> AsyncIterator[Stream]:
        nonlocal under_way
        assert address == ""
        if unreachable:
            raise Unavailable("nobody is there")
        mine, theirs = remembering_pair()
        referee = OneSeatReferee(EVENT, IDENTITY)
        played.referees.append(referee)
        under_way += 1
        played.at_once = max(played.at_once, under_way)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referee.serve, theirs)
            yield mine
        under_way -= 1

    async def main() -> None:
        mine, theirs = remembering_pair()
        for data in frames:
            theirs.send(data)
        async with trio.open_nursery() as nursery:
            if script is not None:
                nursery.start_soon(script, theirs, played)
            try:
                played.outcome = await play_session(
                    mine,
                    IDENTITY,
                    bot or load("random", bytes(32)),
                    open_match=open_match,
                    reports=played.reports,
                    now_us=lambda: NOW,
                    new_key=new_keys(),
                    capacity=capacity,
                    run_choice=at_once,
                )
            except AboveboardError as error:
                played.error = error
            played.seconds = trio.current_time()
            nursery.cancel_scope.cancel()
        played.sent = [decode(service.ControlUp, data) for data in mine.sent]

    trio.run(main, clock=MockClock(autojump_threshold=0))
    return played


def new_keys() -> Callable[[], PrivateKey]:
    made = 0

    def new_key() -> PrivateKey:
        nonlocal made
        made += 1
        return key(f"match key {made}")

    return new_key
