"""Many bots in one process, each a whole session of its own: ``ADDRESS FROM TO``.

Every bot enters, plays by chance and checks all that it is sent, to the tournament's end. What
goes wrong for one of them is printed.
"""

import random
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

import trio

from aboveboard_client.errors import AboveboardError
from aboveboard_client.public_log.log_state import MemoryLogs
from aboveboard_client.session.desk import Choice
from aboveboard_client.session.dialling import opened
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.session.session import CONTROL, play_session
from aboveboard_client.state.journal import MemoryJournals
from aboveboard_client.terminal.reports import Reports
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PLAY
from aboveboard_referee.match.player import Turn

ATTEMPTS = 10
"""How often a bot is started before it is given up."""

PATIENCE = Patience(total=60)
"""Whose line was dead when the server said goodbye dials for so long after it is gone."""


class Chance:
    """Any legal move."""

    games: tuple[str, ...] = ()

    def __init__(self, number: int) -> None:
        self._rng = random.Random(number)

    def choose(self, turn: Turn) -> object:
        return self._rng.choice(turn.legal)


class Quiet(Reports):
    """Tells of trouble alone."""

    def __init__(self, name: str) -> None:
        self._name = name

    def connection_lost(self, ticket: pb.Ticket | None, why: str) -> None:
        print(f"{self._name}: connection lost: {why}", flush=True)

    def match_trouble(self, ticket: pb.Ticket, why: str) -> None:
        print(f"{self._name}: {ticket.match}: {why}", flush=True)


async def at_once(choose: Callable[[], Choice]) -> Choice:
    await trio.lowlevel.checkpoint()
    return choose()


async def play(address: str, number: int) -> None:
    key = PrivateKey.from_seed(number.to_bytes(32, "big"))
    identity = Identity(f"bot-{number}", key, number.to_bytes(32, "big"))
    async with bridge.connect(address) as channel:

        def open_match(_: str) -> AbstractAsyncContextManager[bridge.Stream]:
            return opened(channel, PLAY)

        journals, logs = MemoryJournals(), MemoryLogs()
        for _ in range(ATTEMPTS):
            try:
                await play_session(
                    partial(opened, channel, CONTROL),
                    identity,
                    Chance(number),
                    open_match=open_match,
                    reports=Quiet(identity.name),
                    now_us=lambda: time.time_ns() // 1000,
                    journals=journals,
                    logs=logs,
                    run_choice=at_once,
                    patience=PATIENCE,
                )
                return
            except AboveboardError as error:
                # A session's first connection is not tried again: whoever runs the bot does that.
                print(f"{identity.name}: {error}", flush=True)
                await trio.sleep(1)


async def main() -> None:
    address, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    async with trio.open_nursery() as nursery:
        for number in range(first, last):
            nursery.start_soon(play, address, number)


if __name__ == "__main__":
    bridge.run(main)
