"""Co-signatures: a witness's word that it saw a log only grow (C2SP tlog-cosignature).

The signature in the note's line is ``u64 time ‖ signature[64]``, big-endian, in seconds
since 1970. Signed is the text ::

    cosignature/v1
    time 1679315147
    …                        the whole text of the checkpoint's note
"""

from collections.abc import Sequence

from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey
from aboveboard_referee.log.note import (
    COSIGNATURE,
    BadNote,
    Note,
    NoteKey,
    NoteSignature,
    parse_note,
)

MAX_TIME_S = 2**63 - 1

_TIME_BYTES = 8


def cosign(text: str, key: PrivateKey, name: str, time_s: int) -> NoteSignature:
    """A witness's signature over a checkpoint's text at a time after 1970.

    The time says that this is the largest size of this log that the witness has seen
    by then. Raises ValueError for a time that cannot be written.
    """
    if not 1 <= time_s <= MAX_TIME_S:
        raise ValueError("a co-signature's time is a positive number of 63 bits")
    key_id = NoteKey(name, COSIGNATURE, key.public).key_id
    signature = key.sign(_signed(text, time_s))
    return NoteSignature(name, key_id, time_s.to_bytes(_TIME_BYTES, "big") + signature)


def check_cosignatures(note: bytes, witnesses: Sequence[NoteKey]) -> dict[str, int]:
    """Which of the witnesses co-signed the note, each with its latest time in seconds.

    Signatures by others are ignored. Raises BadNote if one claims to be by a witness and
    is not. That the note is a checkpoint, and by whom, is the caller's to know.
    """
    return _times(parse_note(note), witnesses)


def add_signature(note: bytes, signature: NoteSignature) -> bytes:
    """The note with one line more, in place of an earlier line by the same key.

    The caller has verified the signature. Raises BadNote.
    """
    opened = parse_note(note)
    lines = {(s.name, s.key_id): s for s in (*opened.signatures, signature)}
    return Note(opened.text, tuple(lines.values())).to_bytes()


def _times(note: Note, witnesses: Sequence[NoteKey]) -> dict[str, int]:
    times: dict[str, int] = {}
    for witness in witnesses:
        if witness.type != COSIGNATURE:
            raise ValueError("a witness's key is of the type for co-signatures")
        for line in witness.signatures_in(note):
            time_s = _verified_time(note.text, witness, line.signature)
            times[witness.name] = max(time_s, times.get(witness.name, 0))
    return times


def _verified_time(text: str, witness: NoteKey, timed: bytes) -> int:
    time_s = int.from_bytes(timed[:_TIME_BYTES], "big")
    if not 1 <= time_s <= MAX_TIME_S:
        raise BadNote(f"co-signature by {witness.name}: its time cannot be")
    try:
        witness.key.verify(timed[_TIME_BYTES:], _signed(text, time_s))
    except BadSignature as error:
        raise BadNote(f"co-signature by {witness.name}: {error}") from None
    return time_s


def _signed(text: str, time_s: int) -> bytes:
    """``"cosignature/v1" 0A "time " decimal 0A`` and the checkpoint's text."""
    return f"cosignature/v1\ntime {time_s}\n{text}".encode()
