"""What a seat sends twice, too early, too late or after the end."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited
from tests.fakes.scripted import Script, Setup, event_of, owes


def out_of(record: bytes) -> tuple[int, pb.EndReason]:
    out = event_of(record).seat_out
    return out.seat, out.reason


@pytest.mark.parametrize("stand", STANDS)
def test_the_same_bytes_again_are_one_answer(stand: str) -> None:
    script = STANDS[stand]()
    data = script.honest(1)
    assert len(script.send(1, data)) >= 1
    head = script.referee.fold.head
    assert script.send(1, data) == ()
    assert script.referee.fold.head == head
    script.step()
    assert script.send(1, data) == ()


def test_an_answer_resent_at_any_later_time_changes_nothing() -> None:
    script = Script(Setup("nebraska:family")).until(owes(pb.PHASE_OPENING, at=3))
    for seat, data, _ in list(script.inputs):
        assert script.send(seat, data) == ()
    assert not script.referee.fold.outs


@pytest.mark.parametrize("stand", STANDS)
def test_another_answer_to_the_same_question_is_malformed(stand: str) -> None:
    script = STANDS[stand]()
    data = script.honest(1)
    script.send(1, data)
    other = edited(data, lambda a: setattr(a, "thought_us", 5), own_key(script, 1))
    record, *_ = script.send(1, other)
    assert out_of(record) == (1, pb.END_REASON_MALFORMED_MESSAGE)
    assert event_of(record).seat_out.evidence == other
    script.play()
    assert [seat.half_points for seat in script.finish().seats] == [2, 0]


def test_an_old_question_cannot_be_answered_once_a_new_one_is_open() -> None:
    script = STANDS["move"]()
    late = edited(script.honest(0), lambda a: setattr(a, "thought_us", 5), own_key(script, 0))
    script.until(owes(pb.PHASE_MOVE, seat=0, at=2))
    record, *_ = script.send(0, late)
    assert out_of(record) == (0, pb.END_REASON_MALFORMED_MESSAGE)


def test_a_seat_that_is_not_asked_cannot_move() -> None:
    script = Script().until(lambda s: list(s.referee.owed) == [0])
    idle = edited(script.honest(0), lambda a: setattr(a, "seat", 1), own_key(script, 1))
    record, *_ = script.send(1, idle)
    assert out_of(record) == (1, pb.END_REASON_MALFORMED_MESSAGE)
    out = event_of(record).seat_out
    assert (out.phase, out.asked, out.HasField("timing")) == (pb.PHASE_UNSPECIFIED, 0, False)


def test_an_answer_is_no_worse_for_what_another_seat_sent_in_between() -> None:
    for stand in STANDS:
        script = STANDS[stand]()
        answers = [script.honest(seat) for seat in (0, 1)]
        for seat in (1, 0):
            script.send(seat, answers[seat])
        assert not script.referee.fold.outs


def test_an_answer_in_flight_is_good_after_the_other_seat_went_out() -> None:
    for stand in STANDS:
        script = STANDS[stand]()
        answer = script.honest(0)
        script.send(1, b"")
        assert event_of(script.send(0, answer)[0]).HasField("answered")
        assert list(script.referee.fold.outs) == [1]


def test_a_seat_that_is_out_is_heard_no_more() -> None:
    script = STANDS["move"]()
    answer = script.honest(1)
    script.send(1, b"")
    for data in (answer, b"", b"\0"):
        assert script.send(1, data) == ()
    assert script.lost(1) == ()
    assert script.overdue(1, wait_us=10**12) == ()


def test_nothing_counts_after_the_end() -> None:
    script = Script().play()
    for data in (b"", b"\0", script.inputs[0][1], script.inputs[-1][1]):
        for seat in (0, 1):
            assert script.send(seat, data) == ()
    assert script.lost(0) == script.overdue(1) == script.stop() == ()
    script.finish()


@pytest.mark.parametrize("stand", STANDS)
def test_any_question_may_be_answered_by_resigning(stand: str) -> None:
    script = STANDS[stand]()
    record, *_ = script.send(0, script.players[0].resign())
    assert out_of(record) == (0, pb.END_REASON_RESIGNED)
    script.play()
    close = script.finish()
    assert close.reason == pb.END_REASON_RESIGNED
    assert [seat.half_points for seat in close.seats] == [0, 2]


def test_a_message_of_4096_bytes_is_read_and_one_of_4097_is_not() -> None:
    for size, reason in (
        (4096, pb.END_REASON_ILLEGAL_MOVE),
        (4097, pb.END_REASON_MALFORMED_MESSAGE),
    ):
        script = STANDS["move"]()
        honest = script.honest(0)
        text = "x" * (size - len(honest) + len("discard 0 1") - 20)
        while len(data := _with_text(script, honest, text)) < size:
            text += "x"
        assert len(data) == size
        record, *_ = script.send(0, data)
        assert out_of(record) == (0, reason)


def _with_text(script: Script, honest: bytes, text: str) -> bytes:
    return edited(honest, lambda a: setattr(a.move, "text", text), own_key(script, 0))
