"""Matches that cannot be opened: somebody is missing from them, or the server gives up."""

from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.host import table
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.serving import config, serve
from tests.fakes.shared_keys import SharingRobot


class Eager(Entrant):
    """Dials at every ticket, also at one that it has had: but twenty times at most."""

    async def _play(self, ticket: pb.Ticket, network: Network) -> None:
        if len(self.robots) < 20:
            self._seen.clear()
        await super()._play(ticket, network)


def test_one_match_key_for_both_seats_costs_one_of_them_the_match_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    entrants = [Eager(0, robot=SharingRobot), Eager(1, robot=SharingRobot)]
    served = serve(config(tmp_path, entrants=2, rounds=1), *entrants)
    assert served.failure is None
    assert served.report().good
    (close,) = served.closes.values()
    reasons = {seat.reason for seat in close.seats}
    assert reasons == {pb.END_REASON_NO_SHOW, pb.END_REASON_UNSPECIFIED}
    robots = [robot for entrant in entrants for robot in entrant.robots]
    codes = sorted(robot.refusal.code for robot in robots)
    assert codes == [wire.REFUSAL_CODE_UNSPECIFIED, wire.REFUSAL_CODE_BAD_PROOF]


def test_a_referee_that_opens_no_match_ends_the_server_after_so_many_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """There is nothing on disk yet that such a match could be closed by."""

    def opens_nothing(*_: Any) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(table, "Referee", opens_nothing)
    served = serve(config(tmp_path, entrants=2, rounds=1), Eager(0), Eager(1))
    assert isinstance(served.failure, ExceptionGroup)
    mistakes, others = served.failure.split(RuntimeError)
    assert mistakes is not None
    assert others is None
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(errors) == MOST_ATTEMPTS
