"""The referee's side of a lost match: kept, and only then said to be there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio

from aboveboard_client.state.report_folder import ReportFolder, read_report
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from tests.fakes.sessions import FINISHED, GREETING, WELCOME, Played, Script, frame, session

SECONDS = 5.0
"""How long the disk takes."""


def report(number: int) -> bytes:
    said = service.Report(
        number=number, match=f"r{number}-b1", attempt=1, reason=pb.END_REASON_TIME_OUT
    )
    return frame(report=said)


async def slow_disk(work: Callable[[], Any]) -> Any:
    await trio.sleep(SECONDS)
    return work()


def server(heard: list[tuple[int, float]]) -> Script:
    """Sends two reports, and notes when it hears that they are there."""

    async def script(stream: Stream, _: Played) -> None:
        for data in (GREETING, WELCOME, report(1), report(2)):
            stream.send(data)
        began = trio.current_time()
        while len(heard) < 2:
            said = decode(service.ControlUp, await stream.receive())
            if said.HasField("reported"):
                heard.append((said.reported, trio.current_time() - began))
        stream.send(FINISHED)

    return script


def test_the_server_hears_that_a_report_is_there_once_it_is_on_disk(tmp_path: Path) -> None:
    heard: list[tuple[int, float]] = []
    played = session(script=server(heard), lost=ReportFolder(tmp_path, run=slow_disk))
    assert played.error is None
    assert [number for number, _ in heard] == [1, 2]
    # Two files each, in one go.
    assert heard[0][1] >= SECONDS
    assert heard[1][1] >= 2 * SECONDS
    kept = read_report(tmp_path / "r2-b1.1.json")
    assert kept is not None
    assert kept["referee"]["number"] == 2


def test_without_a_folder_it_is_told_and_need_not_come_again() -> None:
    heard: list[tuple[int, float]] = []
    played = session(script=server(heard))
    assert [number for number, _ in heard] == [1, 2]
    assert [each.number for each in played.reports.reports] == [1, 2]
