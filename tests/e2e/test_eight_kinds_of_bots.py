"""Eight bots, six of which fail or worry their referee, in one tournament over real gRPC.

Each has the reason of its own in its matches, nobody has another's, and the archive holds.
"""

from pathlib import Path

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.transcript import split
from tests.e2e.serving import bot, join, leaves, new_key, serve, write_tournament
from tests.fakes.processes import Process, Processes

PEER = Path(__file__).parent / "peers" / "wire_bot.py"

REASON = {
    "exits": {"disconnected"},
    "silent": {"time-out"},
    "illegal": {"illegal-move"},
    "garbage": {"malformed-message"},
    "deaf": {"time-out"},
    "restless": set(),
    "killed": set(),
    "ada": set(),
}
"""What each may go out for."""

LIMITS = {"move": "12s", "grace": "9s", "start": "12s", "protocol": "9s"}
"""Wide, for a bot that is killed needs the time to be started again on a busy machine."""


def wire(processes: Processes, address: str, manners: str) -> Process:
    process = processes.python(PEER, address, manners, manners)
    process.line("^entered ")
    return process


def entered(archive: Path) -> list[str]:
    return [body.name for kind, body in leaves(archive) if kind == "entry"]


def drawn(archive: Path) -> list[pb.Pairings]:
    return [body for kind, body in leaves(archive) if kind == "pairings"]


def told_in(matches: dict[str, list[tuple[str, str]]], number: int) -> list[tuple[str, str]]:
    """What was found in the matches of a round."""
    return [each for name, told in matches.items() if name[1] == str(number) for each in told]


def outs(archive: Path) -> dict[str, list[tuple[str, str]]]:
    """By match, who went out, with the reason."""
    found = {}
    names = entered(archive)
    for path in sorted((archive / "matches").iterdir()):
        opening, *records = [parse_signed(record) for record in split(path.read_bytes())]
        seats = [names[seat.entrant] for seat in decode(pb.MatchOpen, opening.body).seats]
        events = [decode(pb.Event, record.body) for record in records[:-1]]
        found[path.name] = [
            (seats[event.seat_out.seat], reason_text(event.seat_out.reason))
            for event in events
            if event.HasField("seat_out")
        ]
        found[path.name].extend((seat, "") for seat in seats)
    return found


@pytest.mark.parametrize(
    "games",
    [("cribbage", "allegra"), pytest.param(("allegra",) * 7, marks=pytest.mark.slow)],
)
def test_each_of_eight_bots_has_its_own_reason_and_the_others_results_stand(
    processes: Processes, games: tuple[str, ...]
) -> None:
    file = write_tournament(
        processes.folder, games=list(games), rounds=len(games), entrants=8, limits=LIMITS
    )
    server, address = serve(processes, file)
    peers = {
        name: wire(processes, address, name)
        for name in ("silent", "illegal", "garbage", "deaf", "restless")
    }
    ada = join(processes, address, "random", "ada")
    exits = join(processes, address, bot("faulty", "Exits"), "exits")
    key = new_key(processes.folder, "killed")
    killed = join(processes, address, bot("faulty", "Tells"), "killed", "--key", key)
    killed.line("^decision 2$")
    killed.kill()
    killed = processes.aboveboard(
        "join", address, bot("faulty", "Tells"), "--name", "killed", "--key", key
    )
    ended = server.end()
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    for process in (ada, killed):
        left = process.end()
        assert left.well, str(left)
    assert exits.end().code == 9
    peers["deaf"].kill()
    for name, peer in peers.items():
        if name != "deaf":
            assert peer.end().code == 0

    seen: dict[str, set[str]] = {name: set() for name in REASON}
    archive = processes.folder / "evening" / "archive"
    matches = outs(archive)
    rounds = drawn(archive)
    assert len(matches) == sum(len(pairings.pairings) for pairings in rounds)
    # Who is gone for good sits every further round out, and nobody else ever does.
    left = [n for n in range(len(rounds)) if ("exits", "disconnected") in told_in(matches, n + 1)]
    first = left[0] + 1 if left else len(rounds)
    for number, pairings in enumerate(rounds):
        names = [entered(archive)[entrant] for entrant in pairings.absent]
        assert names == ["exits"] * (number >= first)
    for match, told in matches.items():
        seats = [name for name, reason in told if not reason]
        reasons = [(name, reason) for name, reason in told if reason]
        for name, reason in reasons:
            assert reason in REASON[name], (match, told)
            seen[name].add(reason)
        # Whoever fails does so in each match of its own, unless the other failed before.
        failing = [name for name in seats if REASON[name]]
        assert bool(reasons) == bool(failing), (match, told)
    for name in REASON:
        assert seen[name] <= REASON[name]
    for name in ("silent", "illegal", "garbage", "deaf", "exits"):
        assert seen[name] or any(
            (other, why) in told
            for told in matches.values()
            if any(seat == name for seat, _ in told)
            for other, why in told
            if other != name and why
        )
