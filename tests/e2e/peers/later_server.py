"""A server of a later release: greets every bot by a later protocol. Prints its address."""

import trio

from aboveboard_client.session.session import CONTROL
from aboveboard_protos import bridge
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.frames import PROTOCOL

LATER = PROTOCOL + 1


async def greet(stream: bridge.Stream) -> None:
    greeting = service.Greeting(protocol=LATER, challenge=bytes(32), manifest=b"?")
    stream.send(service.ControlDown(greeting=greeting).SerializeToString())
    try:
        await stream.receive()
    except (trio.EndOfChannel, bridge.Broken):
        return


async def main() -> None:
    async with bridge.serve("127.0.0.1:0", {CONTROL: greet}) as port:
        print(f"listening on 127.0.0.1:{port};", flush=True)
        await trio.sleep_forever()


bridge.run(main)
