"""Two hundred matches at once on one server, with all their bots on the same machine."""

from itertools import accumulate
from pathlib import Path

import pytest

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import split
from tests.e2e.serving import leaves, results, serve, write_tournament
from tests.fakes.processes import Processes

MATCHES = 200
CROWD = Path(__file__).parent / "peers" / "crowd.py"

pytestmark = pytest.mark.slow


def test_of_two_hundred_matches_at_once_none_is_lost_by_the_referee_being_late(
    processes: Processes, tmp_path: Path
) -> None:
    # The clock is the one that a tournament file has without a word.
    file = write_tournament(
        tmp_path,
        entrants=2 * MATCHES,
        matches_at_once=MATCHES,
        limits={"move": "10s", "protocol": "10s", "start": "20s", "grace": "15s"},
    )
    server, address = serve(processes, file)
    bots = processes.python(CROWD, address, 0, 2 * MATCHES).end()
    assert bots.well, bots
    assert bots.out == ""  # it would tell of trouble
    ended = server.end()
    assert ended.well, ended
    assert "verdict: good" in ended.out
    played = results(ended.out)
    assert len(played) == MATCHES, ended
    assert all(result.played_out for result in played)
    archive = tmp_path / "evening" / "archive"
    kinds = [kind for kind, _ in leaves(archive)]
    steps = {"match-open": 1, "match-close": -1}
    assert max(accumulate(steps.get(kind, 0) for kind in kinds)) == MATCHES
    print(f"\nthe referee's own lag was {_worst_lag_us(archive) / 1e6:.2f} s at the most")


def _worst_lag_us(archive: Path) -> int:
    worst = 0
    for file in sorted((archive / "matches").iterdir()):
        for record in split(read_plain(file)):
            signed = parse_signed(record, 1 << 20)
            if signed.type == "aboveboard/event/v1":
                event = pb.Event.FromString(signed.body)
                worst = max(worst, event.answered.timing.lag_us)
    return worst
