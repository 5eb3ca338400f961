"""A witness is killed while it co-signs one history, started again and shown the other."""

from pathlib import Path

from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.hosting import run
from tests.fakes.witnesses import ForkedLog, Killed, Running, Stopping, World

ROW = Row(
    "fork cosigned by a killed witness",
    "organiser",
    Outcome.PREVENTED,
    (
        Defence(
            "aboveboard_client.witness.cosigner:Cosigner._decide",
            "await self._write(partial(self._folder.keep, origin, new.note))",
            "None",
        ),
    ),
)


def test_whatever_it_co_signed_was_on_its_disk_before(tmp_path: Path) -> None:
    world = World(ForkedLog())

    def offer(history: str, disk: Stopping | None = None) -> None:
        with Running(tmp_path / "state", world.log, disk=disk) as witness:
            run(lambda: world.offer(witness.ask, history, 8))

    offer("a")
    offer("b", Stopping())
    must_not(world.forked, "it has co-signed two histories")


def test_killed_before_it_was_on_its_disk_it_has_co_signed_nothing(tmp_path: Path) -> None:
    world = World(ForkedLog())
    try:
        with Running(tmp_path / "state", world.log) as first:
            pass
        with Running(tmp_path / "state", world.log, disk=Stopping(3)) as first:
            run(lambda: world.offer(first.ask, "a", 8))
    except Killed:
        pass
    with Running(tmp_path / "state", world.log) as second:
        run(lambda: world.offer(second.ask, "b", 8))
    must_not(world.forked, "it has co-signed two histories")
