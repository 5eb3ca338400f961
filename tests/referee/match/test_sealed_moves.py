"""Moves that are made at once: all committed to before any is opened."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import content, edited, follow, next_event
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, event_of, owes


def reason(record: bytes) -> pb.EndReason:
    return event_of(record).seat_out.reason


def test_no_bet_is_asked_to_be_opened_before_all_are_committed_to() -> None:
    script = STANDS["commitment"]()
    script.send(1, script.honest(1))
    assert list(script.referee.owed) == [0]
    assert script.players[1].protocol_answer() is None
    script.send(0, script.honest(0))
    assert {owed.phase for owed in script.referee.owed.values()} == {pb.PHASE_OPENING}
    assert all(player.protocol_answer() for player in script.players.values())


def test_a_commitment_tells_nobody_the_bet() -> None:
    script = STANDS["commitment"]()
    script.step()
    script.step()
    for answered in (event.answered for event in script.events()[-2:]):
        assert content(answered.answer).WhichOneof("payload") == "commitment"
    openings = [content(script.honest(seat)).opening for seat in (0, 1)]
    for opening in openings:
        for sent in script.sent.values():
            assert not any(opening.nonce in data for data in sent)
            assert not any(opening.text.encode() in data for data in sent)


@pytest.mark.parametrize("thief", [0, 1])
def test_a_copied_commitment_cannot_be_opened(thief: int) -> None:
    script = STANDS["commitment"]()
    victim = 1 - thief
    original = script.honest(victim)
    script.send(victim, original)
    stolen = content(original).commitment
    honest = script.honest(thief)
    script.send(
        thief, edited(honest, lambda a: a.commitment.CopyFrom(stolen), own_key(script, thief))
    )
    assert not script.referee.fold.outs
    opening = script.honest(victim)
    script.send(victim, opening)
    copied = edited(
        script.honest(thief),
        lambda a: a.opening.CopyFrom(content(opening).opening),
        own_key(script, thief),
    )
    record, *_ = script.send(thief, copied)
    assert reason(record) == pb.END_REASON_REFUSED_OPENING
    assert script.finish().seats[victim].half_points == 2


@pytest.mark.parametrize("text", ["bet 10", "bet 103", "keep", "bet 00", "gibberish", ""])
def test_an_illegal_bet_shows_when_its_commitment_is_opened(text: str) -> None:
    script = STANDS["commitment"]()
    owed = script.referee.owed[0]
    nonce = secret("nonce")
    value = commitment(owed.head, 0, own_key(script, 0).public.raw, nonce, text)
    honest = script.honest(0)
    script.send(
        0, edited(honest, lambda a: setattr(a.commitment, "hash", value), own_key(script, 0))
    )
    script.step()
    opening = edited(
        script.honest(0),
        lambda a: a.opening.CopyFrom(pb.Opening(text=text, nonce=nonce)),
        own_key(script, 0),
    )
    record, *_ = script.send(0, opening)
    assert reason(record) == pb.END_REASON_ILLEGAL_MOVE
    script.play()
    assert [seat.half_points for seat in script.finish().seats] == [0, 2]
    follow(script.records)


def test_a_commitment_made_at_another_head_does_not_open() -> None:
    script = STANDS["commitment"]()
    nonce = secret("nonce")
    value = commitment(secret("head"), 0, own_key(script, 0).public.raw, nonce, "bet 0")
    honest = script.honest(0)
    script.send(
        0, edited(honest, lambda a: setattr(a.commitment, "hash", value), own_key(script, 0))
    )
    script.step()
    opening = edited(
        script.honest(0),
        lambda a: a.opening.CopyFrom(pb.Opening(text="bet 0", nonce=nonce)),
        own_key(script, 0),
    )
    assert reason(script.send(0, opening)[0]) == pb.END_REASON_REFUSED_OPENING


def test_the_same_bet_gets_another_nonce_at_every_question() -> None:
    script = Script(Setup("nebraska:family")).until(owes(pb.PHASE_COMMITMENT, at=6))
    openings = [
        content(event.answered.answer).opening
        for event in script.events()
        if event.HasField("answered") and content(event.answered.answer).HasField("opening")
    ]
    assert len(openings) == 10
    assert len({opening.nonce for opening in openings}) == 10


def test_the_lone_winner_of_the_bets_moves_in_clear() -> None:
    script = Script(Setup("nebraska:family")).until(owes(pb.PHASE_MOVE))
    (seat,) = script.referee.owed
    answer = script.honest(seat)
    assert content(answer).move.text in ("keep", "discard")
    assert event_of(script.send(seat, answer)[0]).answered.answer == answer


def test_a_referee_that_lets_a_bet_be_opened_too_early_is_refused() -> None:
    script = STANDS["commitment"]()
    script.send(1, script.honest(1))
    # Seat 1 is in league with the referee and opens while seat 0 has not committed yet.
    ahead = STANDS["commitment"]()
    ahead.send(1, ahead.honest(1))
    ahead.send(0, ahead.honest(0))
    record = next_event(
        script.referee.fold,
        key("a referee"),
        answered=pb.Answered(answer=ahead.honest(1), timing=pb.Timing()),
    )
    refusals = script.hand_over(Outbox((record,)))
    assert set(refusals) == {None, 0, 1}
    assert all(refusal.step is Step.CHAIN for refusal in refusals.values())
    assert all(refusal.blame == "referee" for refusal in refusals.values())
