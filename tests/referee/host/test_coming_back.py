"""Bots whose connection breaks, and hosts that are started anew, go on with their matches."""

from dataclasses import dataclass

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.hosting import Match, events, make_host, play, run, sweeping
from tests.fakes.returning import Returning
from tests.fakes.robots import Robot, after, answer, opening, up, vanish

PLAYED = [pb.END_REASON_PLAYED_OUT] * 2
GRACE = 5_000_000
GAMES = ("cribbage", "nebraska:family", "allegra")


@dataclass(eq=False)
class Answering(Robot):
    """Answers pings, each of them so many seconds late."""

    pong_after: float = 0.0

    async def frame(self) -> service.MatchDown:
        frame = await super().frame()
        if frame.HasField("ping"):
            await trio.sleep(self.pong_after)
            self.stream.send(up(pong=service.Ping(number=frame.ping.number)))
        return frame


def kinds(match: Match) -> list[str]:
    return [str(event.WhichOneof("payload")) for event in events(match.records)]


def moves(match: Match) -> list[bytes]:
    return [answer.SerializeToString()[34:] for answer, _ in match.answers]


@pytest.mark.parametrize("forgetful", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_a_bot_that_reconnects_every_few_records_plays_its_match_out(
    game: str, forgetful: bool
) -> None:
    terms = opening(game=game, grace_us=GRACE)
    seen: set[int] = set()

    def drops(held: int) -> bool:
        fresh = held // 7 not in seen
        seen.add(held // 7)
        return fresh

    robot = Returning(terms, 1, drops=drops, forgetful=forgetful)
    match = play(Robot(terms, 0), robot)
    assert match.reasons == PLAYED
    assert robot.dropped > 3
    # One more where the last connection broke with the match over, or with its end.
    lost, back = kinds(match).count("seat_lost"), kinds(match).count("seat_back")
    assert robot.dropped - 1 <= lost <= robot.dropped
    assert lost - 1 <= back <= lost
    assert len(match.verified().unsigned_by) == 0


@pytest.mark.parametrize("after", range(1, 40, 4))
def test_a_bot_killed_after_any_record_goes_on_with_its_secret(after: int) -> None:
    terms = opening(game="nebraska:family", grace_us=GRACE)
    undisturbed = play(Robot(terms, 0), Robot(terms, 1))
    once = [True]

    def drops(held: int) -> bool:
        return held >= after and bool(once) and once.pop()

    robot = Returning(terms, 1, drops=drops, forgetful=True)
    match = play(Robot(terms, 0), robot)
    assert match.reasons == PLAYED
    assert [seat.score for seat in match.close.seats] == [
        seat.score for seat in undisturbed.close.seats
    ]


def test_the_clock_runs_on_while_a_bot_is_away_and_it_is_told_for_how_long() -> None:
    terms = opening(grace_us=GRACE)
    once = [True]
    robot = Returning(
        terms,
        1,
        drops=lambda _held: bool(robot.player.owed) and bool(once) and once.pop(),
        away=3,
    )
    match = play(Robot(terms, 0), robot)
    assert match.reasons == PLAYED
    (back,) = [event.seat_back for event in events(match.records) if event.HasField("seat_back")]
    assert back.away_us == pytest.approx(3_000_000, abs=1000)
    assert back.grace_left_us == GRACE - back.away_us
    assert robot.backs[0].grace_left_us == back.grace_left_us


def test_grace_is_one_budget_for_all_absences_of_a_match() -> None:
    terms = opening(grace_us=GRACE)
    robot = Returning(terms, 1, drops=lambda held: held % 5 == 0, away=2)
    match = play(Robot(terms, 0), robot)
    assert match.reasons == [pb.END_REASON_UNSPECIFIED, pb.END_REASON_DISCONNECTED]
    assert kinds(match).count("seat_back") == 2
    assert match.out.away_us == pytest.approx(1_000_000, abs=100_000)


def test_a_bot_that_never_comes_back_is_out_when_its_grace_is_used_up() -> None:
    terms = opening(grace_us=GRACE)
    match = play(Robot(terms, 0, thinks=1), Robot(terms, 1, instead=vanish))
    assert match.reasons == [pb.END_REASON_UNSPECIFIED, pb.END_REASON_DISCONNECTED]
    assert match.out.away_us >= GRACE


def test_a_bot_may_connect_so_often_and_no_more() -> None:
    terms = opening(grace_us=GRACE)
    robot = Returning(terms, 1, drops=lambda held: True)
    match = play(Robot(terms, 0), robot)
    assert match.reasons[0] in (pb.END_REASON_UNSPECIFIED, pb.END_REASON_PLAYED_OUT)
    assert kinds(match).count("seat_lost") <= 200


# --- The host itself ------------------------------------------------------------------------


def restarted(game: str, after: int, *, forgetful: bool = False, stays_away: bool = False) -> Match:
    """A match whose host is abandoned once ``after`` records are on disk, and goes on."""
    terms = opening(game=game, grace_us=GRACE)
    journal = MemoryJournal()
    place = (terms.match, terms.attempt)

    async def main() -> Match:
        reached = trio.Event()

        class Counting(MemoryJournal):
            async def append(self, match: str, attempt: int, records) -> None:  # type: ignore[no-untyped-def]
                await journal.append(match, attempt, records)
                if len(journal.records[place]) >= after:
                    reached.set()
                    await trio.sleep_forever()

        first = make_host(Counting())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.sweep)
            for seat in (0, 1):
                nursery.start_soon(Robot(terms, seat).play, first, nursery)
            nursery.start_soon(first.play, terms)
            await reached.wait()
            nursery.cancel_scope.cancel()
        before = list(journal.records[place])
        second = make_host(journal)
        async with sweeping(second) as doors:
            async with trio.open_nursery() as bots:
                for seat in (0, 1):
                    if not (stays_away and seat):
                        bots.start_soon(Robot(terms, seat).play, second, doors)
                close = await second.resume(before, 60_000_000)
            records = journal.records[place]
            assert records[: len(before)] == before
            return Match(close, records, trio.current_time())

    match = run(main)
    match.verified()
    return match


@pytest.mark.parametrize("after", [1, 3, 6, 9, 20, 35])
@pytest.mark.parametrize("game", GAMES)
def test_a_host_killed_after_any_record_goes_on_to_the_same_end(game: str, after: int) -> None:
    terms = opening(game=game, grace_us=GRACE)
    undisturbed = play(Robot(terms, 0), Robot(terms, 1))
    match = restarted(game, after)
    assert match.reasons == PLAYED
    assert kinds(match).count("resumed") == 1
    assert [row.score for row in match.close.seats] == [
        row.score for row in undisturbed.close.seats
    ]


def test_where_a_bot_does_not_come_back_to_a_restarted_host_nobody_loses() -> None:
    match = restarted("cribbage", 12, stays_away=True)
    assert match.reasons == [pb.END_REASON_INTERRUPTED] * 2
    assert match.half_points == [1, 1]
    (stopped,) = [event.stopped for event in events(match.records) if event.HasField("stopped")]
    assert "seat 1 did not come back" in stopped.text


def test_a_match_that_only_lacked_its_close_keeps_its_result() -> None:
    terms = opening(game="nebraska:family", grace_us=GRACE)
    whole = play(Robot(terms, 0), Robot(terms, 1))
    match = restarted("nebraska:family", len(whole.records) - 1)
    assert match.reasons == PLAYED
    assert match.half_points == whole.half_points
    assert verify_match(join(match.records)).unsigned_by == ()


def test_a_restarted_host_charges_no_grace_and_no_time_for_its_own_absence() -> None:
    match = restarted("cribbage", 12)
    for event in events(match.records):
        if event.HasField("seat_back"):
            assert event.seat_back.away_us == 0
            assert event.seat_back.grace_left_us == GRACE
    assert all(timing.charged_us < 1_000_000 for _, timing in match.answers)


def test_a_move_after_the_end_gets_match_over_at_once() -> None:
    terms = opening(grace_us=GRACE, move_us=10_000_000)
    late = Robot(terms, 1, instead=after(10.5, answer))
    match = play(Robot(terms, 0), late)
    assert match.reasons == [pb.END_REASON_UNSPECIFIED, pb.END_REASON_TIME_OUT]
    assert late.refusal == service.Refusal(
        code=service.REFUSAL_CODE_MATCH_OVER, text="the match is over"
    )
    assert late.close_data
    assert match.verified().unsigned_by == ()


@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_the_least_of_five_round_trips_is_recorded_with_each_answer(delay: float) -> None:
    terms = opening(refund_cap_us=1_000_000, refund_budget_us=10_000_000)
    match = play(Robot(terms, 0, thinks=0.5), Answering(terms, 1, pong_after=delay))
    by_seat = [[timing for sent, timing in match.answers if sent.seat == seat] for seat in (0, 1)]
    assert {timing.round_trip_us for timing in by_seat[0]} == {0}
    assert max(timing.round_trip_us for timing in by_seat[1]) == pytest.approx(delay * 1e6, abs=10)
    for timing in by_seat[1]:
        refund = min(timing.wait_us, timing.round_trip_us)
        assert timing.charged_us == timing.wait_us - refund
