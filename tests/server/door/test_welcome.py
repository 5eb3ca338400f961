"""Being let in: the welcome comes before all else, and only once the entry is stored."""

from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import OutsideFailure
from aboveboard_protos.v1 import service_pb2 as wire
from tests.fakes.entrants import Entrant
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import DiskFull, Snapshots

NOTICE = wire.ControlDown(notice=wire.Notice(text="hello"))


async def come_back(hall: Hall) -> Visitor:
    """The bot of an older connection that reads nothing, as it is just being replaced."""
    await enter(hall, 0, narrow=True)
    for _ in range(3):
        hall.lobby.tell(0, NOTICE)
    newer = await visit(hall)
    newer.stream.send(Entrant(0).join(newer.greeting))
    await trio.sleep(0.5)
    return newer


def test_nothing_is_said_before_the_welcome() -> None:
    """An older connection that reads nothing takes a second to be ended."""

    async def main(hall: Hall) -> list[str]:
        newer = await come_back(hall)
        hall.lobby.invite(0, "r1-b1", lambda: b"a ticket")
        hall.lobby.tell_all(NOTICE)
        await trio.sleep(1)
        await newer.listen()
        return newer.kinds

    assert in_hall(main) == ["welcome", "ticket", "notice"]


@pytest.mark.parametrize("before", [1, 2], ids=["first entry", "second entry"])
def test_a_store_that_fails_at_an_entry_ends_the_server(tmp_path: Path, before: int) -> None:
    event = config(tmp_path, entrants=2, rounds=1)
    entrants = [Entrant(0), Entrant(1, comes=1)]
    served = serve(event, *entrants, store=DiskFull([1, 4][before - 1]))
    assert isinstance(served.failure, OutsideFailure)
    assert str(served.failure) == "the disk is full"
    kinds = [stored.kind for stored in served.store.events("log")]
    assert kinds == ["tournament-manifest", "entry"][:before]
    assert sum(entrant.entered != wire.Welcome() for entrant in entrants) == before - 1


def test_after_a_failed_entry_the_next_server_lets_the_bot_in(tmp_path: Path) -> None:
    event = config(tmp_path, entrants=2, rounds=1)
    failed = serve(event, Entrant(0), Entrant(1), store=DiskFull(1))
    served = serve(event, Entrant(0), Entrant(1), store=Snapshots(failed.store.events()))
    assert served.failure is None
    assert served.report().good


def test_a_server_that_is_started_again_while_entries_are_open_says_who_has_entered(
    tmp_path: Path,
) -> None:
    event = config(tmp_path, entrants=2, rounds=1)
    failed = serve(event, Entrant(0), Entrant(1, comes=1), store=DiskFull(4))
    served = serve(event, Entrant(0), Entrant(1), store=Snapshots(failed.store.events()))
    assert "entered before: bot-0" in served.lines
    assert not any(line.startswith("entered before") for line in failed.lines)
