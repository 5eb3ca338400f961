"""A witness as people run it: asked over gRPC and HTTP, stopped, killed, and lied to."""

import signal
import socket
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
import trio

from aboveboard_client.witness.ask import WitnessAddress, Witnesses
from aboveboard_client.witness.exchange import ADD_CHECKPOINT, BODY_LIMIT, Said, Silent
from aboveboard_client.witness.http_server import REQUEST_SECONDS
from aboveboard_client.witness.post import post_to
from aboveboard_protos import bridge
from tests.e2e.serving import new_key
from tests.fakes.processes import PATIENCE, Process, Processes
from tests.fakes.witnesses import (
    COMMON,
    WITNESS_KEY,
    WITNESS_NAME,
    Ask,
    ForkedLog,
    World,
    copy_folder,
)

LOG = ForkedLog(size=400)
MORTAL = Path(__file__).with_name("mortal_witness.py")

STEPS = ("create", "write", "sync", "close", "rename", "sync folder", "answer")
"""Before each of which a witness is killed."""

T = TypeVar("T")


class Witness:
    """A witness's process, and the ways to ask it."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.grpc = process.line(r"^listening on (grpc://\S+)")[1]
        self.http = process.line(r"^listening on (http://\S+)")[1]

    @property
    def urls(self) -> tuple[str, str]:
        return self.grpc, self.http

    def http_port(self) -> int:
        return int(self.http.rpartition(":")[2])


Start = Callable[..., Witness]


@pytest.fixture
def start(processes: Processes) -> Start:
    """Starts the one witness of a test, again if it was stopped; or one that kills itself."""
    key = new_key(processes.folder, "witness")

    def start(state: str = "state", killed_at: int | None = None) -> Witness:
        words = [
            *("--key", key, "--name", WITNESS_NAME, "--state", state, "--log", LOG.key.vkey()),
            *("--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"),
        ]
        if killed_at is None:
            return Witness(processes.aboveboard("witness", *words))
        return Witness(processes.python(MORTAL, killed_at, *words))

    return start


def at(url: str) -> Ask:
    """Asks the witness at a URL; one that is not there any more says nothing, status 0."""

    async def ask(body: bytes) -> Said:
        try:
            return await post_to(url, body)
        except Silent:
            return Said(0)

    return ask


def run(main: Callable[[], Awaitable[T]]) -> T:
    async def bounded() -> T:
        with trio.fail_after(PATIENCE):
            return await main()

    return bridge.run(bounded)


def offer(world: World, url: str, history: str, size: int) -> int:
    return run(lambda: world.offer(at(url), history, size)).status


def test_it_says_its_key_and_co_signs_over_both_ways(start: Start) -> None:
    witness = start()
    vkey = witness.process.line(r"^witness (\S+)$")[1]
    assert vkey == WITNESS_KEY.vkey()
    failed: list[str] = []
    witnesses = Witnesses(
        [WitnessAddress.parse(url, vkey) for url in witness.urls],
        failed=lambda _, why: failed.append(why),
        patience=PATIENCE,
    )

    async def main() -> list[int]:
        asked = [(size, LOG.note("a", size)) for size in (1, 5, 6, 40)]
        proof = LOG.trees["a"].consistency
        return [len(await witnesses.cosignatures(note, proof)) for _, note in asked]

    assert run(main) == [2, 2, 2, 2]
    assert failed == []
    witness.process.line(rf"^co-signed 40 leaves of {LOG.origin}$")


def test_stopped_in_order_it_goes_on_where_it_was(start: Start) -> None:
    world = World(LOG)
    witness = start()
    assert offer(world, witness.http, "a", 8) == 200
    witness.process.send(signal.SIGTERM)
    ended = witness.process.end()
    assert (ended.code, ended.err) == (128 + signal.SIGTERM, "aboveboard: stopped by SIGTERM\n")
    again = start()
    for url in again.urls:
        assert offer(world, url, "a", COMMON) == 409  # rolled back
        assert offer(world, url, "b", 8) == 409
        assert offer(world, url, "b", 9) == 422
        assert offer(world, url, "a", 8) == 200
    assert offer(world, again.grpc, "a", 9) == 200
    assert not world.forked
    again.process.line(r"^refused: ", "err")
    again.process.send(signal.SIGINT)
    assert again.process.end().code == 128 + signal.SIGINT


def test_two_histories_at_once_do_not_both_get_through(start: Start) -> None:
    witness = start()
    world = World(LOG)

    async def follow(url: str, history: str) -> None:
        for size in range(COMMON + 1, COMMON + 21):
            await world.offer(at(url), history, size)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for url in witness.urls:
                for history in "ab":
                    nursery.start_soon(follow, url, history)

    run(main)
    assert world.cosigned
    assert not world.forked


def test_a_state_in_use_or_damaged_is_never_served(processes: Processes, start: Start) -> None:
    witness = start()
    assert offer(World(LOG), witness.grpc, "a", 8) == 200
    with pytest.raises(AssertionError, match="is in use by another witness process"):
        start()
    ended = witness.process.kill()
    assert ended.code == -signal.SIGKILL
    [head] = (processes.folder / "state").glob("*.head")
    head.write_bytes(head.read_bytes()[:-1])
    with pytest.raises(AssertionError, match="is damaged"):
        start()


def raw(port: int, sent: bytes) -> bytes:
    """What comes back for some bytes over a connection of their own."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.settimeout(PATIENCE)
        got = bytearray()
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            while data := connection.recv(65536):
                got += data
        except ConnectionError:
            pass  # cut off in the middle of what it sent
        return bytes(got)


CHUNKED = b"POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_what_is_no_request_ends_nothing_but_its_connection(start: Start) -> None:
    witness = start()
    port = witness.http_port()
    body = LOG.request("a", 0, 8)
    for sent, status in (
        (b"GET /add-checkpoint HTTP/1.1\r\nHost: w\r\n\r\n", b"405"),
        (b"POST / HTTP/1.1\r\nHost: w\r\nContent-Length: 0\r\n\r\n", b"404"),
        (b"POST /add-checkpoint HTTP/1.1\r\nX: " + b"x" * 20_000, b"431"),
        (CHUNKED + b"zz\r\n", b"400"),
        (CHUNKED + b"10\r\nold 0\n\nno checkp\r\n0\r\n\r\n", b"400"),
        (b"\x00" * 1000, b"400"),
        (b"\x16\x03\x01", b"400"),
        (CHUNKED + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body), b"200"),
    ):
        answer = raw(port, sent)
        assert answer.startswith(b"HTTP/1.1 " + status), (sent[:60], answer)
    raw(port, b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 10**6)
    assert offer(World(LOG), witness.http, "a", 9) == 200
    witness.process.send(signal.SIGTERM)
    assert witness.process.end().err == "aboveboard: stopped by SIGTERM\n"


def test_what_is_no_question_over_grpc_ends_nothing_but_its_stream(
    start: Start,
) -> None:
    witness = start()
    unknown = ForkedLog("unknown")

    async def main() -> list[int]:
        ask = at(witness.grpc)
        bodies = (b"", b"x" * 60_000, unknown.request("a", 0, 8))
        statuses = [(await ask(body)).status for body in bodies]
        async with bridge.connect(witness.grpc.removeprefix("grpc://")) as channel:
            stream = await channel.open(ADD_CHECKPOINT)
            stream.send(bytes(2 * BODY_LIMIT))
            with pytest.raises(bridge.Broken, match="larger than max"):
                await stream.receive()
        return statuses

    assert run(main) == [400, 400, 404]
    assert offer(World(LOG), witness.grpc, "a", 9) == 200


@pytest.mark.slow
def test_who_sends_slowly_holds_nobody_up_and_is_cut_off(start: Start) -> None:
    witness = start()
    begin = time.monotonic()
    slow = [
        socket.create_connection(("127.0.0.1", witness.http_port()), PATIENCE) for _ in range(100)
    ]
    for number, connection in enumerate(slow):
        connection.sendall((CHUNKED + b"1\r\nx\r\n")[: number + 1])
    assert offer(World(LOG), witness.http, "a", 8) == 200
    for connection in slow:
        connection.settimeout(PATIENCE)
        assert connection.recv(65536).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        connection.close()
    assert time.monotonic() - begin >= REQUEST_SECONDS


@pytest.mark.slow
def test_killed_at_any_step_a_process_co_signs_one_history_alone(
    processes: Processes, start: Start
) -> None:
    """Every step of a disk and of an answer, in a real process, by a real kill -9."""
    first = start()
    assert offer(World(LOG), first.grpc, "a", COMMON) == 200
    first.process.kill()
    for step, name in enumerate(STEPS):
        world = World(LOG)
        state = copy_folder(processes.folder / "state", processes.folder / name)
        mortal = start(state.name, killed_at=step)
        url = mortal.urls[step % 2]
        assert offer(world, url, "a", 8) == 0, "it was killed before it could answer"
        assert mortal.process.end().code == -signal.SIGKILL
        assert not world.cosigned
        restarted = start(state.name)
        for history, size in (("b", 8), ("a", 8), ("b", 9), ("a", 9)):
            offer(world, restarted.urls[size % 2], history, size)
        restarted.process.kill()
        assert not world.forked, name
        assert len(world.cosigned) == 2, "whatever happened, one history goes on"
