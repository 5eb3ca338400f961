"""Sixty bots over real sockets that delay, die and are cut, six of them bad."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.e2e.serving import leaves, results, serve, write_tournament
from tests.fakes.processes import Process, Processes

PEERS = Path(__file__).parent / "peers"

HONEST = 54
BAD = ("silent", "illegal", "garbage", "deaf", "silent", "garbage")

MOST_MIB = 400
"""Of the server, whose code and libraries alone are about 100."""

pytestmark = pytest.mark.slow


def test_no_honest_bot_loses_by_bad_lines_and_bad_company(processes: Processes) -> None:
    file = write_tournament(
        processes.folder,
        entrants=HONEST + len(BAD),
        rounds=2,
        games=["nebraska:family", "allegra"],
        limits={"move": "60s", "protocol": "60s", "start": "90s", "grace": "90s"},
    )
    server, address = serve(processes, file)
    lines = processes.python(PEERS / "bad_lines.py", address, "sixty")
    port = lines.line(r"^(\d+)$")[1]
    peers = [
        processes.python(PEERS / "wire_bot.py", address, f"bad{number}", manners)
        for number, manners in enumerate(BAD)
    ]
    crowd = processes.python(PEERS / "crowd.py", f"127.0.0.1:{port}", 0, HONEST)
    server.line(r"^archive: ", seconds=600)
    peak = peak_mib(server)
    ended = server.end()
    assert ended.well, ended
    assert "verdict: good" in ended.out
    crowd.end()
    for peer in peers:
        peer.kill()

    archive = processes.folder / "evening" / "archive"
    names = [body.name for kind, body in leaves(archive) if kind == "entry"]
    assert len(names) == HONEST + len(BAD)
    paired = [
        pairing.match
        for kind, body in leaves(archive)
        if kind == "pairings"
        for pairing in body.pairings
    ]
    told = results(ended.out)
    # One result for each, and none is by a fault of an honest bot.
    assert sorted(paired) == [result.match for result in told]
    assert [result for result in told if re.search(r"\bbot-\d+: ", result.what)] == []
    assert peak < MOST_MIB
    did = Counter(re.findall(r"^[a-z]+$", lines.kill().out, re.M))
    print(f"\n{len(told)} matches, {dict(did)}, {peak} MiB at the most")
    assert did["cut"] > 20
    assert did["died"] > 5


def peak_mib(process: Process) -> int:
    """The most memory that a process has had."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) // 1024
