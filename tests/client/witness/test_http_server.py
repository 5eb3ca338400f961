"""Whatever comes over HTTP gets an answer in bounded time, or is cut off."""

from collections.abc import Awaitable, Callable

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import memory_stream_pair

from aboveboard_client.witness.exchange import BODY_LIMIT, Said
from aboveboard_client.witness.http_server import (
    ANSWER_SECONDS,
    HEAD_LIMIT,
    IDLE_SECONDS,
    LINGER_SECONDS,
    READ_LIMIT,
    REQUEST_SECONDS,
    refuse_http,
    serve_http,
)
from tests.fakes.hosting import run
from tests.fakes.witnesses import NOW_S

DATE = b"Date: Mon, 21 Sep 2026 14:13:20 GMT\r\n"

Talk = Callable[[trio.abc.HalfCloseableStream], Awaitable[None]]


class Server:
    """A connection served with answers that echo, and what the asked were."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.ended_at = 0.0

    async def answer(self, body: bytes) -> Said:
        self.asked.append(body)
        return Said(200, b"echo " + body)

    def talk(self, talk: Talk, answer: Callable[[bytes], Awaitable[Said]] | None = None) -> None:
        """Let a client talk with it until the server has ended the connection."""

        async def main() -> None:
            client, server = memory_stream_pair()
            begin = trio.current_time()

            async def serve() -> None:
                await serve_http(server, answer or self.answer, lambda: NOW_S)
                self.ended_at = trio.current_time() - begin

            async with trio.open_nursery() as nursery:
                nursery.start_soon(serve)
                await talk(client)

        run(main)

    def exchange(self, sent: bytes) -> bytes:
        """All that comes back for some bytes with nothing after them."""
        got = bytearray()

        async def talk(client: trio.abc.HalfCloseableStream) -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send, client, sent)
                while data := await client.receive_some():
                    got.extend(data)

        self.talk(talk)
        return bytes(got)

    @staticmethod
    async def _send(client: trio.abc.HalfCloseableStream, sent: bytes) -> None:
        try:
            await client.send_all(sent)
            await client.send_eof()
        except trio.BrokenResourceError:
            pass  # it has heard enough


def post(body: bytes, *headers: str, target: str = "/add-checkpoint") -> bytes:
    lines = [f"POST {target} HTTP/1.1", "Host: witness", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def status(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 ")
    return int(answer.split(b" ")[1])


def test_a_body_is_answered_with_a_body() -> None:
    answer = Server().exchange(post(b"hello"))
    assert answer == (
        b"HTTP/1.1 200 OK\r\n" + DATE + b"Content-Length: 10\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\n\r\necho hello"
    )


def test_a_connection_takes_one_request_after_the_other() -> None:
    server = Server()
    answer = server.exchange(post(b"one") + post(b"two") + post(b"three", "Connection: close"))
    assert server.asked == [b"one", b"two", b"three"]
    assert answer.count(b"HTTP/1.1 200 OK") == 3
    assert server.ended_at < 0.1


def test_a_body_may_come_in_chunks() -> None:
    server = Server()
    head = b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = b"3\r\none\r\n4;of=mine\r\n two\r\n0\r\nTrailer: 1\r\n\r\n"
    assert status(server.exchange(head + chunks)) == 200
    assert server.asked == [b"one two"]


def test_the_type_of_an_answer_goes_with_it() -> None:
    answers = bytearray()

    async def conflict(_: bytes) -> Said:
        return Said(409, b"8\n", "text/x.tlog.size")

    async def talk(client: trio.abc.HalfCloseableStream) -> None:
        await client.send_all(post(b""))
        answers.extend(await client.receive_some())
        await client.aclose()

    Server().talk(talk, conflict)
    assert bytes(answers).startswith(b"HTTP/1.1 409 Conflict\r\n")
    assert b"\r\nContent-Type: text/x.tlog.size\r\n" in answers
    assert answers.endswith(b"\r\n\r\n8\n")


def test_an_old_client_gets_its_answer_and_the_end() -> None:
    server = Server()
    answer = server.exchange(b"POST /add-checkpoint HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi")
    assert status(answer) == 200
    assert b"\r\nConnection: close\r\n" in answer


def test_whoever_waits_for_leave_to_send_its_body_gets_it() -> None:
    server = Server()
    head = (
        b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 2\r\n"
        b"Expect: 100-continue\r\n\r\n"
    )
    got = bytearray()

    async def talk(client: trio.abc.HalfCloseableStream) -> None:
        await client.send_all(head)
        got.extend(await client.receive_some())
        await client.send_all(b"hi")
        got.extend(await client.receive_some())
        await client.aclose()

    server.talk(talk)
    assert bytes(got).startswith(b"HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\n")
    assert server.asked == [b"hi"]


def test_leave_is_not_given_for_a_body_that_is_too_long() -> None:
    head = (
        f"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: {BODY_LIMIT + 1}\r\n"
        "Expect: 100-continue\r\n\r\n"
    )
    assert status(Server().exchange(head.encode())) == 413


CHUNKED = b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello \r\n\r\n", 400),
        (b"\r\n" * 5000, 400),
        (b"what is this?\r\n\r\n", 400),
        (b"POST /add-checkpoint HTTP/2.0\r\nHost: w\r\n\r\n", 505),
        (b"POST /add-checkpoint HTTP/1.1\r\n\r\n", 400),  # without a host
        (b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 1, 2\r\n\r\n", 400),
        (post(b"x" * 10, "Content-Length: 3"), 400),
        (post(b"", "Content-Length: " + "9" * 7000), 400),
        (b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (post(b"", "X: " + "x" * 2 * HEAD_LIMIT), 431),
        (b"POST /" + b"x" * 2 * HEAD_LIMIT, 431),
        (post(b"", *(["X: x"] * 3000)), 431),
        (post(b"x" * (BODY_LIMIT + 1)), 413),
        (CHUNKED + b"10000\r\n" + b"x" * 0x10000 + b"\r\n1\r\nx\r\n0\r\n\r\n", 413),
        (CHUNKED + b"1\r\nx\r\n" * (READ_LIMIT // 6), 413),
        (CHUNKED + (b"1;" + b"x" * 200 + b"\r\nx\r\n") * (READ_LIMIT // 200), 413),
        (CHUNKED + b"1;" + b"x" * 2 * HEAD_LIMIT, 431),
        (CHUNKED + b"nonsense\r\n", 400),
        (CHUNKED + b"-1\r\n", 400),
        (CHUNKED + b"0\r\n" + b"X: x\r\n" * 3000, 431),
        (post(b"", target="/"), 404),
        (post(b"", target="/add-checkpoint/"), 404),
        (post(b"", target="/../add-checkpoint"), 404),
        (b"CONNECT witness:80 HTTP/1.1\r\nHost: w\r\n\r\n", 404),
        (b"GET /add-checkpoint HTTP/1.1\r\nHost: w\r\n\r\n", 405),
        (b"HEAD /add-checkpoint HTTP/1.1\r\nHost: w\r\n\r\n", 405),
        (b"OPTIONS /add-checkpoint HTTP/1.1\r\nHost: w\r\n\r\n", 405),
        (b"PUT /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 1\r\n\r\nx", 405),
        (b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 10\r\n\r\nshort", 400),
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused_and_asks_nobody(sent: bytes, expected: int) -> None:
    server = Server()
    answer = server.exchange(sent)
    assert status(answer) == expected
    assert b"\r\nConnection: close\r\n" in answer
    assert answer.endswith(b"\r\n\r\n"), "no body, not after a HEAD either"
    assert server.asked == []
    assert server.ended_at <= LINGER_SECONDS


PARTS = st.sampled_from(
    [
        b"POST /add-checkpoint HTTP/1.1\r\n",
        b"GET / HTTP/1.0\r\n",
        b"Host: w\r\n",
        b"Content-Length: 3\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Connection: close\r\n",
        b"Expect: 100-continue\r\n",
        b"\r\n",
        b"3\r\nabc\r\n",
        b"0\r\n\r\n",
        b"abc",
    ]
)


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(st.lists(PARTS | st.binary(max_size=20), max_size=12))
def test_whatever_comes_is_answered_or_cut_off(parts: list[bytes]) -> None:
    server = Server()
    answer = server.exchange(b"".join(parts))
    assert not answer or answer.startswith(b"HTTP/1.1 ")
    assert len(server.asked) == answer.count(b"HTTP/1.1 200 OK\r\n")
    assert server.ended_at <= LINGER_SECONDS


def test_an_upgrade_is_not_taken_up() -> None:
    server = Server()
    answer = server.exchange(post(b"hi", "Connection: upgrade", "Upgrade: h2c"))
    assert status(answer) == 200


def test_who_sends_nothing_is_cut_off_after_a_while() -> None:
    async def talk(client: trio.abc.HalfCloseableStream) -> None:
        assert await client.receive_some() == b""

    server = Server()
    server.talk(talk)
    assert server.ended_at == pytest.approx(IDLE_SECONDS)


@pytest.mark.parametrize("every", [0.5, 3, 9])
@pytest.mark.parametrize("slow", ["head", "body", "chunks"])
def test_who_sends_byte_by_byte_is_cut_off_in_time(every: float, slow: str) -> None:
    whole = {"head": b"", "body": post(b"x" * 1000)[:-1000], "chunks": CHUNKED}[slow]
    dripping = {"head": post(b"x" * 1000), "body": b"x" * 1000, "chunks": b"1\r\nx\r\n" * 1000}
    got = bytearray()

    async def listen(client: trio.abc.HalfCloseableStream) -> None:
        while data := await client.receive_some():
            got.extend(data)

    async def talk(client: trio.abc.HalfCloseableStream) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen, client)
            try:
                await client.send_all(whole)
                for at in range(1000):
                    await client.send_all(dripping[slow][at : at + 1])
                    await trio.sleep(every)
            except trio.BrokenResourceError:
                return

    server = Server()
    server.talk(talk)
    assert status(bytes(got)) == 408
    assert server.ended_at <= REQUEST_SECONDS + LINGER_SECONDS + 0.1


def test_who_takes_no_answer_is_cut_off_in_time() -> None:
    async def main() -> float:
        client, server = memory_stream_pair()

        async def never() -> None:
            await trio.sleep_forever()

        server.send_stream.send_all_hook = never  # the other side's window is full
        await client.send_all(post(b"hi"))
        await serve_http(server, Server().answer, lambda: NOW_S)
        return trio.current_time()

    began = 0.0
    assert run(main) - began <= ANSWER_SECONDS + 0.1


def test_who_hangs_up_disturbs_nobody() -> None:
    for sent in (b"", b"POST", post(b"x" * 100)[:-50], post(b"hi")):

        async def talk(client: trio.abc.HalfCloseableStream, sent: bytes = sent) -> None:
            if sent:
                await client.send_all(sent)
            await client.aclose()

        server = Server()
        server.talk(talk)
        assert server.ended_at <= LINGER_SECONDS


def test_who_goes_on_sending_after_a_refusal_is_cut_off() -> None:
    async def talk(client: trio.abc.HalfCloseableStream) -> None:
        try:
            while True:
                await client.send_all(b"x" * 1000)
                await trio.sleep(0.01)
        except trio.BrokenResourceError:
            return

    server = Server()
    server.talk(talk)
    assert server.ended_at <= LINGER_SECONDS + 0.1


def test_where_there_is_no_room_it_says_so_without_reading() -> None:
    async def main() -> bytes:
        client, server = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refuse_http, server, lambda: NOW_S)
            return bytes(await client.receive_some())

    assert status(run(main)) == 503


def test_an_error_of_the_witness_comes_out() -> None:
    async def fails(_: bytes) -> Said:
        raise RuntimeError("the disk is full")

    async def talk(client: trio.abc.HalfCloseableStream) -> None:
        await client.send_all(post(b"hi"))
        await client.receive_some()

    with pytest.raises(ExceptionGroup) as caught:
        Server().talk(talk, fails)
    assert caught.group_contains(RuntimeError, match="the disk is full")
