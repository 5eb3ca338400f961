"""How ``aboveboard join`` ends: with a verdict where the records proved somebody at fault."""

import pytest

from aboveboard_client.session.session import Outcome
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.command_line import Run
from tests.fakes.sessions import EVENT


@pytest.mark.parametrize(
    ("deviated", "code", "line"),
    [
        ((), 0, ""),
        (("r1-b1",), 1, "aboveboard: not played by the rules: r1-b1\n"),
        (("r1-b1", "r3-b1"), 1, "aboveboard: not played by the rules: r1-b1, r3-b1\n"),
    ],
)
def test_matches_that_broke_the_rules_are_named_at_the_end(
    run: Run, monkeypatch: pytest.MonkeyPatch, deviated: tuple[str, ...], code: int, line: str
) -> None:
    matches = ("r1-b1", "r2-b1", "r3-b1")
    ends = [MatchEnd(pb.Ticket(match=match), None, match in deviated) for match in matches]
    played = Outcome(EVENT, 0, tuple(ends), pb.TournamentClose())
    monkeypatch.setattr(bridge, "run", lambda _play: played)
    ran = run("join", "localhost:1", "random")
    assert (ran.code, ran.err) == (code, line)
