"""Bots for `match_server`, in a process of their own.

``python -m tests.bench.match_bots ADDRESS FROM TO`` plays both seats of the places FROM to
TO-1, every move at random, until its standard input is closed. Each seat has a connection
of its own and checks all that it is sent, as a bot does.
"""

import itertools
import random
import sys
from typing import Any

import trio

from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.games import registry
from aboveboard_referee.host.frames import PLAY, PROTOCOL
from aboveboard_referee.match.local import certificate
from aboveboard_referee.match.player import Expected, Player
from aboveboard_referee.match.wire import game_to_wire
from tests.bench.match_server import GAME, TOURNAMENT, key, match_id

RETRY_SECONDS = 0.01


async def seat(address: str, place: int, seat: int) -> None:
    rng = random.Random(f"{place} {seat}")
    async with bridge.connect(address) as channel:
        for number in itertools.count():
            # Refused for as long as the host has not set the table.
            while not await play(await channel.open(PLAY), place, number, seat, rng):
                pass


async def play(
    stream: bridge.Stream, place: int, number: int, seat: int, rng: random.Random
) -> bool:
    """Whether there was a match to play."""
    own, referee = key("match", place, seat, number), key("referee").public.raw
    where: Any = {
        "tournament": TOURNAMENT,
        "match": match_id(place, number),
        "attempt": 1,
        "seat": seat,
    }
    certified = certificate(key("entry", place, seat), pb.MatchKey(**where, key=own.public.raw))
    up(stream, hello=service.Hello(protocol=PROTOCOL, **where))
    down = await frame(stream)
    if down.WhichOneof("frame") == "refusal":
        await stream.aclose()
        await trio.sleep(RETRY_SECONDS)
        return False
    admission = pb.Admission(challenge=down.challenge.challenge, **where, referee_key=referee)
    proof = sign(type_of("admission"), encode(admission), own).to_bytes()
    up(stream, entrance=service.Entrance(certificate=certified, admission=proof))
    game = game_to_wire(registry.game(GAME))
    player = Player(
        Expected(TOURNAMENT, match_id(place, number), 1, seat, referee, game, certified),
        own,
        bytes(32),
    )
    answered = -1
    while True:
        down = await frame(stream)
        if down.WhichOneof("frame") == "close":
            up(stream, close_signature=player.sign_close(down.close))
            await stream.aclose()
            return True
        player.take(down.records.records, down.records.shows)
        if player.owed is not None and player.owed.asked > answered:
            answered = player.owed.asked
            answer = player.protocol_answer()
            if answer is None:
                assert player.turn is not None
                answer = player.decide(rng.choice(player.turn.legal))
            up(stream, answer=answer)


def up(stream: bridge.Stream, **fields: object) -> None:
    stream.send(service.MatchUp(**fields).SerializeToString())  # type: ignore[arg-type]  # oneof


async def frame(stream: bridge.Stream) -> service.MatchDown:
    return service.MatchDown.FromString(await stream.receive())


async def main() -> None:
    address, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    async with trio.open_nursery() as nursery:
        for place in range(first, last):
            for number in range(2):
                nursery.start_soon(seat, address, place, number)
        await trio.to_thread.run_sync(sys.stdin.read)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    bridge.run(main)
