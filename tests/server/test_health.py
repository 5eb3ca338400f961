"""Whether the server says that it is well, by gRPC's own question: only while bots can play."""

from pathlib import Path
from typing import Any

import pytest
import trio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from aboveboard_protos.bridge import Broken
from aboveboard_server.door.front import SERVICES
from aboveboard_server.operations.restored import mark_restored
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import DiskFull, Slow

WATCH = "/grpc.health.v1.Health/Watch"


def watched(folder: Path, service: str = "", **options: Any) -> tuple[list[str], Served]:
    """What somebody is told who watches from the beginning to the end."""
    told: list[str] = []

    async def watch(network: Network) -> None:
        stream = await network.dial(WATCH)
        stream.send(HealthCheckRequest(service=service).SerializeToString())
        try:
            while True:
                said = HealthCheckResponse.FromString(await stream.receive())
                told.append(HealthCheckResponse.ServingStatus.Name(said.status))
        except (Broken, trio.EndOfChannel):
            return

    bots = [Entrant(number) for number in range(2)]
    served = serve(config(folder, entrants=2, rounds=1), *bots, beside=watch, **options)
    return told, served


@pytest.mark.parametrize("service", ["", *SERVICES])
def test_it_is_well_from_when_bots_can_come_to_the_end(tmp_path: Path, service: str) -> None:
    told, served = watched(tmp_path, service, store=Slow())
    assert served.failure is None
    assert told == ["NOT_SERVING", "SERVING", "NOT_SERVING"]


def test_it_is_not_well_once_a_disk_has_failed(tmp_path: Path) -> None:
    told, served = watched(tmp_path, store=DiskFull(10))
    assert str(served.failure) == "the disk is full"
    assert told[-2:] == ["SERVING", "NOT_SERVING"]


def test_a_restored_state_is_not_well_until_all_are_back(tmp_path: Path) -> None:
    _, before = watched(tmp_path, store=DiskFull(8))
    mark_restored(tmp_path / "state", "2030-01-01")
    told, served = watched(tmp_path, store=DiskFull(-1, before.store.events()), seconds=60)
    assert served.failure is None
    assert told == ["NOT_SERVING", "SERVING", "NOT_SERVING"]
