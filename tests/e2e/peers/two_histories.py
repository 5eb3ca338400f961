"""A real server with a dishonest organiser: the bot that enters last is shown another log.

    python two_histories.py FILE.toml

In that bot's history the first entry is another one. The log's own key signs both.
"""

import sys
from typing import Any

from aboveboard_client import cli
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.log.checkpoint import Checkpoint, parse_checkpoint, sign_checkpoint
from aboveboard_referee.log.note import parse_note
from aboveboard_referee.log.tree import Tree, leaf_hash, split_hashes
from aboveboard_server.lobby import Lobby
from aboveboard_server.log.public_log import PublicLog

BENT = 1
"""The leaf in whose place another one is shown."""

OTHER = leaf_hash(b"somebody else")

victims: list[bytes] = []
"""Entry keys of who has entered; the last one is lied to."""

logs: list[PublicLog] = []


def bent(hashes: bytes, start: int) -> bytes:
    """Hashes of leaves from ``start`` on, as the other history has them."""
    at = (BENT - start) * len(OTHER)
    inside = 0 <= at < len(hashes)
    return hashes[:at] + OTHER + hashes[at + len(OTHER) :] if inside else hashes


def other_tree() -> Tree:
    tree = logs[0].tree
    return Tree(split_hashes(bent(tree.hashes(0, tree.size), 0)))


def signed_anew(note: bytes) -> bytes:
    """The checkpoint of the same size of the other history, by the log's own key."""
    shown = parse_checkpoint(parse_note(note).text)
    root = other_tree().root(shown.size)
    return sign_checkpoint(Checkpoint(shown.origin, shown.size, root), logs[0]._key)


class Watched:
    """A stream that knows who is at its other end."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._whose = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def lied_to(self) -> bool:
        return len(victims) == 2 and self._whose == victims[1]


class Control(Watched):
    async def receive(self) -> bytes:
        data = await self._stream.receive()
        join = service.ControlUp.FromString(data).join
        if join.entry:
            self._whose = parse_signed(join.entry).signatures[0][0]
            if self._whose not in victims:
                victims.append(self._whose)
        return data

    def send(self, data: bytes) -> None:
        frame = service.ControlDown.FromString(data)
        if self.lied_to and frame.HasField("log_news"):
            news = frame.log_news
            news.leaf_hashes = bent(news.leaf_hashes, news.size_before)
            if news.checkpoint:
                news.checkpoint = signed_anew(news.checkpoint)
            data = frame.SerializeToString()
        self._stream.send(data)


class Match(Watched):
    async def receive(self) -> bytes:
        data = await self._stream.receive()
        entrance = service.MatchUp.FromString(data).entrance
        if entrance.certificate:
            self._whose = parse_signed(entrance.certificate).signatures[0][0]
        return data

    def send(self, data: bytes) -> None:
        frame = service.MatchDown.FromString(data)
        if self.lied_to and frame.HasField("logged"):
            proof = frame.logged
            size = parse_checkpoint(parse_note(proof.checkpoint).text).size
            proof.checkpoint = signed_anew(proof.checkpoint)
            proof.path[:] = other_tree().inclusion(proof.index, size)
            data = frame.SerializeToString()
        self._stream.send(data)


handle, admit = Lobby.handle, MatchHost.admit


async def lying_handle(self: Lobby, stream: Stream) -> None:
    logs[:] = [self._log]
    await handle(self, Control(stream))  # type: ignore[arg-type]  # a stream in all but name


async def lying_admit(self: MatchHost, stream: Stream) -> None:
    await admit(self, Match(stream))  # type: ignore[arg-type]  # a stream in all but name


Lobby.handle = lying_handle  # type: ignore[method-assign]  # as the real one, but for its lie
MatchHost.admit = lying_admit  # type: ignore[method-assign]  # as the real one, but for its lie
sys.argv[1:] = ["serve", *sys.argv[1:]]
cli.main()
