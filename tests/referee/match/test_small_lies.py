"""What a match must refuse although everything around it fits: small lies, each by itself."""

from collections.abc import Callable
from itertools import count

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.clock import check_limits
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.local import LocalSeat, play_local
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.false_deals import deal_with
from tests.fakes.forging import content, edited, follow, next_event
from tests.fakes.keys import key, secret
from tests.fakes.refusing import out_now
from tests.fakes.scripted import Script, Setup, Watcher

REFEREE = key("a referee")
EVERYBODY: set[Watcher] = {None, 0, 1}


@pytest.mark.parametrize("stand", ["accept", "commitment"])
def test_an_answer_told_twice_is_not_the_answer_to_the_next_question(stand: str) -> None:
    script = STANDS[stand]()
    script.send(0, script.honest(0))
    data = script.honest(1)
    script.send(1, data)
    phase = script.referee.owed[1].phase  # entropy, or the opening
    timing = script.referee.fold.clocks.timing(1, phase, 0, 0, 0)
    answered = pb.Answered(answer=data, timing=timing)
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, answered=answered),)))
    assert set(script.refusals) == EVERYBODY


@pytest.mark.parametrize(
    "alter",
    [
        lambda t: setattr(t, "charged_us", t.charged_us + 1),
        lambda t: setattr(t, "left_us", t.left_us + 1),
        lambda t: setattr(t, "wait_us", t.wait_us + 1),
        lambda t: t.Clear(),
        # Late beats illegal: with these times it should have been a time-out.
        lambda t: t.CopyFrom(pb.Timing(wait_us=10**9, charged_us=10**9, left_us=t.left_us)),
    ],
    ids=["charged", "left", "wait", "none", "late"],
)
@pytest.mark.parametrize("how", ["rubbish", "hangs up"])
def test_the_times_of_any_seat_out_are_recomputed(
    how: str, alter: Callable[[pb.Timing], object]
) -> None:
    script = STANDS["move"]()
    before = tuple(script.records)
    record, *_ = script.send(0, b"") if how == "rubbish" else script.lost(0)
    with pytest.raises(Deviation) as refused:
        follow((*before, edited(record, lambda e: alter(e.seat_out.timing), REFEREE)))
    assert refused.value.step is Step.CLOCK


def test_a_seat_that_owes_nothing_goes_out_without_times() -> None:
    script = STANDS["move"]()
    script.send(0, script.honest(0))
    before = tuple(script.records)
    record, *_ = script.lost(0)
    forged = edited(record, lambda e: setattr(e.seat_out.timing, "wait_us", 5), REFEREE)
    with pytest.raises(Deviation):
        follow((*before, forged))


def test_a_good_commitment_is_no_illegal_move_to_anybody() -> None:
    script = STANDS["commitment"]()
    out = out_now(script, 0, pb.END_REASON_ILLEGAL_MOVE, evidence=script.honest(0))
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, seat_out=out),)))
    assert set(script.refusals) == EVERYBODY  # found: {0} alone


def _second_opening(show: pb.PrivateShow) -> None:
    """A wrong opening of a slot, before the right one."""
    faces = [pb.Face() for _ in range(len(show.faces) + 1)]
    for copy, face in zip(faces, [show.faces[0], *show.faces], strict=True):
        copy.CopyFrom(face)
    faces[0].card = (faces[0].card + 1) % 52
    del show.faces[:]
    show.faces.extend(faces)


@pytest.mark.parametrize(
    "change",
    [
        lambda show, script: show.faces.append(
            script.referee.fold.decks.wire_face(Slot(1, 6 if show.seat == 1 else 0))
        ),
        lambda show, script: show.faces.append(script.referee.fold.decks.wire_face(Slot(1, 40))),
        lambda show, script: show.faces.append(show.faces[0]),
        lambda show, script: _second_opening(show),
    ],
    ids=["a card of the other seat", "a card of the stock", "a face twice", "a second opening"],
)
def test_a_private_show_holds_no_face_too_many(
    change: Callable[[pb.PrivateShow, Script], object],
) -> None:
    assert set(deal_with(change).refusals) == {0, 1}


def test_a_private_show_of_an_event_that_shows_nothing_is_refused() -> None:
    script = STANDS["move"]()

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        show = pb.PrivateShow(
            match=script.referee.fold.terms.head0,
            sequence=script.referee.fold.sequence,
            seat=0,
            faces=[script.referee.fold.decks.wire_face(Slot(1, 0))],
        )
        body = show.SerializeToString(deterministic=True)
        return Outbox(
            outbox.records, {0: (sign(type_of("private-show"), body, REFEREE).to_bytes(),)}
        )

    script.tamper = tamper
    script.step()
    assert set(script.refusals) == {0}


def test_a_close_is_no_earlier_than_the_last_event_though_the_clock_stepped_back() -> None:
    script = STANDS["move"]()
    script.stop()
    script.now -= 10
    script.finish()


def test_a_local_matchs_close_is_the_one_that_was_signed() -> None:
    seats = [
        LocalSeat(key(f"entry {i}"), key(f"seat {i}"), secret(f"{i}"), lambda turn: turn.legal[0])
        for i in range(2)
    ]
    clock = count(10**15)
    match = play_local(
        registry.game("cribbage"), seats, key("referee"), secret("r"), lambda: next(clock)
    )
    assert match.close == content(match.records[-1])


def test_an_increment_that_a_bank_cannot_hold_is_refused() -> None:
    # Played, it ends in ValueError: the bank passes 2**64 - 1 microseconds.
    assert check_limits(pb.Clock(bank_us=1, increment_us=2**64 - 1, protocol_us=1))


@pytest.mark.parametrize(
    "change",
    [
        lambda o: setattr(o, "tournament", b"x"),
        lambda o: setattr(o, "match", "é"),
        lambda o: setattr(o, "chain_length", 0),
        # lambda o: setattr(o, "chain_length", 2**32 - 1),  # hashes four billion links first
    ],
)
def test_a_referee_refuses_terms_that_cannot_be_played(
    change: Callable[[pb.MatchOpen], object],
) -> None:
    class Changed(Setup):
        def opening(self) -> pb.MatchOpen:
            opening = super().opening()
            change(opening)
            return opening

    with pytest.raises(Deviation):
        Changed().referee()


@pytest.mark.parametrize("size", [4_098, 100_000])
@pytest.mark.parametrize("reason", [pb.END_REASON_MALFORMED_MESSAGE, pb.END_REASON_DISCONNECTED])
def test_evidence_longer_than_what_is_kept_is_refused(reason: pb.EndReason, size: int) -> None:
    script = STANDS["move"]()
    owed = script.referee.owed[0]
    out = pb.SeatOut(
        seat=0,
        reason=reason,
        phase=owed.phase,
        asked=owed.asked,
        timing=script.referee.fold.clocks.timing(0, owed.phase, 1_000, 0, 0),
        evidence=bytes(size),
    )
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, seat_out=out),)))
    assert set(script.refusals) == EVERYBODY


def test_a_disconnection_has_no_evidence() -> None:
    script = STANDS["move"]()
    before = tuple(script.records)
    record, *_ = script.lost(0)
    forged = edited(record, lambda e: setattr(e.seat_out, "evidence", b"x"), REFEREE)
    with pytest.raises(Deviation):
        follow((*before, forged))
