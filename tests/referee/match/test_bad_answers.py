"""A bad answer ends the match for its seat: with its own reason, and its bytes kept."""

from dataclasses import dataclass
from functools import cache

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.result import BOT
from tests.fakes.bad_answers import ALL, STANDS, Bad
from tests.fakes.forging import follow, resigned
from tests.fakes.keys import key
from tests.fakes.scripted import Script, event_of


@dataclass(frozen=True)
class Case:
    """A bad answer that was given, and the match after it, played to its end."""

    script: Script
    seat: Seat
    data: bytes
    question: pb.SeatOut  # its phase and number
    before: tuple[bytes, ...]
    out: bytes
    close: pb.MatchClose


@cache
def given(stand: str, index: int) -> Case:
    bad = ALL[index][1]
    script = STANDS[stand]()
    seat = index % 2
    owed = script.referee.owed[seat]
    question = pb.SeatOut(phase=owed.phase, asked=owed.asked)
    data = bad.make(script, seat, script.honest(seat))
    before = tuple(script.records)
    out, *_ = script.send(seat, data)
    close = script.play().finish()
    return Case(script, seat, data, question, before, out, close)


CASES = pytest.mark.parametrize(
    ("stand", "index", "bad"),
    [
        pytest.param(stand, index, bad, id=f"{stand}-{bad.name.replace(' ', '-')}")
        for index, (stand, bad) in enumerate(ALL)
    ],
)


@CASES
def test_each_bad_answer_has_its_own_end_reason(stand: str, index: int, bad: Bad) -> None:
    case = given(stand, index)
    out = event_of(case.out).seat_out
    assert (out.seat, out.reason) == (case.seat, bad.reason)
    assert (out.phase, out.asked) == (case.question.phase, case.question.asked)
    assert out.evidence == case.data[:4097]
    assert out.rule
    assert not case.script.refusals


@CASES
def test_after_a_bad_answer_the_other_seat_wins(stand: str, index: int, bad: Bad) -> None:
    case = given(stand, index)
    loser, winner = case.close.seats[case.seat], case.close.seats[1 - case.seat]
    assert case.close.reason == loser.reason == bad.reason
    assert (loser.half_points, loser.rank) == (0, 2)
    assert (winner.half_points, winner.rank) == (2, 1)
    follow(case.script.records)


@CASES
def test_no_other_end_reason_fits_the_same_evidence(stand: str, index: int, bad: Bad) -> None:
    case = given(stand, index)
    referee = key(f"{case.script.setup.seed} referee")
    # That a bot was gone is the referee's word alone, whatever came from it before.
    for reason in BOT - {bad.reason, pb.END_REASON_DISCONNECTED}:
        event = event_of(case.out)
        event.seat_out.reason = reason
        forged = resigned(case.out, event.SerializeToString(deterministic=True), referee)
        with pytest.raises(Deviation) as refused:
            follow((*case.before, forged))
        assert refused.value.step is Step.CLOCK
        assert refused.value.blame == "referee"
        assert refused.value.sequence == len(case.before)
