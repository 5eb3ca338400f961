"""What a witness answers, status by status, and that it never co-signs two histories."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import ED25519, BadNote, NoteKey, sign_note
from aboveboard_referee.log.proofs import MAX_SIZE
from aboveboard_referee.log.tree import EMPTY_ROOT, Tree
from aboveboard_referee.log.witness import (
    SIZE_TEXT,
    AddCheckpoint,
    BadRequest,
    Decision,
    Granted,
    Refusal,
    WitnessState,
    decide,
    parse_add_checkpoint,
    parse_known_size,
)
from tests.referee.log.support import (
    LOG,
    LOG_KEY,
    ORIGIN,
    STRANGER,
    W1,
    WITNESSES,
    checkpoint_of,
    cosigned,
    h,
    leaves,
    signed,
)

LEAVES = leaves(0, 40)
TREE = Tree(LEAVES)
NOW = 1_700_000_000


def ask(
    state: WitnessState, request: AddCheckpoint, log_key: NoteKey = LOG_KEY, time_s: int = NOW
) -> Decision:
    return decide(request, state, log_key, W1, "witness.example/w1", time_s)


def growth(old: int, new: int, tree: Tree = TREE) -> AddCheckpoint:
    note = signed(new, tree.root(new))
    return AddCheckpoint(old, tuple(tree.consistency(old, new)), note)


def seen(size: int, tree: Tree = TREE) -> WitnessState:
    """The state of a witness that saw the log at this size."""
    return WitnessState(size, tree.root(size), signed(size, tree.root(size)))


def refusal(decision: Decision) -> tuple[int, bytes]:
    assert isinstance(decision, Refusal)
    return decision.status, decision.body


# Requests that another implementation of a witness tests itself with.
SIGSUM = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562"
SIGSUM_KEY = NoteKey(
    SIGSUM,
    ED25519,
    PublicKey(bytes.fromhex("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f")),
)
SIGSUM_FIRST = f"""old 0

{SIGSUM}
1
KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

— {SIGSUM} UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKo\
FBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=
"""
SIGSUM_THREE = f"""old 1
KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

{SIGSUM}
3
RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=

— {SIGSUM} UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39\
d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=
"""
SIGSUM_FIVE = f"""old 1
KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=
KgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

{SIGSUM}
5
QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=

— {SIGSUM} UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4\
QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=
"""


def test_another_implementations_requests_are_decided_as_it_decides_them() -> None:
    first, three, five = (
        parse_add_checkpoint(body.encode()) for body in (SIGSUM_FIRST, SIGSUM_THREE, SIGSUM_FIVE)
    )
    granted = ask(WitnessState(), first, SIGSUM_KEY)
    assert isinstance(granted, Granted)
    after_five = ask(granted.new_state, five, SIGSUM_KEY)
    assert isinstance(after_five, Granted)
    assert after_five.new_state.root.hex() == (
        "42bb57ad06420afa4882c4a63ac6a1ec77480b330b2f20dfc53a0caa5f564e36"
    )
    # Of two requests from one state only one is granted, whichever is decided first.
    assert refusal(ask(after_five.new_state, three, SIGSUM_KEY)) == (409, b"5\n")
    assert isinstance(ask(granted.new_state, three, SIGSUM_KEY), Granted)


def test_a_log_that_only_grows_is_cosigned_at_every_size() -> None:
    state = WitnessState()
    for size in (0, 1, 2, 3, 3, 7, 8, 40):
        request = growth(state.size, size)
        decision = ask(state, request, time_s=NOW + size)
        assert isinstance(decision, Granted)
        state = decision.new_state
        assert state == WitnessState(size, TREE.root(size), request.note)
        note = request.note + decision.line
        assert check_cosignatures(note, WITNESSES) == {"witness.example/w1": NOW + size}


def test_an_unknown_log_is_not_found() -> None:
    elsewhere = signed(5, TREE.root(5), origin="another.example/log")
    assert refusal(ask(seen(3), AddCheckpoint(3, (), elsewhere)))[0] == 404


def test_a_checkpoint_without_the_logs_signature_is_forbidden() -> None:
    request = AddCheckpoint(3, tuple(TREE.consistency(3, 5)), signed(5, TREE.root(5), STRANGER))
    assert refusal(ask(seen(3), request))[0] == 403
    as_witness = cosigned(request.note, W1)
    assert refusal(ask(seen(3), AddCheckpoint(3, request.proof, as_witness)))[0] == 403


def test_a_false_signature_in_the_logs_name_is_forbidden_beside_a_true_one() -> None:
    request = growth(3, 5)
    line = signed(6, TREE.root(6)).rpartition(b"\n\n")[2]
    both = AddCheckpoint(3, request.proof, request.note + line)
    assert refusal(ask(seen(3), both))[0] == 403


def test_signatures_by_others_do_not_matter() -> None:
    request = growth(3, 5)
    more = AddCheckpoint(3, request.proof, cosigned(request.note, W1))
    assert isinstance(ask(seen(3), more), Granted)


def test_an_old_size_beyond_the_checkpoints_is_a_bad_request() -> None:
    request = AddCheckpoint(6, (), signed(5, TREE.root(5)))
    assert refusal(ask(seen(6), request))[0] == 400


@pytest.mark.parametrize("old", [0, 2, 4, 5])
def test_a_log_with_another_old_size_is_told_the_known_one(old: int) -> None:
    decision = ask(seen(3), growth(old, 5))
    assert refusal(decision) == (409, b"3\n")
    assert isinstance(decision, Refusal)
    assert decision.content_type == SIZE_TEXT
    assert parse_known_size(decision.body) == 3


def test_another_root_of_the_known_size_is_a_conflict_that_tells_no_size() -> None:
    decision = ask(seen(3), AddCheckpoint(3, (), signed(3, h(b"another"))))
    assert refusal(decision)[0] == 409
    assert isinstance(decision, Refusal)
    assert decision.content_type != SIZE_TEXT
    first = ask(WitnessState(), AddCheckpoint(0, (), signed(0, h(b"another"))))
    assert refusal(first)[0] == 409


@pytest.mark.parametrize(
    "proof",
    [
        (),
        tuple(TREE.consistency(3, 5))[:-1],
        (*TREE.consistency(3, 5), h(b"more")),
        tuple(reversed(TREE.consistency(3, 5))),
        tuple(TREE.consistency(4, 5)),
        tuple(TREE.consistency(3, 6)),
    ],
)
def test_a_proof_that_does_not_verify_cannot_be_processed(proof: tuple[bytes, ...]) -> None:
    request = AddCheckpoint(3, proof, signed(5, TREE.root(5)))
    assert refusal(ask(seen(3), request))[0] == 422


def test_where_nothing_is_to_be_proved_there_is_no_proof() -> None:
    something = (h(b"something"),)
    assert refusal(ask(seen(3), AddCheckpoint(3, something, growth(3, 3).note)))[0] == 422
    first = AddCheckpoint(0, something, growth(0, 5).note)
    assert refusal(ask(WitnessState(), first))[0] == 422


def test_a_rewritten_log_is_not_cosigned() -> None:
    other = Tree([*LEAVES[:2], *leaves(2, 9, "b")])
    for proof in (other.consistency(3, 9), TREE.consistency(3, 9)):
        request = AddCheckpoint(3, tuple(proof), signed(9, other.root(9)))
        assert refusal(ask(seen(3), request))[0] == 422


def test_a_note_that_is_no_checkpoint_is_a_bad_request() -> None:
    for note in (b"", sign_note("hello\n", ORIGIN, LOG).to_bytes()):
        assert refusal(ask(seen(3), AddCheckpoint(3, (), note)))[0] == 400


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.data())
def test_whatever_is_asked_a_witness_stays_with_one_history(data: st.DataObject) -> None:
    """A log of two histories asks in any order, with its best proofs, and tells the truth."""
    split = data.draw(st.integers(0, 8))
    histories = (Tree(LEAVES[:12]), Tree([*LEAVES[:split], *leaves(split, 12, "b")]))
    state, granted = WitnessState(), []
    for _ in range(10):
        tree = histories[data.draw(st.integers(0, 1))]
        new = data.draw(st.integers(0, 12))
        old = data.draw(st.sampled_from([state.size, 0, new]))
        if old > new:
            continue
        decision = ask(state, growth(old, new, tree))
        if isinstance(decision, Granted):
            assert decision.new_state.size >= state.size
            state = decision.new_state
            granted.append(state)
    assert any(all(tree.root(entry.size) == entry.root for entry in granted) for tree in histories)


def test_a_request_is_read_as_it_was_written() -> None:
    for old, new in ((0, 0), (0, 5), (3, 3), (3, 5), (17, 40)):
        request = growth(old, new)
        assert parse_add_checkpoint(request.to_bytes()) == request
    longest = AddCheckpoint(1, (h(b"x"),) * 63, growth(1, 5).note)
    assert parse_add_checkpoint(longest.to_bytes()) == longest
    assert parse_add_checkpoint(SIGSUM_FIVE.encode()).to_bytes() == SIGSUM_FIVE.encode()


BODY = growth(3, 5).to_bytes()
HASH = base64.b64encode(TREE.consistency(3, 5)[0])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n\n",
        BODY.replace(b"old 3", b"old 03"),
        BODY.replace(b"old 3", b"old +3"),
        BODY.replace(b"old 3", b"old -3"),
        BODY.replace(b"old 3", b"old "),
        BODY.replace(b"old 3", b"old  3"),
        BODY.replace(b"old 3", b"old 3 "),
        BODY.replace(b"old 3", b"Old 3"),
        BODY.replace(b"old 3", b"3"),
        BODY.replace(b"old 3", b"old 9223372036854775808"),
        BODY.replace(b"old 3\n", b""),
        b"\n" + BODY,
        BODY.replace(HASH, HASH[:-1]),
        BODY.replace(HASH, HASH + b" "),
        BODY.replace(HASH, base64.b64encode(bytes(31))),
        BODY.replace(HASH, base64.b64encode(bytes(33))),
        BODY.replace(HASH, "é".encode()),
        BODY.replace(HASH, b"\n" + HASH),
        BODY.replace(HASH, b"\r\n".join([HASH, HASH])),
        AddCheckpoint(3, (h(b"x"),) * 64, growth(3, 5).note).to_bytes(),
        BODY.partition(b"\n\n")[0],
        BODY.partition(b"\n\n")[0] + b"\n\n",
        BODY[:-1],
        BODY + b"\n",
        BODY.replace(b"\n5\n", b"\n05\n"),
        AddCheckpoint(3, (), sign_note("no checkpoint\n", ORIGIN, LOG).to_bytes()).to_bytes(),
        BODY + b"x" * 100_000,
    ],
)
def test_what_is_almost_a_request_is_none(body: bytes) -> None:
    assert body != BODY
    with pytest.raises(BadRequest):
        parse_add_checkpoint(body)


def test_a_request_is_no_larger_than_its_greatest_parts() -> None:
    spare = 65536 - len(sign_checkpoint(Checkpoint(ORIGIN, 5, TREE.root(5), ("x",)), LOG))
    note = sign_checkpoint(Checkpoint(ORIGIN, 5, TREE.root(5), ("x" * (spare + 1),)), LOG)
    assert len(note) == 65536
    largest = AddCheckpoint(MAX_SIZE, (h(b"x"),) * 63, note).to_bytes()
    assert parse_add_checkpoint(largest).to_bytes() == largest
    with pytest.raises(BadRequest, match=f"at most {len(largest)} bytes"):
        parse_add_checkpoint(largest + b"x")


def test_a_request_without_a_checkpoint_is_told_so() -> None:
    with pytest.raises(BadRequest, match="before the checkpoint"):
        parse_add_checkpoint(b"old 3\n")


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.data())
def test_nothing_but_bad_request_comes_of_any_bytes(data: st.DataObject) -> None:
    at, length = data.draw(st.integers(0, len(BODY))), data.draw(st.integers(0, 40))
    body = BODY[:at] + data.draw(st.binary(max_size=20)) + BODY[at + length :]
    try:
        request = parse_add_checkpoint(body)
    except BadRequest:
        return
    assert request.to_bytes() == body
    assert isinstance(ask(seen(3), request), Granted | Refusal)
    assert isinstance(ask(seen(3), request), Refusal) or body == BODY


def test_a_known_size_has_one_way_of_being_told() -> None:
    assert parse_known_size(b"0\n") == 0
    assert parse_known_size(f"{MAX_SIZE}\n".encode()) == MAX_SIZE
    for body in (b"", b"\n", b"5", b"55", b"05\n", b"5\n\n", b" 5\n", b"-5\n", b"\xff\n", b"5\r\n"):
        with pytest.raises(BadNote):
            parse_known_size(body)


def test_a_witness_that_saw_nothing_knows_an_empty_log() -> None:
    assert WitnessState() == WitnessState(0, EMPTY_ROOT, b"")
    assert refusal(ask(WitnessState(), growth(3, 5))) == (409, b"0\n")
    assert checkpoint_of(LEAVES, 5) == growth(3, 5).note
