"""What a witness decides about a checkpoint that it is asked to co-sign (C2SP tlog-witness).

A request is ::

    old 20852014             the size that the log thinks the witness saw last
    base64                   the consistency proof from there, a hash a line, at most 63
                             an empty line
    …                        the checkpoint, a signed note

The caller stores a granted state durably, before it answers and before it decides about
the next request for the same log. Else one request could undo another.
"""

from dataclasses import dataclass

from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.checkpoint import Checkpoint, parse_checkpoint, parse_size
from aboveboard_referee.log.cosignature import cosign
from aboveboard_referee.log.note import (
    MAX_BYTES,
    BadNote,
    Note,
    NoteKey,
    decode_base64,
    encode_base64,
    parse_note,
    verify_note,
)
from aboveboard_referee.log.proofs import MAX_PATH, BadProof, check_consistency
from aboveboard_referee.log.tree import EMPTY_ROOT

PLAIN_TEXT = "text/plain; charset=utf-8"

SIZE_TEXT = "text/x.tlog.size"
"""Content type of the answer 409 that tells the size the witness knows."""

_OLD = "old "
_MAX_HEAD = len(_OLD) + 20 + MAX_PATH * 45 + 1  # bytes before the checkpoint


class BadRequest(ValueError):
    """The bytes are no request to a witness."""


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """A log's request for a co-signature."""

    old_size: int
    proof: tuple[bytes, ...]
    note: bytes

    def to_bytes(self) -> bytes:
        lines = [f"{_OLD}{self.old_size}", *map(encode_base64, self.proof), "", ""]
        return "\n".join(lines).encode() + self.note

    def open(self) -> tuple[Note, Checkpoint]:
        """The note and its checkpoint, whose signature nobody has looked at yet.

        Its origin says which log's state and key the request is to be judged by.
        Raises BadRequest; never for what ``parse_add_checkpoint`` returned.
        """
        try:
            note = parse_note(self.note)
            return note, parse_checkpoint(note.text)
        except BadNote as error:
            raise BadRequest(str(error)) from None


def parse_add_checkpoint(body: bytes) -> AddCheckpoint:
    """The request of these bytes. Raises BadRequest."""
    if len(body) > _MAX_HEAD + MAX_BYTES:
        raise BadRequest(f"a request has at most {_MAX_HEAD + MAX_BYTES} bytes")
    head, gap, note = body.partition(b"\n\n")
    if not gap:
        raise BadRequest("no empty line stands before the checkpoint")
    try:
        old, *proof = head.decode("ascii").split("\n")
        if not old.startswith(_OLD) or len(proof) > MAX_PATH:
            raise BadRequest(f"the old size and at most {MAX_PATH} hashes come first")
        hashes = tuple(map(decode_base64, proof))
        request = AddCheckpoint(parse_size(old.removeprefix(_OLD)), hashes, note)
    except (BadNote, UnicodeDecodeError) as error:
        raise BadRequest(str(error)) from None
    if any(len(hash_) != HASH_BYTES for hash_ in request.proof):
        raise BadRequest("a hash of the proof has 32 bytes")
    request.open()
    return request


@dataclass(frozen=True, slots=True)
class WitnessState:
    """What a witness keeps of one log: the last checkpoint that it co-signed, if any."""

    size: int = 0
    root: bytes = EMPTY_ROOT
    note: bytes = b""
    """The checkpoint as the log signed it; beside one that contradicts it, it is a proof."""


@dataclass(frozen=True, slots=True)
class Granted:
    """Store ``new_state`` first, then answer 200 with the line."""

    new_state: WitnessState
    line: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP status and the answer's body. Nothing is to be stored."""

    status: int
    body: bytes
    content_type: str = PLAIN_TEXT


Decision = Granted | Refusal


def decide(
    request: AddCheckpoint,
    state: WitnessState,
    log_key: NoteKey,
    witness_key: PrivateKey,
    witness_name: str,
    time_s: int,
) -> Decision:
    """Whether the witness co-signs, in the order in which the specification asks.

    ``state`` and ``log_key``, whose name is the log's origin, are those of the one log
    that the request is for. ``time_s``: now, in seconds since 1970.
    """
    try:
        note, checkpoint = request.open()
    except BadRequest as error:
        return _refuse(400, str(error))
    if checkpoint.origin != log_key.name:
        return _refuse(404, "this log is unknown here")
    try:
        verify_note(note, (log_key,))
    except BadNote as error:
        return _refuse(403, str(error))
    if request.old_size > checkpoint.size:
        return _refuse(400, "the old size is greater than the checkpoint's")
    if request.old_size != state.size:
        return Refusal(409, f"{state.size}\n".encode(), SIZE_TEXT)
    if checkpoint.size == state.size and checkpoint.root != state.root:
        # Not told as a size: asking again with another one would not help.
        return _refuse(409, f"the root of {counted(state.size, 'leaf')} is another here")
    try:
        check_consistency(state.size, state.root, checkpoint.size, checkpoint.root, request.proof)
    except BadProof as error:
        return _refuse(422, str(error))
    line = cosign(note.text, witness_key, witness_name, time_s).line()
    return Granted(WitnessState(checkpoint.size, checkpoint.root, request.note), line.encode())


def parse_known_size(body: bytes) -> int:
    """The size that a witness told with status 409. Raises BadNote for any other body."""
    if not body.isascii() or not body.endswith(b"\n"):
        raise BadNote("a size is a line of decimal digits")
    return parse_size(body[:-1].decode())


def _refuse(status: int, reason: str) -> Refusal:
    return Refusal(status, f"{reason}\n".encode())
