"""Reasons for a match's end that are false, by who holds every key."""

from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign
from aboveboard_referee.match.deviation import Step
from tests.fakes.audit import Attack, convict, deviation, under_their_names
from tests.fakes.forgery import ANSWER, Forgery, Item
from tests.fakes.troubles import short, troubled

CRIBBAGE = "matches/r1-b1.1.records"
NEBRASKA = "matches/r2-b1.1.records"
SECOND_US = 10**6

R = pb.EndReason


def timing(item: Item) -> pb.Timing:
    return item.event.answered.timing


# --- A seat that goes out --------------------------------------------------------------------


def out(f: Forgery, item: Item, reason: pb.EndReason, **content: Any) -> Item:
    """Seat out in place of its answer ``item``, with that answer's question and times."""
    assert item.answer is not None
    assert item.asked is not None
    fields = {
        "seat": item.answer.seat,
        "reason": reason,
        "phase": pb.PHASE_MOVE,
        "asked": f.at(item.asked),
        "timing": timing(item),
        **content,
    }
    return f.end_instead_of(item, seat_out=pb.SeatOut(**fields))


def evidence(f: Forgery, item: Item, **payload: Any) -> bytes:
    """What the seat is said to have sent to the question of ``item``, by its own key."""
    assert item.answer is not None
    answer = pb.Answer()
    answer.CopyFrom(item.answer)
    for name, value in payload.items():
        getattr(answer, name).CopyFrom(value)
    return sign(ANSWER, encode(answer), f.keys[answer.seat]).to_bytes()


def move(f: Forgery) -> Item:
    return f.find("answered.move", 5)


def late(f: Forgery, wait_us: int, lag_us: int = 0, left_us: int | None = None) -> pb.Timing:
    left = timing(move(f)).left_us if left_us is None else left_us
    return pb.Timing(wait_us=wait_us, lag_us=lag_us, charged_us=wait_us, left_us=left)


def late_within_its_time(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_TIME_OUT)


def late_to_the_microsecond_in_time(f: Forgery) -> Item:
    left = timing(move(f)).left_us
    return out(f, move(f), R.END_REASON_TIME_OUT, timing=late(f, left))


def late_by_the_referees_own_delay(f: Forgery) -> Item:
    own = late(f, 60 * SECOND_US, lag_us=f.terms.wire.clock.lag_us + 1)
    return out(f, move(f), R.END_REASON_TIME_OUT, timing=own)


def late_with_less_left_than_there_was(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_TIME_OUT, timing=late(f, SECOND_US, left_us=1))


def late_with_no_times(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_TIME_OUT, timing=None)


def late_for_a_question_of_old(f: Forgery) -> Item:
    item = out(f, move(f), R.END_REASON_TIME_OUT, timing=late(f, 60 * SECOND_US))
    item.asked = f.find("shown")
    return item


def late_in_another_phase(f: Forgery) -> Item:
    content = {"timing": late(f, 60 * SECOND_US), "phase": pb.PHASE_ENTROPY}
    return out(f, move(f), R.END_REASON_TIME_OUT, **content)


def late_without_being_asked(f: Forgery) -> Item:
    item = move(f)
    assert item.answer is not None
    seat = 1 - item.answer.seat
    return out(f, item, R.END_REASON_TIME_OUT, seat=seat, timing=late(f, 60 * SECOND_US))


def illegal_by_a_legal_move(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_ILLEGAL_MOVE, evidence=evidence(f, move(f)))


def illegal_by_no_move(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_ILLEGAL_MOVE)


def illegal_by_a_move_of_the_other_seats_key(f: Forgery) -> Item:
    item = move(f)
    assert item.answer is not None
    forged = pb.Answer()
    forged.CopyFrom(item.answer)
    forged.move.text = "castle long"
    data = sign(ANSWER, encode(forged), f.keys[1 - forged.seat]).to_bytes()
    return out(f, item, R.END_REASON_ILLEGAL_MOVE, evidence=data)


def illegal_by_what_another_question_was_answered_with(f: Forgery) -> Item:
    return out(
        f,
        move(f),
        R.END_REASON_ILLEGAL_MOVE,
        evidence=evidence(f, f.find("answered.move", 3), move=pb.Move(text="castle long")),
    )


def illegal_by_a_resignation(f: Forgery) -> Item:
    data = evidence(f, move(f), resignation=pb.Resignation())
    return out(f, move(f), R.END_REASON_ILLEGAL_MOVE, evidence=data)


def resigned_without_a_word(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_RESIGNED)


def resigned_by_a_move(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_RESIGNED, evidence=evidence(f, move(f)))


def malformed_by_a_good_move(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_MALFORMED_MESSAGE, evidence=evidence(f, move(f)))


def badly_signed_by_a_good_move(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_BAD_SIGNATURE, evidence=evidence(f, move(f)))


def entropy_refused_while_a_move_was_asked(f: Forgery) -> Item:
    data = evidence(f, move(f), entropy=pb.Entropy(link=bytes(32)))
    return out(f, move(f), R.END_REASON_REFUSED_ENTROPY, evidence=data)


def no_show_of_a_seat_that_came(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_NO_SHOW)


UNGROUNDED: list[Attack] = [
    late_within_its_time,
    late_to_the_microsecond_in_time,
    late_by_the_referees_own_delay,
    late_with_less_left_than_there_was,
    late_with_no_times,
    late_for_a_question_of_old,
    late_in_another_phase,
    late_without_being_asked,
    illegal_by_a_legal_move,
    illegal_by_no_move,
    illegal_by_a_move_of_the_other_seats_key,
    illegal_by_what_another_question_was_answered_with,
    illegal_by_a_resignation,
    resigned_without_a_word,
    resigned_by_a_move,
    malformed_by_a_good_move,
    badly_signed_by_a_good_move,
    entropy_refused_while_a_move_was_asked,
    no_show_of_a_seat_that_came,
]


@under_their_names({Step.CLOCK: UNGROUNDED})
def test_a_seat_cannot_go_out_for_a_reason_without_ground(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    convict(short(), CRIBBAGE, forgery, step, attack(forgery))


def test_a_good_opening_is_no_ground_for_refusing_it() -> None:
    forgery = Forgery.of(short(), NEBRASKA)
    item = forgery.find("answered.opening")
    data = evidence(forgery, item)
    end = out(forgery, item, R.END_REASON_REFUSED_OPENING, phase=pb.PHASE_OPENING, evidence=data)
    # The other seat, whose opening came after, is left to answer and does.
    forgery.items.insert(forgery.at(end), Forgery.of(short(), NEBRASKA).find("answered.opening", 1))
    convict(short(), NEBRASKA, forgery, Step.CLOCK, end)


@pytest.mark.parametrize(
    ("reason", "content"),
    [
        (R.END_REASON_DISCONNECTED, {}),
        (R.END_REASON_TIME_OUT, {"wait": 60 * SECOND_US}),
        (R.END_REASON_ILLEGAL_MOVE, {"move": pb.Move(text="castle long")}),
        (R.END_REASON_RESIGNED, {"resignation": pb.Resignation()}),
        (R.END_REASON_MALFORMED_MESSAGE, {"accept": pb.Accept(tip=bytes(32))}),
    ],
)
def test_the_same_ends_verify_with_their_grounds(
    reason: pb.EndReason, content: dict[str, Any]
) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    item = move(forgery)
    wait = content.pop("wait", None)
    more: dict[str, Any] = {"timing": late(forgery, wait)} if wait else {}
    if content:
        # The question's head is as it was: nothing before it has been altered.
        more["evidence"] = evidence(forgery, item, **content)
    out(forgery, item, reason, **more)
    assert deviation(forgery.transcript()) is None


# --- Ends that this match cannot have ----------------------------------------------------------


def out_for_playing_on(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_PLAYED_OUT)


def out_for_a_fault_of_the_service(f: Forgery) -> Item:
    return out(f, move(f), R.END_REASON_INTERRUPTED)


def out_of_a_seat_that_is_not_there(f: Forgery) -> Item:
    end = out(f, move(f), R.END_REASON_DISCONNECTED)
    end.event.seat_out.seat = 2
    return end


def out_twice(f: Forgery) -> Item:
    end = out(f, move(f), R.END_REASON_DISCONNECTED)
    again = Item(end.event, True, asked=end.asked)
    f.insert_after(end, again)
    return again


def stopped_for_a_fault_of_a_bot(f: Forgery) -> Item:
    return f.end_instead_of(move(f), stopped=pb.Stopped(reason=R.END_REASON_TIME_OUT))


def stopped_after_the_end(f: Forgery) -> Item:
    end = Item(pb.Event(stopped=pb.Stopped(reason=R.END_REASON_INTERRUPTED)), True)
    f.insert_after(f.items[-1], end)
    return end


def out_after_the_end(f: Forgery) -> Item:
    gone = pb.SeatOut(seat=0, reason=R.END_REASON_DISCONNECTED)
    end = Item(pb.Event(seat_out=gone), True)
    f.insert_after(out(f, move(f), R.END_REASON_DISCONNECTED), end)
    return end


@under_their_names(
    {
        Step.CHAIN: [
            out_for_playing_on,
            out_for_a_fault_of_the_service,
            out_of_a_seat_that_is_not_there,
            out_twice,
            stopped_for_a_fault_of_a_bot,
            stopped_after_the_end,
            out_after_the_end,
        ]
    }
)
def test_an_end_that_the_match_cannot_have_is_found(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    convict(short(), CRIBBAGE, forgery, step, attack(forgery))


def test_a_seat_that_never_came_must_be_a_no_show() -> None:
    path = "matches/r1-b4.1.records"
    forgery = Forgery.of(troubled(), path)
    item = forgery.find("seat_out")
    item.event.seat_out.reason = R.END_REASON_DISCONNECTED
    forgery.close.reason = R.END_REASON_DISCONNECTED
    forgery.close.seats[1].reason = R.END_REASON_DISCONNECTED
    convict(troubled(), path, forgery, Step.CLOCK, item)
