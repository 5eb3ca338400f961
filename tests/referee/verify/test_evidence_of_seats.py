"""Evidence against a seat: what its match key signed, at the place that it was signed for."""

from functools import cache

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.verify.evidence import Proof
from tests.fakes.bad_answers import ALL, STANDS, Bad, own_key
from tests.fakes.blind import blind
from tests.fakes.evidence import (
    all_shows,
    bare,
    countersigned,
    false_go,
    held_by,
    spoilt,
    usurped,
    weighed,
)
from tests.fakes.forging import edited
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, owes

PROVED = {
    pb.END_REASON_ILLEGAL_MOVE,
    pb.END_REASON_REFUSED_OPENING,
    pb.END_REASON_REFUSED_ENTROPY,
}

SIGNED_AND_MALFORMED = {
    *("unknown field", "unknown field nested", "over-long varint", "a field twice"),
    *("fields out of order", "an explicit default", "no payload", "no tip", "no hash"),
    *("a tip of 31 bytes", "a tip of 33 bytes", "a note of 1,025 bytes"),
    *("a hash of 31 bytes", "a hash of 33 bytes", "the move itself in clear"),
    *(f"a {kind} instead" for kind in ("accept", "entropy", "move", "commitment", "opening")),
}
"""Malformed by the seat's own signature, at its place. All else that is malformed could
have been made by others, or be an honest answer to something else."""


@cache
def after(stand: str, index: int) -> Script:
    script = STANDS[stand]()
    seat = index % 2
    script.send(seat, ALL[index][1].make(script, seat, script.honest(seat)))
    return script.play()


@pytest.mark.parametrize(
    ("stand", "index", "bad"),
    [
        pytest.param(stand, index, bad, id=f"{stand}-{bad.name.replace(' ', '-')}")
        for index, (stand, bad) in enumerate(ALL)
    ],
)
def test_a_bad_answer_convicts_its_seat_where_the_seat_signed_it_for_this_place(
    stand: str, index: int, bad: Bad
) -> None:
    script = after(stand, index)
    out = next(e for e in script.events() if e.HasField("seat_out"))
    for watcher in script.sent:
        proof = held_by(script, watcher)
        if bad.reason not in PROVED and bad.name not in SIGNED_AND_MALFORMED:
            assert proof is None
            continue
        assert proof is not None
        assert proof.party == f"seat {index % 2}"
        assert proof.key == own_key(script, index % 2).public.raw
        assert proof.entry_key == key(f"a entry {index % 2}").public.raw
        assert proof.sequence == out.sequence


def _illegal(script: Script, seat: int) -> bytes:
    honest = script.honest(seat)
    return edited(honest, lambda a: setattr(a.move, "text", "go"), own_key(script, seat))


def is_seat(proof: Proof | None, seat: int, step: Step, sequence: int) -> None:
    assert proof is not None
    assert (proof.party, proof.step, proof.sequence) == (f"seat {seat}", step, sequence)


def test_an_illegal_move_that_no_record_shows_convicts_its_seat_all_the_same() -> None:
    script = STANDS["move"]()
    bad = _illegal(script, 0)
    asked = script.referee.fold.sequence
    is_seat(weighed(script.records, others=[bad]), 0, Step.MOVE, asked)
    # Where its question stands matters, and what came after it does not.
    script.send(1, script.honest(1))
    is_seat(weighed(script.records, others=[bad]), 0, Step.MOVE, asked)
    assert weighed(script.records[:asked], others=[bad]) is None


@pytest.mark.parametrize("alter", [bare, usurped, spoilt])
def test_an_answer_that_its_seat_did_not_sign_convicts_nobody(alter: object) -> None:
    assert callable(alter)
    script = STANDS["move"]()
    assert weighed(script.records, others=[alter(_illegal(script, 0))]) is None


def test_a_strangers_signature_on_an_answer_takes_nothing_from_the_seats() -> None:
    script = STANDS["move"]()
    bad, good = _illegal(script, 0), script.honest(0)
    is_seat(
        weighed(script.records, others=[countersigned(bad)]),
        0,
        Step.MOVE,
        script.referee.fold.sequence,
    )
    assert weighed(script.records, others=[countersigned(good)]) is None


def test_a_false_go_convicts_its_seat_by_that_seats_cards() -> None:
    script, seat, lie = false_go()
    records = list(script.records)
    asked = script.referee.fold.sequence
    shows = all_shows(script)
    is_seat(weighed(records, shows, [lie]), seat, Step.MOVE, asked)
    assert weighed(records, [], [lie]) is None
    # Once the deck is opened nobody's shows are needed.
    script.send(seat, lie)
    script.play()
    is_seat(weighed(script.records), seat, Step.MOVE, asked + 1)


def test_a_foul_that_shown_cards_prove_convicts_its_seat() -> None:
    script, liar, lie = false_go(blind)
    # Its own bot would not follow a match where its illegal move was let pass.
    del script.players[liar], script.sent[liar]
    script.send(liar, lie)
    for _ in range(100):
        if script.referee.ended:
            break
        (seat,) = script.referee.owed
        data = script.honest(seat) if seat in script.players else _what_looks_legal(script, seat)
        script.send(seat, data)
    assert script.referee.fold.outs == {liar: pb.END_REASON_ILLEGAL_MOVE}
    out = next(e for e in script.events() if e.HasField("seat_out"))
    records, opened = script.records[: out.sequence + 1], script.records[out.sequence + 1]
    is_seat(weighed(records, others=[opened]), liar, Step.MOVE, out.sequence - 1)
    assert weighed(records) is None  # nobody vouches for what was shown last
    # Once the deck is open a referee that could have known stands convicted first.
    proof = weighed(script.records)
    assert proof is not None
    assert proof.party == "referee"


def _what_looks_legal(script: Script, seat: int) -> bytes:
    fold, owed = script.referee.fold, script.referee.owed[seat]
    answer = pb.Answer(
        match=fold.terms.head0,
        seat=seat,
        asked=owed.asked,
        head=owed.head,
        move=pb.Move(text=fold.terms.game.encode(fold.need.of(seat)[-1])),
    )
    return sign(type_of("answer"), encode(answer), own_key(script, seat)).to_bytes()


# --- Two answers --------------------------------------------------------------------------------


def test_two_answers_to_one_question_convict_the_seat() -> None:
    script = STANDS["move"]()
    one = script.honest(0)
    legal = script.referee.fold.need.of(0)
    texts = [script.referee.fold.terms.game.encode(move) for move in legal]
    other = edited(
        one,
        lambda a: setattr(a.move, "text", next(t for t in texts if t != a.move.text)),
        own_key(script, 0),
    )
    place = script.referee.fold.sequence
    is_seat(weighed(script.records, others=[one, other]), 0, Step.ANSWER, place)
    is_seat(weighed(script.records[:1], others=[one, other]), 0, Step.ANSWER, place)
    assert weighed(script.records, others=[one, one]) is None
    assert weighed(script.records, others=[one, bare(other)]) is None
    # The referee that takes the first and refuses the second keeps both.
    script.send(0, one)
    script.send(0, other)
    proof = weighed(script.records)
    assert proof is not None
    assert (proof.party, proof.step) == ("seat 0", Step.ANSWER)


def test_answers_to_different_questions_or_of_different_kinds_are_not_two_to_one() -> None:
    script = STANDS["move"]()
    one, mine = script.honest(0), own_key(script, 0)
    for change in (
        lambda a: setattr(a, "asked", a.asked + 1),
        lambda a: setattr(a, "match", secret("another match")),
        lambda a: setattr(a, "head", secret("another history")),
        lambda a: a.MergeFrom(pb.Answer(resignation=pb.Resignation())),
    ):
        assert weighed(script.records, others=[one, edited(one, change, mine)]) is None


def test_an_answer_to_what_its_seat_was_not_asked_convicts_nobody() -> None:
    script = STANDS["move"]()
    honest, mine = script.honest(0), own_key(script, 0)
    script.send(1, script.honest(1))
    fold = script.referee.fold
    later = pb.Answer(asked=fold.sequence, head=fold.head)
    assert (
        weighed(script.records, others=[edited(honest, lambda a: a.MergeFrom(later), mine)]) is None
    )


def test_a_key_that_signs_something_else_than_answers_convicts_nobody() -> None:
    script = STANDS["move"]()
    for kind in ("admission", "match-close", "event", "private-show"):
        for body in (b"", b"\x78\x01", pb.Admission(seat=1).SerializeToString()):
            thing = sign(type_of(kind), body, own_key(script, 0)).to_bytes()
            assert weighed(script.records, others=[thing]) is None


def test_a_referees_fault_goes_before_a_seats() -> None:
    script = Script().until(owes(pb.PHASE_MOVE))
    bad = _illegal(script, 0)
    lie = edited(script.records[-1], lambda e: setattr(e, "time_us", 1), key("a referee"))
    proof = weighed(script.records, others=[bad, lie])
    assert proof is not None
    assert proof.party == "referee"
