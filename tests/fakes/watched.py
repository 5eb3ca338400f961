"""Servers that show a log, those who witness it, and where a bot keeps it."""

from pathlib import Path

import trio

from aboveboard_client.public_log.log_state import FileLogs
from tests.fakes.keys import key
from tests.fakes.logs import FakeLog
from tests.fakes.sessions import (
    FINISHED,
    GREETING,
    WELCOME,
    Played,
    Script,
    Server,
)

WITNESSES = [(f"w{number}", key(f"w{number}")) for number in range(3)]


def shows(log: FakeLog, last: bytes = FINISHED) -> Script:
    """A server that shows this log on its connection, and ends it with ``last``."""

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream._log = log
        stream.send(WELCOME)
        if last:
            stream.send(last)
        else:
            await stream.receive()
            stream.abort("cable cut")

    return script


async def in_line(work):
    await trio.lowlevel.checkpoint()
    return work()


def files(folder: Path) -> FileLogs:
    folder.mkdir(exist_ok=True)
    return FileLogs(folder, in_line)
