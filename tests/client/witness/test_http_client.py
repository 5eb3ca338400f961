"""Asking over HTTP: what comes back is an answer or none, in bounded memory."""

import contextlib

import pytest
import trio
from trio.testing import memory_stream_pair

from aboveboard_client.witness.exchange import BODY_LIMIT, Said, Silent
from aboveboard_client.witness.http_client import exchange, post_http
from aboveboard_client.witness.http_server import serve_http
from tests.fakes.hosting import run
from tests.fakes.witnesses import NOW_S


async def echo(body: bytes) -> Said:
    return Said(409, b"echo " + body)


def test_a_question_to_a_witness_is_answered() -> None:
    async def main() -> Said:
        client, server = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_http, server, echo, lambda: NOW_S)
            return await exchange(client, "witness", "/add-checkpoint", b"x" * 60_000)

    assert run(main) == Said(409, b"echo " + b"x" * 60_000)


def answered(data: bytes, chunk: int = 1000) -> Said | Silent:
    """What is made of an answer that comes in chunks; the other side then hangs up."""

    async def answer(stream: trio.abc.HalfCloseableStream) -> None:
        await stream.receive_some()
        with contextlib.suppress(trio.BrokenResourceError):  # it has read enough
            for at in range(0, len(data), chunk):
                await stream.send_all(data[at : at + chunk])
            await stream.send_eof()

    async def main() -> Said | Silent:
        client, server = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer, server)
            try:
                return await exchange(client, "witness", "/add-checkpoint", b"hi")
            except Silent as error:
                return error
            finally:
                await client.aclose()

    return run(main)


@pytest.mark.parametrize("chunk", [1, 1000])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", Said(200, b"hi")),
        (b"HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", Said(200)),
        (b"HTTP/1.1 200 OK\r\n\r\nto the end", Said(200, b"to the end")),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            Said(200, b"hi"),
        ),
        (b"HTTP/1.0 422 No\r\nX: y\r\n\r\nwhy\n", Said(422, b"why\n")),
    ],
)
def test_answers_are_read(data: bytes, said: Said, chunk: int) -> None:
    assert answered(data, chunk) == said


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "ended the connection"),
        (b"HTTP/1.1 200", "ended the connection"),
        (OK + b"Content-Length: 10\r\n\r\nhi", "does not speak HTTP"),
        (b"220 smtp.example ready\r\n\r\n", "does not speak HTTP"),
        (OK + b"Content-Length: ten\r\n\r\n", "does not speak HTTP"),
        (OK + b"X: " + b"x" * 100_000, "does not speak HTTP"),
        (OK + b"\r\n" + b"x" * (BODY_LIMIT + 1), "has more than 65536 bytes"),
        (OK + b"Content-Length: 99999999\r\n\r\n" + b"x" * 99_999, "has more than 65536 bytes"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 70_000, "has more than"),
        (b"HTTP/1.1 100 Go on\r\n\r\n" * 50, "ended the connection"),
        (b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", "does not speak HTTP"),
        (b"\x15\x03\x03\x00\x02\x02\x0a", "does not speak HTTP"),
    ],
)
def test_what_is_no_answer_is_silence(data: bytes, why: str) -> None:
    silent = answered(data)
    assert isinstance(silent, Silent)
    assert why in str(silent)


def test_who_hangs_up_before_the_question_is_silent() -> None:
    async def main() -> None:
        client, server = memory_stream_pair()
        await server.aclose()
        with pytest.raises(Silent, match=r"^it has ended the connection$"):
            await exchange(client, "witness", "/add-checkpoint", b"hi")

    run(main)


def test_a_machine_that_is_not_there_is_silence() -> None:
    async def main(host: str) -> str:
        try:
            await post_http(host, 9, "/add-checkpoint", b"hi")
        except Silent as error:
            return str(error)
        raise AssertionError("somebody answers")

    assert "nobody answers at 127.0.0.1:9" in trio.run(main, "127.0.0.1")
    assert "cannot be the name of a machine" in trio.run(main, "x" * 100)
