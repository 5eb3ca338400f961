"""A bot of a later release: joins by a later protocol, and prints the server's answer.

python later_client.py HOST:PORT
"""

import sys

from aboveboard_client.session.session import CONTROL
from aboveboard_protos import bridge
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.frames import PROTOCOL

LATER = PROTOCOL + 1


async def main() -> None:
    async with bridge.connect(sys.argv[1]) as channel:
        stream = await channel.open(CONTROL)
        await stream.receive()
        # What a later release signs, nobody knows; so its number must be enough.
        join = service.Join(protocol=LATER, login=b"?", entry=b"?")
        stream.send(service.ControlUp(join=join).SerializeToString())
        answer = service.ControlDown.FromString(await stream.receive())
        print(service.RefusalCode.Name(answer.refusal.code), answer.refusal.text)
        await stream.aclose()


bridge.run(main)
