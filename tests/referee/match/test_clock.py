"""The arithmetic of the clock, without a match around it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.clock import ON_THE_CLOCK, Clocks, check_limits

SECOND = 1_000_000
WEEK = 7 * 24 * 3600 * SECOND
LIMITS = pb.Clock(
    move_us=10 * SECOND,
    bank_us=60 * SECOND,
    increment_us=SECOND,
    protocol_us=5 * SECOND,
    refund_cap_us=SECOND // 2,
    refund_budget_us=SECOND,
    lag_us=100,
)
MOVE, COMMITMENT = pb.PHASE_MOVE, pb.PHASE_COMMITMENT
PROTOCOL = (pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_OPENING)


def test_a_round_trip_is_refunded_up_to_the_cap_of_a_move() -> None:
    clocks = Clocks(LIMITS, 2)
    for round_trip, charged in (
        (0, 3 * SECOND),
        (200_000, 2_800_000),
        (500_000, 2_500_000),
        (500_001, 2_500_000),
        (10**18, 2_500_000),
    ):
        assert clocks.timing(0, MOVE, 3 * SECOND, round_trip, 0).charged_us == charged


def test_no_more_is_refunded_than_was_waited() -> None:
    assert Clocks(LIMITS, 2).timing(0, MOVE, 300, 400, 0).charged_us == 0
    assert Clocks(LIMITS, 2).timing(0, MOVE, 0, 400, 0).charged_us == 0


def test_refunds_end_with_their_budget_of_the_match() -> None:
    clocks = Clocks(LIMITS, 2)
    charges = []
    for _ in range(4):
        timing = clocks.timing(0, MOVE, SECOND, 400_000, 0)
        charges.append(timing.charged_us)
        clocks.spend(0, MOVE, timing)
    assert charges == [600_000, 600_000, 800_000, SECOND]
    assert clocks.timing(1, MOVE, SECOND, 400_000, 0).charged_us == 600_000


def test_a_move_has_the_lesser_of_its_own_limit_and_the_bank() -> None:
    clocks = Clocks(LIMITS, 2)
    assert clocks.left(0, MOVE) == clocks.left(0, COMMITMENT) == 10 * SECOND
    for left in (9, 8):
        clocks.spend(0, MOVE, pb.Timing(wait_us=26 * SECOND, charged_us=26 * SECOND))
        left = 60 * SECOND - (9 - left + 1) * 25 * SECOND
        assert clocks.left(0, MOVE) == min(10 * SECOND, left)
    assert clocks.left(1, MOVE) == 10 * SECOND


def test_the_increment_comes_after_each_move() -> None:
    limits = pb.Clock(bank_us=10, increment_us=3, protocol_us=1)
    clocks = Clocks(limits, 1)
    lefts = []
    for spent in (4, 9, 0, 2):
        clocks.spend(0, MOVE, clocks.timing(0, MOVE, spent, 0, 0))
        lefts.append(clocks.left(0, MOVE))
    assert lefts == [9, 3, 6, 7]


def test_a_bank_alone_or_a_limit_per_move_alone_will_do() -> None:
    per_move = Clocks(pb.Clock(move_us=7, protocol_us=1), 1)
    per_move.spend(0, MOVE, per_move.timing(0, MOVE, 7, 0, 0))
    assert per_move.left(0, MOVE) == 7
    bank = Clocks(pb.Clock(bank_us=7, protocol_us=1), 1)
    bank.spend(0, MOVE, bank.timing(0, MOVE, 7, 0, 0))
    assert bank.left(0, MOVE) == 0
    assert not bank.is_late(bank.timing(0, MOVE, 0, 0, 0))
    assert bank.is_late(bank.timing(0, MOVE, 1, 0, 0))


def test_a_charge_of_just_what_was_left_is_in_time() -> None:
    clocks = Clocks(LIMITS, 2)
    for phase, limit in ((MOVE, 10 * SECOND), *((phase, 5 * SECOND) for phase in PROTOCOL)):
        assert not clocks.is_late(clocks.timing(0, phase, limit, 0, 0))
        assert clocks.is_late(clocks.timing(0, phase, limit + 1, 0, 0))


def test_a_referee_later_than_allowed_calls_nobody_late() -> None:
    clocks = Clocks(LIMITS, 2)
    assert clocks.is_late(clocks.timing(0, MOVE, 10**15, 0, 100))
    assert not clocks.is_late(clocks.timing(0, MOVE, 10**15, 0, 101))


def test_a_verdict_voided_leaves_an_empty_bank_and_no_debt() -> None:
    clocks = Clocks(LIMITS, 2)
    clocks.spend(0, MOVE, clocks.timing(0, MOVE, 10**15, 0, 101))
    assert clocks.left(0, MOVE) == SECOND  # the increment


def test_what_is_not_a_move_costs_neither_bank_nor_refunds() -> None:
    clocks = Clocks(LIMITS, 2)
    before = [clocks.timing(0, phase, 10**7, 10**6, 0) for phase in ON_THE_CLOCK]
    for phase in PROTOCOL:
        assert clocks.left(0, phase) == 5 * SECOND
        for _ in range(50):
            clocks.spend(0, phase, clocks.timing(0, phase, 5 * SECOND, 10**6, 0))
    assert [clocks.timing(0, phase, 10**7, 10**6, 0) for phase in ON_THE_CLOCK] == before


TIMES = st.integers(0, 2**63)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    limits=st.builds(
        pb.Clock,
        move_us=st.integers(1, WEEK),
        bank_us=st.integers(0, WEEK),
        increment_us=st.integers(0, WEEK),
        protocol_us=st.integers(1, WEEK),
        refund_cap_us=st.integers(0, WEEK),
        refund_budget_us=st.integers(0, WEEK),
        lag_us=st.integers(0, WEEK),
    ),
    answers=st.lists(
        st.tuples(st.sampled_from([MOVE, COMMITMENT, *PROTOCOL]), TIMES, TIMES, TIMES), max_size=12
    ),
)
def test_no_clock_ever_goes_below_zero_or_refunds_beyond_its_limits(
    limits: pb.Clock, answers: list[tuple[pb.Phase, int, int, int]]
) -> None:
    assert check_limits(limits) is None
    clocks = Clocks(limits, 1)
    refunded = 0
    for phase, wait, round_trip, lag in answers:
        timing = clocks.timing(0, phase, wait, round_trip, lag)
        assert clocks.agrees(0, phase, timing)
        assert 0 <= timing.charged_us <= wait
        assert wait - timing.charged_us <= min(round_trip, limits.refund_cap_us)
        assert timing.left_us <= (limits.move_us if phase in ON_THE_CLOCK else limits.protocol_us)
        if phase in ON_THE_CLOCK:
            refunded += wait - timing.charged_us
        clocks.spend(0, phase, timing)
    assert refunded <= limits.refund_budget_us


@pytest.mark.parametrize("field", ["wait_us", "round_trip_us", "charged_us", "left_us"])
def test_a_timing_with_another_sum_does_not_agree(field: str) -> None:
    clocks = Clocks(LIMITS, 2)
    timing = clocks.timing(0, MOVE, SECOND, 200_000, 0)
    setattr(timing, field, getattr(timing, field) + 1)
    assert not clocks.agrees(0, MOVE, timing)
    assert not clocks.agrees(0, MOVE, pb.Timing())


@pytest.mark.parametrize(
    ("limits", "wrong"),
    [
        (pb.Clock(), "per move, a bank, or both"),
        (pb.Clock(protocol_us=1, increment_us=1), "per move, a bank, or both"),
        (pb.Clock(move_us=1), "protocol"),
        (pb.Clock(move_us=WEEK + 1, protocol_us=1), "week"),
        (pb.Clock(bank_us=2**64 - 1, protocol_us=1), "week"),
        (pb.Clock(move_us=1, protocol_us=WEEK + 1), "week"),
    ],
)
def test_limits_that_no_match_can_keep(limits: pb.Clock, wrong: str) -> None:
    assert wrong in (check_limits(limits) or "")


def test_limits_that_a_match_can_keep() -> None:
    for limits in (
        LIMITS,
        pb.Clock(move_us=1, protocol_us=1),
        pb.Clock(bank_us=1, protocol_us=1),
        pb.Clock(move_us=WEEK, bank_us=WEEK, protocol_us=WEEK),
    ):
        assert check_limits(limits) is None
