"""A referee whose events say something else than they must, against honest bots.

Each forgery is signed with the referee's own key and wrong in one thing alone. Bots and
a spectator refuse it where it stands and name the step, the event and who is to blame.
"""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, sign, type_of
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import (
    content,
    edited,
    follow,
    identity_signature,
    next_event,
    rechained,
    resigned,
    tampering,
    with_signatures,
)
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, Watcher, event_of, owes

REFEREE = key("a referee")
EVERYBODY: set[Watcher] = {None, 0, 1}
BOTS: set[Watcher] = {0, 1}


def check(script: Script, who: set[Watcher], step: Step, place: int) -> None:
    assert set(script.refusals) == who
    for refusal in script.refusals.values():
        assert (refusal.step, refusal.sequence, refusal.blame) == (step, place, "referee")


def answered(event: pb.Event) -> bool:
    return event.HasField("answered")


# --- The frame of any event ---------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda e: setattr(e, "match", secret("another match")),
        lambda e: e.ClearField("match"),
        lambda e: setattr(e, "sequence", e.sequence + 1),
        lambda e: setattr(e, "sequence", e.sequence - 1),
        lambda e: setattr(e, "sequence", 0),
        lambda e: setattr(e, "previous", secret("another head")),
        lambda e: setattr(e, "previous", e.match),
        lambda e: e.ClearField("previous"),
        lambda e: setattr(e, "shuffle", e.shuffle + 1),
        lambda e: e.ClearField("shuffle"),
        lambda e: setattr(e, "time_us", e.time_us - 2_000),
        lambda e: e.ClearField("time_us"),
    ],
    ids=[
        "another match",
        "no match",
        "a number ahead",
        "the number before",
        "number 0",
        "after another event",
        "after the opening",
        "after nothing",
        "a shuffle ahead",
        "no shuffle",
        "time steps back",
        "no time",
    ],
)
def test_an_event_out_of_place_is_refused(change: Callable[[pb.Event], object]) -> None:
    script = STANDS["move"]()
    place = tampering(script, answered, change, REFEREE)
    check(script, EVERYBODY, Step.CHAIN, place)


def test_an_event_of_another_match_is_refused() -> None:
    script, other = STANDS["move"](), Script(Setup(match="m2")).until(owes(pb.PHASE_MOVE))
    record, *_ = other.send(0, other.honest(0))
    script.hand_over(Outbox((record,)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


@pytest.mark.parametrize("kind", ["match-open", "match-close", "private-show", "answer"])
def test_only_an_event_can_follow_the_opening(kind: str) -> None:
    script = STANDS["move"]()
    body = parse_signed(script.records[-1]).body
    script.hand_over(Outbox((sign(type_of(kind), body, REFEREE).to_bytes(),)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


def test_a_second_opening_is_refused() -> None:
    script = STANDS["move"]()
    script.hand_over(Outbox((script.records[0],)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


@pytest.mark.parametrize(
    "body",
    [lambda b: b + b"\x78\x01", lambda b: b[:-1], lambda b: b"", lambda b: b[34:] + b[:34]],
    ids=["an unknown field", "cut short", "nothing", "another order"],
)
def test_an_event_outside_the_profile_is_refused(body: Callable[[bytes], bytes]) -> None:
    script = STANDS["move"]()
    data = next_event(
        script.referee.fold, REFEREE, stopped=pb.Stopped(reason=pb.END_REASON_INTERRUPTED)
    )
    data = resigned(data, body(parse_signed(data).body), REFEREE)
    script.hand_over(Outbox((data,)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


def test_an_unknown_end_reason_is_refused() -> None:
    script = STANDS["move"]()
    for reason in (15, 25, 99):
        event = {"seat_out": pb.SeatOut(seat=1, reason=reason)}  # type: ignore[arg-type]  # unknown on purpose
        script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, **event),)))
        check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)
        script = STANDS["move"]()


# --- Signatures ---------------------------------------------------------------------------


def _identity(data: bytes) -> bytes:
    signature = identity_signature(REFEREE, parse_signed(data).pae)
    return with_signatures(data, (REFEREE.public.raw, signature))


def _large_s(data: bytes) -> bytes:
    ((signer, value),) = parse_signed(data).signatures
    large = int.from_bytes(value[32:], "little") + edwards.L
    return with_signatures(data, (signer, value[:32] + large.to_bytes(32, "little")))


@pytest.mark.parametrize(
    "sign_again",
    [
        lambda data: resigned(data, parse_signed(data).body, key("a seat 0")),
        lambda data: resigned(data, parse_signed(data).body, REFEREE, key("another")),
        lambda data: with_signatures(data, (REFEREE.public.raw, bytes(64))),
        lambda data: with_signatures(data, (REFEREE.public.raw, key("another").sign(b""))),
        _identity,
        _large_s,
    ],
    ids=["by a seat", "by another as well", "zeros", "another's", "R of small order", "S large"],
)
def test_no_signature_but_the_referees_own_is_taken(sign_again: Callable[[bytes], bytes]) -> None:
    script = STANDS["move"]()

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        *first, last = outbox.records
        return Outbox((*first, sign_again(last)), outbox.shows)

    script.tamper = tamper
    script.step()
    check(script, EVERYBODY, Step.CHAIN, len(script.records) - 1)


def test_the_last_record_of_a_message_must_be_signed() -> None:
    for stand in STANDS:
        script = STANDS[stand]()

        def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
            *first, last = outbox.records
            bare = Signed(parse_signed(last).type, parse_signed(last).body, ())
            return Outbox((*first, bare.to_bytes()), outbox.shows)

        script.tamper = tamper
        script.step()
        check(script, BOTS, Step.CHAIN, len(script.records) - 1)


def test_a_record_that_a_stranger_altered_on_the_way_is_refused_though_it_bears_no_signature() -> (
    None
):
    script = STANDS["entropy"]()
    script.step()

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        first, *others = outbox.records
        assert not parse_signed(first).signatures
        altered = edited(first, lambda e: setattr(e, "time_us", e.time_us - 1))
        return Outbox((altered, *others), outbox.shows)

    place = script.referee.fold.sequence + 2
    script.tamper = tamper
    script.step()
    check(script, EVERYBODY, Step.CHAIN, place)


def test_an_unsigned_opening_is_no_match() -> None:
    opening = Setup().referee().start(0).records[0]
    player = Setup().player(0)
    bare = Signed(parse_signed(opening).type, parse_signed(opening).body, ()).to_bytes()
    with pytest.raises(Exception, match="step 2 \\(chain\\), event 0") as refused:
        player.take((bare,))
    assert "referee" in str(refused.value)


# --- Events dropped, doubled and exchanged --------------------------------------------------

Records = list[bytes]


def deal_with(change: Callable[[Records], Records], *, renumber: bool) -> Script:
    """The message that deals the cards (answer, root, faces), changed for everybody."""
    script = STANDS["entropy"]()
    script.step()
    before = follow(script.records)

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        assert len(outbox.records) == 3
        records = change(list(outbox.records))
        return Outbox(rechained(records, before, REFEREE, renumber=renumber), outbox.shows)

    script.tamper = tamper
    script.step()
    assert set(script.refusals) == EVERYBODY
    assert all(refusal.blame == "referee" for refusal in script.refusals.values())
    return script


@pytest.mark.parametrize("renumber", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        lambda r: [r[1], r[2]],
        lambda r: [r[0], r[2]],
        lambda r: [r[1], r[0], r[2]],
        lambda r: [r[0], r[2], r[1]],
        lambda r: [r[0], r[0], r[1], r[2]],
        lambda r: [r[0], r[1], r[1], r[2]],
        lambda r: [r[0], r[1], r[2], r[2]],
    ],
    ids=[
        "answer dropped",
        "root dropped",
        "root before all entropy",
        "faces before the root",
        "answer twice",
        "root twice",
        "faces twice",
    ],
)
def test_no_event_is_dropped_doubled_or_exchanged(
    change: Callable[[Records], Records], renumber: bool
) -> None:
    script = deal_with(change, renumber=renumber)
    assert {refusal.step for refusal in script.refusals.values()} == {Step.CHAIN}


def test_faces_that_are_kept_back_leave_the_bot_waiting_for_nothing() -> None:
    script = STANDS["entropy"]()
    script.step()
    script.tamper = lambda _, outbox: Outbox(
        (*outbox.records[:1], edited(outbox.records[1], lambda _: None, REFEREE))
    )
    script.step()
    assert not script.refusals
    for player in script.players.values():
        assert player.owed is None
        assert player.turn is None
        assert player.protocol_answer() is None


# --- Answers ------------------------------------------------------------------------------


def _forged_answer(script: Script, forge: Callable[[bytes], bytes]) -> int:
    return tampering(
        script,
        answered,
        lambda e: setattr(e.answered, "answer", forge(e.answered.answer)),
        REFEREE,
    )


def _other_bet(answer: pb.Answer) -> None:
    slot = int(answer.opening.text.removeprefix("bet "))
    answer.opening.text = f"bet {(slot + 1) % 10}"


@pytest.mark.parametrize("signer", ["a referee", "a seat 1", None])
def test_a_bet_changed_by_the_referee_is_not_the_seats(signer: str | None) -> None:
    script = STANDS["opening"]()
    if signer is None:  # the seat's own signature, over what it did send
        place = _forged_answer(
            script,
            lambda data: with_signatures(edited(data, _other_bet), *parse_signed(data).signatures),
        )
    else:
        place = _forged_answer(script, lambda data: edited(data, _other_bet, key(signer)))
    check(script, EVERYBODY, Step.ANSWER, place)


def test_a_bet_changed_in_league_with_its_seat_does_not_fit_the_commitment() -> None:
    script = STANDS["opening"]()
    place = _forged_answer(script, lambda data: edited(data, _other_bet, key("a seat 0")))
    check(script, EVERYBODY, Step.MOVE, place)


def test_an_answer_to_an_earlier_question_is_no_answer_to_this_one() -> None:
    script = Script(Setup("nebraska:family")).until(owes(pb.PHASE_COMMITMENT, at=2))
    old = [
        e.answered.answer
        for e in script.events()
        if answered(e) and content(e.answered.answer).HasField("commitment")
    ]
    place = _forged_answer(script, lambda _: old[0])
    check(script, EVERYBODY, Step.ANSWER, place)


def test_the_other_seats_answer_cannot_stand_in() -> None:
    script = STANDS["move"]()
    script.send(1, script.honest(1))
    accepted = script.events()[-1].answered.answer
    place = _forged_answer(script, lambda _: accepted)
    check(script, EVERYBODY, Step.CHAIN, place)


def test_a_link_that_the_referee_invents_for_a_seat_is_refused() -> None:
    script = STANDS["entropy"]()
    place = _forged_answer(
        script,
        lambda data: edited(
            data, lambda a: setattr(a.entropy, "link", secret("x")), key("a seat 0")
        ),
    )
    check(script, EVERYBODY, Step.ENTROPY, place)


def test_a_seat_cannot_move_in_anothers_turn() -> None:
    script = Script().until(owes(pb.PHASE_MOVE, at=2))
    (seat,) = script.referee.owed
    idle = key(f"a seat {1 - seat}")
    place = _forged_answer(
        script, lambda data: edited(data, lambda a: setattr(a, "seat", 1 - seat), idle)
    )
    check(script, EVERYBODY, Step.CHAIN, place)


def test_what_is_not_an_answer_at_all_is_refused() -> None:
    for data in (b"", b"\0", secret("x"), Setup().certificate(0)):
        script = STANDS["move"]()
        place = _forged_answer(script, lambda _, data=data: data)  # type: ignore[misc]  # mypy infers no default
        check(script, EVERYBODY, Step.CHAIN, place)


def test_events_are_what_the_helpers_think_they_are() -> None:
    script = STANDS["move"]()
    assert [event_of(r).WhichOneof("payload") for r in script.records[-3:]] == [
        "answered",
        "deal_root",
        "shown",
    ]
