"""Many matches at once under one host: each of them as if it were alone."""

from functools import cache

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.hosting import make_host, run, sweeping
from tests.fakes.robots import Robot, nothing, opening, resign, vanish

Results = dict[str, pb.MatchClose]
GAMES = registry.names()


def short_matches(count: int) -> list[list[Robot]]:
    """Matches of all games, in each of which a seat stops early in one of several ways."""
    matches = []
    for number in range(count):
        terms = opening(f"r1-b{number + 1}", GAMES[number % len(GAMES)])
        act = (resign, vanish, nothing)[number % 3]
        robots = [Robot(terms, 0, thinks=0.5), Robot(terms, 1, thinks=0.25)]
        robots[number % 2].instead = act
        robots[number % 2].phase = pb.PHASE_ENTROPY if number % 5 == 0 else pb.PHASE_ACCEPT
        matches.append(robots)
    return matches


def play_at_once(matches: list[list[Robot]]) -> tuple[Results, MemoryJournal]:
    journal = MemoryJournal()
    closes: Results = {}

    async def main() -> None:
        host = make_host(journal)

        async def play(terms: pb.MatchOpen) -> None:
            closes[terms.match] = await host.play(terms)

        async with sweeping(host) as doors, trio.open_nursery() as nursery:
            for robots in matches:
                nursery.start_soon(play, robots[0].opening)
                for robot in robots:
                    nursery.start_soon(robot.play, host, doors)
        assert host.answers > 0

    run(main)
    return closes, journal


def outcome(close: pb.MatchClose) -> tuple[object, ...]:
    """What two runs must agree in; the order of what came together may differ."""
    return close.reason, [str(seat) for seat in close.seats]


@cache
def at_once() -> tuple[Results, MemoryJournal]:
    return play_at_once(short_matches(64))


def test_64_matches_at_once_end_each_in_its_own_way() -> None:
    closes, _ = at_once()
    assert len(closes) == 64
    for number, robots in enumerate(short_matches(64)):
        close = closes[robots[0].opening.match]
        reason = [
            pb.END_REASON_RESIGNED,
            pb.END_REASON_DISCONNECTED,
            pb.END_REASON_TIME_OUT,
        ][number % 3]
        assert close.seats[number % 2].reason == reason
        assert close.seats[1 - number % 2].half_points == 2


def test_matches_at_once_end_as_they_do_alone() -> None:
    closes, _ = at_once()
    for number in range(0, 64, 7):
        alone = short_matches(64)[number]
        results, _ = play_at_once([alone])
        match = alone[0].opening.match
        assert outcome(results[match]) == outcome(closes[match])


def test_every_one_of_many_transcripts_verifies() -> None:
    closes, journal = at_once()
    for (match, _), records in journal.records.items():
        assert verify_match(join(records)).close == closes[match]


@pytest.mark.slow
def test_64_whole_matches_at_once_come_out_as_they_do_alone() -> None:
    def whole() -> list[list[Robot]]:
        tables = [opening(f"r1-b{n + 1}", GAMES[n % len(GAMES)]) for n in range(64)]
        return [[Robot(terms, 0), Robot(terms, 1)] for terms in tables]

    closes, journal = play_at_once(whole())
    assert {close.reason for close in closes.values()} == {pb.END_REASON_PLAYED_OUT}
    for robots in whole()[::9]:
        match = robots[0].opening.match
        alone, _ = play_at_once([robots])
        assert outcome(alone[match]) == outcome(closes[match])
        assert verify_match(join(journal.records[match, 1])).close == closes[match]
