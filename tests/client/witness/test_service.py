"""A witness listens where it is told to, and ends with what it cannot keep."""

import contextlib
import socket
from collections.abc import Iterator
from functools import partial

import pytest
import trio
import trio.lowlevel

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.witness import service
from aboveboard_client.witness.exchange import Said, Silent
from aboveboard_client.witness.post import ADD_CHECKPOINT, post_to
from aboveboard_client.witness.service import serve_witness
from aboveboard_protos import bridge
from tests.fakes.witnesses import NOW_S


async def echo(body: bytes) -> Said:
    return Said(200, b"echo " + body)


async def fails(_: bytes) -> Said:
    raise OutsideFailure("the disk is full")


@pytest.fixture
def taken() -> Iterator[str]:
    """An address at which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield f"127.0.0.1:{other.getsockname()[1]}"


async def serve(answer: service.Answer, listen: str | None, http: str | None, *asks: int) -> None:
    """Serve, and ask the addresses of these numbers at the same time."""
    urls: list[str] = []

    async def ask(url: str) -> None:
        with contextlib.suppress(Silent):  # it may end first
            await post_to(url, b"hi")

    def listening(url: str) -> None:
        urls.append(url)
        if len(urls) == (listen is not None) + (http is not None):
            for number in asks:
                nursery.start_soon(ask, urls[number])

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await serve_witness(
                answer, listen=listen, http=http, now_s=lambda: NOW_S, listening=listening
            )


def ended(answer: service.Answer, listen: str | None, http: str | None, *asks: int) -> Exception:
    """What serving came to."""
    with pytest.raises(ExceptionGroup) as caught:
        bridge.run(lambda: serve(answer, listen, http, *asks))
    [error] = caught.value.exceptions
    return error


def test_an_address_in_use_is_wrong_use(taken: str) -> None:
    for listen, http in ((taken, None), (None, taken), ("127.0.0.1:0", taken)):
        error = ended(echo, listen, http)
        assert isinstance(error, WrongUse)
        assert str(error) == f"{taken} is in use; choose another address"


@pytest.mark.parametrize(("listen", "http"), [("192.0.2.1:0", None), (None, "192.0.2.1:0")])
def test_an_address_that_is_none_of_this_machine_is_wrong_use(
    listen: str | None, http: str | None
) -> None:
    error = ended(echo, listen, http)
    assert isinstance(error, WrongUse)
    assert "192.0.2.1:0 cannot be listened on" in str(error)


@pytest.mark.parametrize("asks", [(0,), (1,), (0, 1, 0, 1)])
def test_a_state_that_cannot_be_kept_ends_all_of_it(asks: tuple[int, ...]) -> None:
    error = ended(fails, "127.0.0.1:0", "127.0.0.1:0", *asks)
    assert isinstance(error, OutsideFailure)
    assert str(error) == "the disk is full"


def test_a_mistake_of_ours_is_not_told_as_a_failure_outside() -> None:
    async def broken(_: bytes) -> Said:
        raise LookupError("in our own code")

    error = ended(broken, None, "127.0.0.1:0", 0)
    while isinstance(error, ExceptionGroup):
        [error] = error.exceptions
    assert isinstance(error, LookupError)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, r"^it has ended the stream$"),
        (b"\xff", r"^its answer does not hold: "),
    ],
)
def test_what_is_no_answer_over_grpc_is_silence(answer: bytes | None, why: str) -> None:
    async def serve(stream: bridge.Stream) -> None:
        await stream.receive()
        if answer is not None:
            stream.send(answer)

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {ADD_CHECKPOINT: serve}) as port:
            with pytest.raises(Silent, match=why):
                await post_to(f"grpc://127.0.0.1:{port}", b"hi")

    bridge.run(main)


def test_with_all_places_taken_the_next_one_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "CONNECTIONS", 1)

    async def main() -> list[int]:
        statuses: list[int] = []
        asked, answered = trio.Event(), trio.Event()

        async def slow(body: bytes) -> Said:
            asked.set()
            await answered.wait()
            return await echo(body)

        async def ask(url: str) -> None:
            statuses.append((await post_to(url, b"hi")).status)

        listening, urls = trio.open_memory_channel[str](2)
        serve = partial(serve_witness, slow, now_s=lambda: NOW_S, listening=listening.send_nowait)
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(partial(serve, listen="127.0.0.1:0", http="127.0.0.1:0"))
                for _ in range(2):
                    url = await urls.receive()
                    async with trio.open_nursery() as asking:
                        asking.start_soon(ask, url)
                        await asked.wait()
                        await ask(url)
                        answered.set()
                    asked, answered = trio.Event(), trio.Event()
                nursery.cancel_scope.cancel()
        return statuses

    assert bridge.run(main) == [503, 200, 503, 200]
