"""What comes to a log's desk and to a witness, and what a witness may answer over HTTP."""

from collections.abc import Iterator

import trio
from trio.testing import MockClock, memory_stream_pair

from aboveboard_client.witness.exchange import MESSAGE_LIMIT, Said, Silent
from aboveboard_client.witness.http_client import exchange
from aboveboard_client.witness.http_server import serve_http
from aboveboard_client.witness.service import serve_stream
from aboveboard_protos.bridge import memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.match.transcript import join
from aboveboard_server.log.log_desk import ASK
from tests.fakes.lobbies import Hall, in_hall
from tests.fakes.referees import ORGANISER, signed, tournament
from tests.fakes.witnesses import NOW_S
from tests.fuzz.log import LOG
from tests.fuzz.mutate import body, records, text
from tests.fuzz.streams import frames_in
from tests.fuzz.target import Target

# --- The log's desk -----------------------------------------------------------------------------


def desk(data: bytes) -> None:
    """Questions to the desk of a log, each of which is answered."""
    questions = frames_in(data)

    async def ask(hall: Hall) -> None:
        mine, theirs = memory_pair()
        hall.network.accept(ASK, theirs)
        for question in questions:
            mine.send(question)
            assert decode(wire.LogSaid, await mine.receive()).WhichOneof("frame")
        mine.abort()

    in_hall(ask)


def questions() -> Iterator[bytes]:
    ruling = pb.Ruling(tournament=tournament().id, number=1, leaf=1, time_us=1, text="so be it")
    asked = (
        wire.LogAsk(manifest=True),
        wire.LogAsk(checkpoint=True),
        wire.LogAsk(leaves=wire.LogRead(start=0, end=1)),
        wire.LogAsk(consistency=wire.LogProof(old_size=0, size=1)),
        wire.LogAsk(submit=signed("ruling", ruling, ORGANISER)),
    )
    yield join([frame.SerializeToString() for frame in asked])


# --- Witnesses ----------------------------------------------------------------------------------


async def _granted(asked: bytes) -> Said:
    await trio.lowlevel.checkpoint()
    return Said(200, asked[:1000])


def witness_stream(data: bytes) -> None:
    """A request to a witness over gRPC."""

    async def main() -> None:
        mine, theirs = memory_pair()
        mine.send(data[:MESSAGE_LIMIT])
        await serve_stream(theirs, _granted, trio.Semaphore(1))
        decode(wire.WitnessSaid, await mine.receive())

    trio.run(main, clock=MockClock(autojump_threshold=0))


def asked_of_a_witness() -> Iterator[bytes]:
    yield wire.WitnessAsk(body=LOG.request("a", 7, 40)).SerializeToString()


def witness_http(data: bytes) -> None:
    """What comes over a connection to a witness's HTTP, up to its end."""

    async def main() -> None:
        mine, theirs = memory_stream_pair()
        await mine.send_all(data)
        await mine.send_eof()
        await serve_http(theirs, _granted, lambda: NOW_S)

    trio.run(main, clock=MockClock(autojump_threshold=0))


def http_requests() -> Iterator[bytes]:
    asked = LOG.request("a", 7, 40)
    head = b"POST /add-checkpoint HTTP/1.1\r\nHost: witness.example\r\n"
    whole = head + b"Content-Length: %d\r\n\r\n" % len(asked) + asked
    yield whole + whole
    yield (
        head
        + b"Transfer-Encoding: chunked\r\n\r\n"
        + b"%x\r\n%b\r\n0\r\n\r\n"
        % (
            len(asked),
            asked,
        )
    )
    yield head + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"
    yield b"GET / HTTP/1.0\r\n\r\n"


def http_answer(data: bytes) -> None:
    """What a witness answers over HTTP."""

    async def main() -> None:
        mine, theirs = memory_stream_pair()
        await theirs.send_all(data)
        await theirs.send_eof()
        said = await exchange(mine, "witness.example:80", "/add-checkpoint", b"asked")
        assert 100 <= said.status < 1000

    trio.run(main, clock=MockClock(autojump_threshold=0))


def http_answers() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nline"
    yield b"HTTP/1.1 409 Conflict\r\nContent-Type: text/x.tlog.size\r\nContent-Length: 2\r\n\r\n7\n"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
    yield b"HTTP/1.1 100 Continue\r\n\r\n" + chunked
    yield b"HTTP/1.0 404 Not Found\r\n\r\nuntil the end"


TARGETS = (
    Target("log-desk", desk, (Refused,), questions, records),
    Target("log-desk-believed", desk, (Refused,), questions, records, True),
    Target("witness-stream", witness_stream, (), asked_of_a_witness, body),
    Target("witness-http", witness_http, (), http_requests, text),
    Target("witness-http-answer", http_answer, (Silent,), http_answers, text),
)
