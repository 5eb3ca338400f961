"""Figures for Prometheus: what they say, and that whoever asks for them holds up nothing."""

import errno
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.lowlevel
from trio.testing import (
    MemoryReceiveStream,
    MemorySendStream,
    lockstep_stream_pair,
    memory_stream_pair,
)

from aboveboard_client.errors import WrongUse
from aboveboard_server.config import load_config, metrics_table
from aboveboard_server.operations import metrics, metrics_http
from aboveboard_server.operations.metrics_http import SCRAPERS, serve_metrics
from aboveboard_server.store.writer import COMMIT_BOUNDS, Commits
from tests.fakes.entrants import Entrant
from tests.fakes.hosting import run
from tests.fakes.network import Network
from tests.fakes.serving import Served, config, serve

Wire = trio.StapledStream[MemorySendStream, MemoryReceiveStream]

GET = b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"


class Door(trio.abc.Listener[trio.abc.Stream]):
    """A listener in memory, that connections queue up at as they do in a system."""

    socket: Any

    def __init__(self) -> None:
        self.queue, self._waiting = trio.open_memory_channel[trio.abc.Stream](100_000)
        self.accepted = 0
        self.failures: list[OSError] = []
        self.socket = self

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 9100

    async def accept(self) -> trio.abc.Stream:
        if self.failures:
            await trio.lowlevel.checkpoint()
            raise self.failures.pop()
        stream = await self._waiting.receive()
        self.accepted += 1
        return stream

    async def aclose(self) -> None:
        self._waiting.close()
        await trio.lowlevel.checkpoint()

    def connect(self) -> Wire:
        mine, theirs = memory_stream_pair()
        self.queue.send_nowait(theirs)
        return mine


async def scrape(door: Door, request: bytes = GET) -> bytes:
    """All that is answered until the connection ends."""
    stream = door.connect()
    await stream.send_all(request)
    answer = b""
    while data := await stream.receive_some():
        answer += data
    return answer


def serving(
    main: Callable[[Door], Awaitable[Any]], text: Callable[[], bytes] = lambda: b"x 1\n"
) -> Any:
    async def served() -> Any:
        door = Door()
        async with trio.open_nursery() as nursery:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(trio, "open_tcp_listeners", _at(door))
                await nursery.start(serve_metrics, "127.0.0.1:0", text, lambda _line: None)
            result = await main(door)
            nursery.cancel_scope.cancel()
        return result

    return run(served)


def _at(door: Door) -> Callable[..., Awaitable[list[Door]]]:
    async def listeners(_port: int, *, host: str) -> list[Door]:
        await trio.lowlevel.checkpoint()
        return [door]

    return listeners


def watched(
    folder: Path, watch: Callable[[Door], Awaitable[None]], *more: Entrant, comes: float = 0
) -> Served:
    """A tournament of four whose figures somebody looks at; the last bot can come late."""
    door = Door()

    async def beside(network: Network) -> None:
        await network.listening.wait()
        await watch(door)

    event = config(folder, entrants=4, rounds=2, metrics="127.0.0.1:9100")
    bots = [*map(Entrant, range(3)), Entrant(3, comes=comes)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trio, "open_tcp_listeners", _at(door))
        return serve(event, *bots, *more, beside=beside)


async def always(door: Door, answers: list[bytes]) -> None:
    """Scrape until the server ends."""
    with suppress(trio.BrokenResourceError):
        while True:
            answers.append(await scrape(door))
            await trio.sleep(0.05)


def figure(answer: bytes, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", answer.decode(), re.MULTILINE)
    assert found, answer.decode()
    return float(found[1])


def test_a_scrape_in_mid_tournament_tells_what_is_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 0.0)
    answers: list[bytes] = []
    served = watched(tmp_path, lambda door: always(door, answers))
    assert served.failure is None
    assert served.report().good
    last = answers[-1]
    assert last.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4")
    assert figure(last, "aboveboard_entrants") == 4
    assert figure(last, "aboveboard_round") == 2
    assert figure(last, "aboveboard_bots_suspended") == 0
    assert figure(last, "aboveboard_matches_under_way") == 0
    assert figure(last, 'aboveboard_matches_ended_total{reason="resigned"}') == 4
    assert figure(last, "aboveboard_answers_accepted_total") > 8
    before_the_close = len(served.leaves()) - 1
    assert figure(last, "aboveboard_log_leaves") == before_the_close
    assert figure(last, "aboveboard_log_leaves_shown") == before_the_close
    assert figure(last, "aboveboard_log_checkpoint_age_seconds") < 60
    assert figure(last, "aboveboard_referee_lag_seconds") < 0.1
    assert figure(last, "process_resident_memory_bytes") > 1e6
    assert figure(last, "process_cpu_seconds_total") > 0
    assert max(figure(answer, "aboveboard_bots_connected") for answer in answers) == 4
    assert "metrics at http://127.0.0.1:9100/metrics" in served.lines


def test_refused_streams_are_told_by_their_codes(tmp_path: Path) -> None:
    answers: list[bytes] = []
    twin = Entrant(7, name="bot-0", comes=1)
    served = watched(tmp_path, lambda door: always(door, answers), twin, comes=5)
    assert served.failure is None
    assert figure(answers[-1], 'aboveboard_streams_refused_total{code="name-taken"}') == 1


HOSTILE: dict[str, bytes] = {
    "says nothing": b"",
    "sends half a request": b"GET /metrics HT",
    "sends megabytes": b"x" * (3 << 20),
    "sends endless headers": b"GET /metrics HTTP/1.1\r\n" + b"a: b\r\n" * 100_000,
}


@pytest.mark.parametrize("how", HOSTILE)
def test_whoever_asks_wrongly_is_rid_of_in_time_and_not_read_to_the_end(how: str) -> None:
    async def main(door: Door) -> tuple[float, int]:
        mine, theirs = lockstep_stream_pair()
        door.queue.send_nowait(theirs)
        sent = 0
        with suppress(trio.BrokenResourceError):
            for at in range(0, len(HOSTILE[how]), 1024):
                await mine.send_all(HOSTILE[how][at : at + 1024])
                sent += 1024
            while await mine.receive_some():
                pass
        return trio.current_time(), sent

    seconds, sent = serving(main)
    assert seconds <= metrics_http.SCRAPE_SECONDS
    assert sent <= 8 * 1024


def test_whoever_does_not_read_the_answer_is_rid_of_in_time() -> None:
    async def main(door: Door) -> float:
        mine, theirs = lockstep_stream_pair()
        door.queue.send_nowait(theirs)
        await mine.send_all(GET)
        with suppress(trio.BrokenResourceError):
            while True:
                await mine.send_all(b"more")
        return trio.current_time()

    assert serving(main) <= metrics_http.SCRAPE_SECONDS


def test_thousands_of_connections_hold_up_no_match_and_are_few_at_once(tmp_path: Path) -> None:
    calm = watched(tmp_path, _sleeps, comes=30)
    taken: list[int] = []

    async def flood(door: Door) -> None:
        held = [door.connect() for _ in range(5_000)]
        while held:
            taken.append(door.accepted)
            await trio.sleep(metrics_http.SCRAPE_SECONDS)

    (tmp_path / "again").mkdir()
    flooded = watched(tmp_path / "again", flood, comes=30)
    assert flooded.failure is None
    assert flooded.report().good
    assert flooded.seconds == pytest.approx(calm.seconds, abs=1)
    assert 2 * SCRAPERS < taken[-1] <= SCRAPERS * len(taken)


def test_connections_that_end_at_once_are_not_taken_as_fast_as_they_come() -> None:
    async def main(door: Door) -> int:
        for _ in range(5_000):
            await door.connect().aclose()
        await trio.sleep(1)
        return door.accepted

    assert serving(main) <= 1 / metrics_http.PACE_SECONDS + 1


async def _sleeps(_: Door) -> None:
    await trio.sleep_forever()


def test_without_descriptors_it_waits_and_goes_on() -> None:
    tries = SCRAPERS + 1

    async def main(door: Door) -> tuple[bytes, float]:
        door.failures = [OSError(errno.EMFILE, "Too many open files")] * tries
        first = door.connect()
        await first.aclose()
        return await scrape(door), trio.current_time()

    answer, seconds = serving(main)
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert seconds >= tries, "it does not ask again and again"


def test_figures_are_read_no_more_than_once_a_second(tmp_path: Path) -> None:
    answers: list[bytes] = []
    watched(tmp_path, lambda door: always(door, answers), comes=10)
    ages = [figure(a, "aboveboard_log_checkpoint_age_seconds") for a in answers[20:120]]
    assert 5 <= len(set(ages)) <= 7


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (GET, b"200 OK"),
        (b"GET /metrics?x=1 HTTP/1.0\r\n\r\n", b"200 OK"),
        (b"GET / HTTP/1.1\r\n\r\n", b"404 Not Found"),
        (b"POST /metrics HTTP/1.1\r\nContent-Length: 0\r\n\r\n", b"405 Method Not Allowed"),
        (b"hello\r\n\r\n", b"400 Bad Request"),
        (b"GET /metrics HTTP/2.0\r\n\r\n", b"400 Bad Request"),
        (b"GET /metrics HTTP/1.1\r\n" + b"a: b\r\n" * 2_000, b"400 Bad Request"),
    ],
)
def test_each_request_has_its_status(request_: bytes, status: bytes) -> None:
    answer = serving(lambda door: scrape(door, request_))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 " + status)
    assert (body == b"x 1\n") == (status == b"200 OK")


def test_commits_are_counted_by_how_long_they_took() -> None:
    commits = Commits()
    for seconds in (0.0005, 0.001, 0.002, 10.0):
        commits.took(seconds, 3)
    assert commits.counts == [2, 1, *[0] * (len(COMMIT_BOUNDS) - 2), 1]
    assert (commits.rows, commits.seconds) == (12, pytest.approx(10.0035))


def test_without_the_library_a_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics_table, "find_spec", lambda _: None)
    file = tmp_path / "e.toml"
    file.write_text('games = ["cribbage"]\nrounds = 1\n[metrics]\nlisten = "127.0.0.1:9100"\n')
    with pytest.raises(WrongUse, match=r"pip install 'aboveboard\[metrics\]'"):
        load_config(file)
    file.write_text('games = ["cribbage"]\nrounds = 1\n[metrics]\nlisten = "9100"\n')
    with pytest.raises(WrongUse, match="must be like"):
        load_config(file)


def test_an_address_in_use_is_told_in_a_line(tmp_path: Path) -> None:
    async def taken(_port: int, *, host: str) -> list[Any]:
        await trio.lowlevel.checkpoint()
        raise OSError(errno.EADDRINUSE, "Address already in use")

    event = config(tmp_path, entrants=2, rounds=1, metrics="127.0.0.1:9100")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trio, "open_tcp_listeners", taken)
        served = serve(event, Entrant(0), Entrant(1))
    assert isinstance(served.failure, WrongUse)
    assert str(served.failure) == (
        "the address for metrics 127.0.0.1:9100 is in use; choose another one"
    )
