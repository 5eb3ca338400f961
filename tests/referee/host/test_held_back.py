"""What a seat need not answer may wait for its next frame, and what waits is not lost."""

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.connection import HELD_SECONDS
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.hosting import SWEEP, events, make_host, play, run, sweeping
from tests.fakes.returning import Returning
from tests.fakes.robots import Robot, nothing, opening, records_in

LATEST = HELD_SECONDS + SWEEP + 0.01
PLAYED = [pb.END_REASON_PLAYED_OUT] * 2


def arrivals(robot: Robot) -> list[tuple[float, list[bytes]]]:
    """Frames with records in them, and when they came."""
    return [(at, records) for at, data in robot.got if (records := records_in(data))]


def test_a_seats_own_move_comes_together_with_the_move_after_it() -> None:
    terms = opening()
    robots = [Robot(terms, 0), Robot(terms, 1)]
    match = play(*robots)
    answers = len(match.answers)
    for robot in robots:
        assert len(arrivals(robot)) < 0.75 * answers
        assert robot.records == match.records[:-1]


def test_every_frame_of_records_ends_with_a_signed_one() -> None:
    terms = opening(game="nebraska:family")
    robots = [Robot(terms, 0), Robot(terms, 1, thinks=0.3)]
    play(*robots)
    for robot in robots:
        for _, records in arrivals(robot):
            assert parse_signed(records[-1]).signatures


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family"])
def test_a_seat_hears_of_everything_within_moments_whoever_is_silent(game: str) -> None:
    terms = opening(game=game)
    quick, silent = Robot(terms, 0), Robot(terms, 1, instead=nothing, after=2)
    match = play(quick, silent)
    times = [event.time_us for event in events(match.records)]
    first = times[0]
    for robot in (quick, silent):
        heard = {record: at for at, records in arrivals(robot) for record in records}
        for record, time in zip(match.records[1:-1], times, strict=True):
            assert heard[record] - (time - first) / 1e6 <= LATEST


def test_an_answer_is_on_disk_within_moments_though_another_is_owed() -> None:
    terms = opening()
    journal = MemoryJournal()

    async def main() -> None:
        host = make_host(journal)
        async with sweeping(host) as doors:
            for robot in (
                Robot(terms, 0),
                Robot(terms, 1, instead=nothing, phase=pb.PHASE_ACCEPT),
            ):
                doors.start_soon(robot.play, host, doors)
            with trio.move_on_after(LATEST):
                await host.play(terms)

    run(main)
    (event,) = events(journal.records[terms.match, 1])
    assert event.HasField("answered")


def test_an_answer_that_waited_for_another_while_the_host_was_killed_is_given_again() -> None:
    terms = opening(grace_us=5_000_000)
    journal = MemoryJournal()
    place = (terms.match, terms.attempt)

    def robots() -> list[Returning]:
        return [Returning(terms, 0), Returning(terms, 1, thinks=HELD_SECONDS / 2)]

    async def main() -> pb.MatchClose:
        first, second = make_host(journal), make_host(journal)
        quick, slow = robots()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.sweep)
            for robot in (quick, slow):
                nursery.start_soon(robot.play, first, nursery)
            nursery.start_soon(first.play, terms)
            await trio.sleep(HELD_SECONDS / 4)
            nursery.cancel_scope.cancel()
        before = list(journal.records[place])
        # Seat 0 has discarded, and nobody but the dead host knew of it.
        _, discard = quick._sent
        assert not any(discard in record for record in before)
        async with sweeping(second) as doors:
            for robot in robots():
                doors.start_soon(robot.play, second, doors)
            close = await second.resume(before, 60_000_000)
        assert sum(discard in record for record in journal.records[place]) == 1
        return close

    assert [seat.reason for seat in run(main).seats] == PLAYED
    verify_match(join(journal.records[place]))
