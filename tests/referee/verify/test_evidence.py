"""Evidence against a referee: what it signed proves, to whoever has the bytes."""

from collections.abc import Callable
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.verify.evidence import (
    EVIDENCE_LIMIT,
    NoEvidence,
    NoProof,
    make_evidence,
    weigh,
)
from tests.fakes.bad_answers import STANDS
from tests.fakes.evidence import (
    REFEREE,
    another_card,
    bare,
    convicted,
    head_after,
    held_by,
    mail,
    weighed,
)
from tests.fakes.forging import (
    edited,
    next_event,
    resigned,
    tampering,
)
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Watcher, event_of

# --- Events ------------------------------------------------------------------------------------

Change = Callable[[Any], object]


def _illegal(event: pb.Event) -> None:
    """The move of seat 0 exchanged for one that is not legal, in league with seat 0."""
    event.answered.answer = edited(
        event.answered.answer, lambda a: setattr(a.move, "text", "go"), key("a seat 0")
    )


LIES: list[tuple[str, str, str, Change]] = [
    ("an answer that its seat did not sign", "move", "answered", lambda e: _tamper_answer(e)),
    ("an illegal move let pass", "move", "answered", _illegal),
    ("time that steps back", "move", "answered", lambda e: setattr(e, "time_us", 1)),
    ("another number", "move", "answered", lambda e: setattr(e, "sequence", 9)),
    ("another match", "move", "answered", lambda e: setattr(e, "match", secret("m"))),
    ("another head before it", "move", "answered", lambda e: setattr(e, "previous", secret("h"))),
    ("no head before it", "move", "answered", lambda e: e.ClearField("previous")),
    ("a sum of time", "move", "answered", lambda e: setattr(e.answered.timing, "charged_us", 7)),
    (
        "a root of no root's size",
        "last root",
        "deal_root",
        lambda e: e.deal_root.ClearField("root"),
    ),
    ("a face to nobody", "starter", "shown", lambda e: e.shown.grants.pop()),
    ("another card", "starter", "shown", lambda e: another_card(e.shown.grants[0].face)),
    (
        "a face to one alone",
        "starter",
        "shown",
        lambda e: setattr(e.shown.grants[0], "audience", 1),
    ),
]


def _tamper_answer(event: pb.Event) -> None:
    event.answered.answer = edited(event.answered.answer, lambda _: None, key("somebody else"))


def _stand(name: str) -> Script:
    if name == "move":
        return STANDS["move"]()
    script = STANDS["entropy"]() if name == "last root" else STANDS["move"]()
    script.step()
    return script


@pytest.mark.parametrize(
    ("stand", "kind", "change"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES]
)
def test_an_event_that_is_not_what_it_must_be_convicts_the_referee_who_signed_it(
    stand: str, kind: str, change: Change
) -> None:
    script = _stand(stand)
    places: list[int] = []

    def lie(_watcher: Watcher, outbox: Outbox) -> Outbox:
        at = next(i for i, r in enumerate(outbox.records) if event_of(r).HasField(kind))
        places.append(event_of(outbox.records[at]).sequence)
        told = edited(outbox.records[at], change, REFEREE)
        return Outbox((*outbox.records[:at], told), outbox.shows)

    script.tamper = lie
    script.step()
    for watcher in script.sent:
        proof = held_by(script, watcher)
        assert proof is not None
        assert (proof.party, proof.key) == ("referee", REFEREE.public.raw)
        before = mail(script, watcher)[0][: places[0]]
        assert weighed(before, mail(script, watcher)[1], holder=watcher) is None


def test_a_proof_names_step_event_and_what_was_found() -> None:
    script = STANDS["move"]()
    place = tampering(script, lambda e: e.HasField("answered"), _illegal, REFEREE)
    proof = held_by(script, 1)
    convicted(proof, Step.MOVE, place)
    assert proof is not None
    assert "a good answer" in proof.expected
    assert "go is not among the legal moves" in proof.found
    assert str(proof) == (
        f"step 7 (move), event {place}: expected {proof.expected}; "
        f"found {proof.found}; at fault: referee"
    )


def test_an_unsigned_event_convicts_once_a_signed_one_names_the_head_after_it() -> None:
    script = STANDS["move"]()
    fold = script.referee.fold
    false = bare(next_event(fold, REFEREE, deal_root=pb.DealRoot(cards=52, root=secret("root"))))
    assert weighed([*script.records, false]) is None
    fold.head = head_after(false)
    fold.sequence += 1
    stop = next_event(fold, REFEREE, stopped=pb.Stopped(reason=pb.END_REASON_INTERRUPTED))
    convicted(weighed([*script.records, false, stop]), Step.CHAIN, fold.sequence)
    assert weighed([*script.records, false, bare(stop)]) is None


@pytest.mark.parametrize("body", [b"", b"\x78\x01", bytes(9)])
@pytest.mark.parametrize("kind", ["event", "private-show", "match-close", "match-open"])
def test_a_body_that_nobody_may_sign_convicts_who_signed_it(kind: str, body: bytes) -> None:
    script = STANDS["move"]()
    original = parse_signed(script.records[-1]).body
    thing = sign(type_of(kind), original + body if body else b"\x01", REFEREE).to_bytes()
    proof = weighed(script.records, others=[thing])
    assert proof is not None
    assert proof.party == "referee"
    assert weighed(script.records, others=[bare(thing)]) is None


# --- The opening and the tournament ------------------------------------------------------------


def test_terms_that_cannot_be_kept_convict_the_referee_who_signed_them() -> None:
    (opening, *_) = STANDS["accept"]().records
    for change in (
        lambda o: setattr(o, "attempt", 0),
        lambda o: setattr(o, "chain_length", 1),
        lambda o: setattr(o.clock, "protocol_us", 0),
        lambda o: setattr(o.seats[1], "certificate", o.seats[0].certificate),
        lambda o: o.seats.pop(),
    ):
        convicted(weighed([edited(opening, change, REFEREE)]), Step.OPENING, 0)
        assert weighed([bare(edited(opening, change, REFEREE))]) is None
    unknown = resigned(opening, parse_signed(opening).body + b"\xf8\x01\x01", REFEREE)
    convicted(weighed([unknown]), Step.OPENING, 0)


def test_terms_that_were_signed_as_something_else_convict_nobody() -> None:
    body = parse_signed(STANDS["accept"]().records[0]).body
    for kind in ("ticket", "event", "answer"):
        assert weighed([sign(type_of(kind), body, REFEREE).to_bytes()]) is None


def test_a_game_that_this_release_does_not_know_convicts_nobody() -> None:
    (opening, *_) = STANDS["accept"]().records
    for change in (
        lambda o: setattr(o.game, "name", "bridge"),
        lambda o: setattr(o.game, "version", 2),
    ):
        assert weighed([edited(opening, change, REFEREE)]) is None


# --- The bytes of evidence ---------------------------------------------------------------------


def test_evidence_is_made_of_what_it_is_given() -> None:
    data = make_evidence(
        holder=1, records=[b"r"], shows=[b"s"], others=[b"o"], manifest=b"m", claim="why"
    )
    assert pb.Evidence.FromString(data) == pb.Evidence(
        manifest=b"m", holder=2, records=[b"r"], shows=[b"s"], others=[b"o"], claim="why"
    )
    assert pb.Evidence.FromString(make_evidence(holder=None, records=[], shows=[])).holder == 0


def test_more_than_the_limit_is_not_made_and_not_read() -> None:
    with pytest.raises(Refused):
        make_evidence(holder=0, records=[bytes(EVIDENCE_LIMIT)], shows=[])
    with pytest.raises(NoEvidence, match="more than"):
        weigh(bytes(EVIDENCE_LIMIT + 1), None)


@pytest.mark.parametrize("data", [b"\0", b"no evidence", b"\x38\x01", bytes(100)])
def test_bytes_that_are_no_evidence_are_told_from_evidence_of_nothing(data: bytes) -> None:
    with pytest.raises(NoEvidence):
        weigh(data, None)


def test_an_empty_file_is_no_evidence() -> None:
    with pytest.raises(NoEvidence, match="no records"):
        weigh(b"", None)


@pytest.mark.parametrize("records", [[b""], [b"\0" * 9]])
def test_evidence_without_an_opening_proves_nothing(records: list[bytes]) -> None:
    with pytest.raises(NoProof) as refused:
        weigh(make_evidence(holder=0, records=records, shows=[]), None)
    assert not isinstance(refused.value, NoEvidence)
    assert "\n" not in str(refused.value)
