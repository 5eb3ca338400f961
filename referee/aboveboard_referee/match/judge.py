"""Judging what a seat sent against what it owed. One place, used by everybody.

The referee judges an answer when it arrives. Bots and verifiers judge it again where
it stands in the transcript: accepted answers must be good, and the evidence of a seat
that went out must be bad in just the way that was said.
"""

from typing import Any, NamedTuple

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.chain import link_before
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.fairplay.keys import BadSignature, PublicKey
from aboveboard_referee.games.contract import Decide, Malformed, Seat
from aboveboard_referee.games.registry import AnyGame

ANSWER = type_of("answer")

ANSWER_LIMIT = 4096
"""A longer message is malformed, whatever it holds; it bounds the evidence kept."""

CHECKPOINT_LIMIT = 1024
"""Size of the largest note that an acceptance takes; that of a log has some 350 bytes."""

PAYLOAD = {
    pb.PHASE_ACCEPT: "accept",
    pb.PHASE_ENTROPY: "entropy",
    pb.PHASE_MOVE: "move",
    pb.PHASE_COMMITMENT: "commitment",
    pb.PHASE_OPENING: "opening",
}
"""The payload that an answer has in each phase."""


class Owed(NamedTuple):
    """What a seat owes: an answer of ``phase`` to event ``asked``, whose head is ``head``."""

    phase: pb.Phase
    asked: int
    head: bytes


class ReadAnswer(NamedTuple):
    """An answer as its envelope and its body."""

    signed: Signed
    body: pb.Answer


class Accepted(NamedTuple):
    """A good answer. ``value`` is the tip, link, move or commitment that it gives."""

    answer: pb.Answer
    value: Any


class Fault(NamedTuple):
    """A bad one: the end reason it earns, and the rule in a line for a person."""

    reason: pb.EndReason
    rule: str


class Question(NamedTuple):
    """All that a verdict depends on, besides the answer's bytes."""

    match: bytes  # head_0
    context: bytes
    seat: Seat
    key: PublicKey
    owed: Owed
    game: AnyGame
    decide: Decide[Any] | None  # in the phases of a decision
    shuffle: int  # k, in the phase of entropy
    link: bytes  # the seat's link k - 1
    committed: bytes  # its commitment, in the phase of opening
    committed_at: bytes  # the head that the commitment was made at


def read_answer(data: bytes) -> ReadAnswer:
    """What was sent for an answer, neither verified nor judged; ``Refused`` for what is none."""
    signed = parse_signed(data)
    return ReadAnswer(signed, decode(pb.Answer, signed.body))


def judge(question: Question, data: bytes, read: ReadAnswer | None = None) -> Accepted | Fault:
    """The verdict on the exact bytes that a seat sent for an answer.

    ``read`` is what ``read_answer`` gives of them, for a caller who had to look before.
    """
    if len(data) > ANSWER_LIMIT:
        return Fault(pb.END_REASON_MALFORMED_MESSAGE, f"more than {ANSWER_LIMIT} bytes")
    try:
        signed, answer = read or read_answer(data)
    except Refused as error:
        return Fault(pb.END_REASON_MALFORMED_MESSAGE, str(error))
    if signed.type != ANSWER or len(signed.signatures) != 1:
        return Fault(pb.END_REASON_MALFORMED_MESSAGE, "not an answer with one signature")
    key, signature = signed.signatures[0]
    if key != question.key.raw:
        return Fault(pb.END_REASON_BAD_SIGNATURE, "signed with another key than the seat's")
    try:
        question.key.verify(signature, signed.pae)
    except BadSignature as error:
        return Fault(pb.END_REASON_BAD_SIGNATURE, str(error))
    owed = question.owed
    if (answer.match, answer.seat) != (question.match, question.seat):
        return Fault(pb.END_REASON_MALFORMED_MESSAGE, "for another match or seat")
    if (answer.asked, answer.head) != (owed.asked, owed.head):
        return Fault(
            pb.END_REASON_MALFORMED_MESSAGE,
            f"answers event {answer.asked} or another head, event {owed.asked} is open",
        )
    payload = answer.WhichOneof("payload")
    if payload == "resignation":
        return Fault(pb.END_REASON_RESIGNED, "resigned")
    if payload != PAYLOAD[owed.phase]:
        return Fault(
            pb.END_REASON_MALFORMED_MESSAGE, f"{payload} where {PAYLOAD[owed.phase]} is owed"
        )
    return _CONTENT[owed.phase](question, answer)


def _accept(question: Question, answer: pb.Answer) -> Accepted | Fault:
    accept = answer.accept
    if len(accept.tip) != 32:
        return Fault(pb.END_REASON_MALFORMED_MESSAGE, "a tip that is not 32 bytes")
    # What is in it is for those to judge who know the log.
    if len(accept.checkpoint) > CHECKPOINT_LIMIT:
        return Fault(
            pb.END_REASON_MALFORMED_MESSAGE,
            f"a checkpoint of more than {CHECKPOINT_LIMIT} bytes",
        )
    return Accepted(answer, accept.tip)


def _entropy(question: Question, answer: pb.Answer) -> Accepted | Fault:
    link = answer.entropy.link
    if (
        len(link) != 32
        or link_before(question.context, question.key.raw, question.shuffle, link) != question.link
    ):
        return Fault(pb.END_REASON_REFUSED_ENTROPY, "a link that does not fit the seat's chain")
    return Accepted(answer, link)


def _commitment(question: Question, answer: pb.Answer) -> Accepted | Fault:
    if len(answer.commitment.hash) != 32:
        return Fault(pb.END_REASON_MALFORMED_MESSAGE, "a commitment that is not 32 bytes")
    return Accepted(answer, answer.commitment.hash)


def _opening(question: Question, answer: pb.Answer) -> Accepted | Fault:
    opening = answer.opening
    # The commitment is over ASCII; other text cannot fit one.
    fits = (
        len(opening.nonce) == 32
        and opening.text.isascii()
        and commitment(
            question.committed_at,
            question.seat,
            question.key.raw,
            opening.nonce,
            opening.text,
        )
        == question.committed
    )
    if not fits:
        return Fault(pb.END_REASON_REFUSED_OPENING, "an opening that does not fit its commitment")
    return _legal(question, answer, opening.text)


def _move(question: Question, answer: pb.Answer) -> Accepted | Fault:
    return _legal(question, answer, answer.move.text)


def _legal(question: Question, answer: pb.Answer, text: str) -> Accepted | Fault:
    try:
        move = question.game.decode(text)
    except Malformed as error:
        return Fault(pb.END_REASON_ILLEGAL_MOVE, str(error)[:200])
    assert question.decide is not None
    if move not in question.decide.of(question.seat):
        return Fault(pb.END_REASON_ILLEGAL_MOVE, f"{text[:64]} is not among the legal moves")
    return Accepted(answer, move)


_CONTENT = {
    pb.PHASE_ACCEPT: _accept,
    pb.PHASE_ENTROPY: _entropy,
    pb.PHASE_MOVE: _move,
    pb.PHASE_COMMITMENT: _commitment,
    pb.PHASE_OPENING: _opening,
}
