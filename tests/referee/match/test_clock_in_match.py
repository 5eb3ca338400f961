"""The clock as part of a match: what is recorded, recomputed, and called late."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import own_key
from tests.fakes.forging import content, edited, follow
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Setup, event_of, owes

CLOCK = pb.Clock(
    move_us=10_000,
    bank_us=25_000,
    increment_us=1_000,
    protocol_us=4_000,
    refund_cap_us=500,
    refund_budget_us=800,
    lag_us=100,
)
TIME_OUT = pb.END_REASON_TIME_OUT


def at_move(game: str = "cribbage") -> Script:
    phase = pb.PHASE_COMMITMENT if game.startswith("nebraska") else pb.PHASE_MOVE
    return Script(Setup(game, clock=CLOCK)).until(owes(phase))


def timing(record: bytes) -> pb.Timing:
    event = event_of(record)
    return event.answered.timing if event.HasField("answered") else event.seat_out.timing


def test_an_answer_is_recorded_with_all_that_was_measured() -> None:
    script = at_move()
    record, *_ = script.send(0, script.honest(0), wait_us=3_000, round_trip_us=200, lag_us=7)
    assert timing(record) == pb.Timing(
        wait_us=3_000, round_trip_us=200, lag_us=7, charged_us=2_800, left_us=10_000
    )


def test_late_beats_illegal() -> None:
    script = at_move()
    illegal = edited(script.honest(0), lambda a: setattr(a.move, "text", "no"), own_key(script, 0))
    record, *_ = script.send(0, illegal, wait_us=10_001)
    out = event_of(record).seat_out
    assert (out.reason, out.evidence) == (TIME_OUT, illegal)
    assert script.referee.fold.outs == {0: TIME_OUT}


def test_late_beats_a_good_answer_and_rubbish_alike() -> None:
    for data in (at_move().honest(0), b"", b"\0" * 9_000):
        script = at_move()
        record, *_ = script.send(0, data, wait_us=10_001)
        assert event_of(record).seat_out.reason == TIME_OUT
        script.play()
        script.finish()
        follow(script.records)


def test_the_last_microsecond_is_in_time() -> None:
    script = at_move()
    record, *_ = script.send(0, script.honest(0), wait_us=10_000)
    assert event_of(record).HasField("answered")


def test_silence_is_late_from_the_first_microsecond_beyond_the_limit() -> None:
    script = at_move()
    assert script.overdue(0, wait_us=10_000) == ()
    assert script.overdue(0, wait_us=10_600, round_trip_us=600, lag_us=101) == ()
    record, *_ = script.overdue(0, wait_us=10_001)
    out = event_of(record).seat_out
    assert (out.reason, out.evidence, out.phase) == (TIME_OUT, b"", pb.PHASE_MOVE)


def test_a_seat_that_owes_nothing_is_never_overdue() -> None:
    script = at_move()
    script.send(0, script.honest(0))
    assert script.overdue(0, wait_us=10**12) == ()


def test_a_lagging_referee_voids_the_verdict_for_an_answer_and_for_silence() -> None:
    script = at_move()
    assert script.overdue(0, wait_us=10**9, lag_us=101) == ()
    record, *_ = script.send(0, script.honest(0), wait_us=10**9, lag_us=101)
    assert event_of(record).HasField("answered")
    assert script.referee.fold.clocks.left(0, pb.PHASE_MOVE) == 1_000
    script.lost(1)
    script.play()
    follow(script.records)


def test_pings_answered_late_are_refunded_up_to_the_cap_and_the_budget_only() -> None:
    script = at_move("nebraska:family")
    charges = []
    for _ in range(3):
        record, *_ = script.send(0, script.honest(0), wait_us=2_000, round_trip_us=10**9)
        charges.append(timing(record).charged_us)
        script.step()
        script.until(owes(pb.PHASE_COMMITMENT))
    assert charges == [1_500, 1_700, 2_000]


def test_the_bank_runs_down_and_gains_the_increment() -> None:
    script = at_move("nebraska:family")
    bank, waits, lefts = 25_000, [9_000, 8_000, 6_000, 4_000, 2_000, 500], []
    while waits:
        seat = min(script.referee.owed)
        phase = script.referee.owed[seat].phase
        if seat == 0 and phase in (pb.PHASE_COMMITMENT, pb.PHASE_MOVE):
            wait = waits.pop(0)
            record, *_ = script.send(0, script.honest(0), wait_us=wait)
            lefts.append(timing(record).left_us)
            assert lefts[-1] == min(10_000, bank)
            bank += 1_000 - wait
        else:
            # Nobody is in a hurry with an opening, which costs nothing.
            wait = 4_000 if phase == pb.PHASE_OPENING else 0
            script.send(seat, script.honest(seat), wait_us=wait)
    assert lefts == [10_000, 10_000, 10_000, 5_000, 2_000, 1_000]


@pytest.mark.parametrize("stand", [pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_OPENING])
def test_the_protocols_own_answers_have_a_limit_of_their_own(stand: pb.Phase) -> None:
    for wait, answered in ((4_000, True), (4_001, False)):
        script = Script(Setup("nebraska:family", clock=CLOCK)).until(owes(stand))
        left = script.referee.fold.clocks.left(0, pb.PHASE_MOVE)
        record, *_ = script.send(0, script.honest(0), wait_us=wait)
        assert timing(record).left_us == 4_000
        assert event_of(record).HasField("answered") is answered
        if answered:
            assert script.referee.fold.clocks.left(0, pb.PHASE_MOVE) == left
        else:
            assert event_of(record).seat_out.reason == TIME_OUT


def test_a_bot_knows_what_is_left_for_its_move() -> None:
    script = at_move()
    turn = script.players[0].turn
    assert turn is not None
    assert turn.left_us == 10_000
    script.send(0, script.honest(0), wait_us=9_000)
    script.send(1, script.honest(1), wait_us=0)
    script.until(owes(pb.PHASE_MOVE, seat=0))
    left = script.referee.fold.clocks.left(0, pb.PHASE_MOVE)
    turn = script.players[0].turn
    assert turn is not None
    assert turn.left_us == left == 10_000


@pytest.mark.parametrize("field", ["wait_us", "round_trip_us", "charged_us", "left_us"])
def test_an_altered_sum_is_refused_by_everybody(field: str) -> None:
    script = at_move()
    before = tuple(script.records)

    def alter(event: pb.Event) -> None:
        value = getattr(event.answered.timing, field)
        setattr(event.answered.timing, field, value + 1)

    def tamper(_watcher: int | None, outbox: Outbox) -> Outbox:
        first, *rest = outbox.records
        return Outbox((edited(first, alter, key("a referee")), *rest), outbox.shows)

    script.tamper = tamper
    script.send(0, script.honest(0), wait_us=3_000, round_trip_us=200)
    assert set(script.refusals) == {None, 0, 1}
    for refusal in script.refusals.values():
        assert (refusal.step, refusal.sequence) == (Step.CLOCK, len(before))
        assert refusal.blame == "referee"


@pytest.mark.parametrize(
    "alter",
    [
        lambda t: t.CopyFrom(pb.Timing(wait_us=10_001, charged_us=10_001, left_us=10_000)),
        lambda t: t.CopyFrom(
            pb.Timing(wait_us=10_001, charged_us=10_001, left_us=10_000, lag_us=100)
        ),
        lambda t: t.Clear(),
    ],
    ids=["late", "late and the lag allowed", "no times"],
)
def test_a_late_answer_let_pass_is_refused(alter) -> None:  # type: ignore[no-untyped-def]  # a table of lambdas
    script = at_move()
    before = tuple(script.records)
    record, *_ = script.send(0, script.honest(0))
    forged = edited(record, lambda e: alter(e.answered.timing), key("a referee"))
    with pytest.raises(Deviation) as refused:
        follow((*before, forged))
    assert refused.value.step is Step.CLOCK


@pytest.mark.parametrize("field", ["wait_us", "round_trip_us", "charged_us", "left_us"])
def test_an_altered_sum_of_a_time_out_is_refused(field: str) -> None:
    script = at_move()
    before = tuple(script.records)
    record, *_ = script.overdue(0, wait_us=20_000, round_trip_us=300)

    def alter(event: pb.Event) -> None:
        setattr(event.seat_out.timing, field, getattr(event.seat_out.timing, field) + 1)

    with pytest.raises(Deviation) as refused:
        follow((*before, edited(record, alter, key("a referee"))))
    assert refused.value.step is Step.CLOCK


def test_the_bots_own_measure_is_signed_and_published() -> None:
    script = at_move()
    player = script.players[0]
    assert player.turn is not None
    data = player.decide(player.turn.legal[0], thought_us=1_234)
    record, *_ = script.send(0, data)
    assert content(event_of(record).answered.answer).thought_us == 1_234
