"""Checkpoints: what the log's key says of the log at one size (C2SP tlog-checkpoint).

The text of a signed note::

    origin
    size                     decimal
    root                     base64 of 32 bytes
    …                        extension lines, which this log does not write
"""

from dataclasses import dataclass

from aboveboard_referee.fairplay.bytes import HASH_BYTES, b32
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.log.note import (
    ED25519,
    BadNote,
    Note,
    NoteKey,
    decode_base64,
    encode_base64,
    parse_note,
    sign_note,
    verify_note,
)
from aboveboard_referee.log.proofs import MAX_SIZE

_MAX_DIGITS = len(str(MAX_SIZE))


def log_origin(tournament_id: bytes) -> str:
    """The name of a tournament's log and of its key."""
    return "aboveboard/tournament/" + b32(tournament_id).hex()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log's size and root. Raises BadNote for what no checkpoint can say."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.size <= MAX_SIZE:
            raise BadNote(f"no log has {self.size} leaves")
        if len(self.root) != HASH_BYTES:
            raise BadNote(f"a root has 32 bytes, not {len(self.root)}")
        for line in (self.origin, *self.extensions):
            if not line or "\n" in line:
                raise BadNote("a checkpoint's lines are not empty")

    def text(self) -> str:
        """The note text that is signed."""
        lines = (self.origin, str(self.size), encode_base64(self.root), *self.extensions)
        return "".join(line + "\n" for line in lines)


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint of a note's text. Raises BadNote."""
    if not text.endswith("\n"):
        raise BadNote("a checkpoint's last line is ended")
    lines = text[:-1].split("\n")
    if len(lines) < 3:
        raise BadNote("a checkpoint has at least three lines")
    origin, size, root, *extensions = lines
    return Checkpoint(origin, parse_size(size), decode_base64(root), tuple(extensions))


def parse_size(text: str) -> int:
    """A number of leaves as it is written: decimal, no leading zeros. Raises BadNote."""
    if not (text.isascii() and text.isdigit()) or len(text) > _MAX_DIGITS:
        raise BadNote("a size is written in decimal digits")
    size = int(text)
    if str(size) != text or size > MAX_SIZE:
        raise BadNote("a size has no leading zeros and is below 2⁶³")
    return size


def sign_checkpoint(checkpoint: Checkpoint, key: PrivateKey) -> bytes:
    """The checkpoint as a note that the log's key signs under the log's origin."""
    return sign_note(checkpoint.text(), checkpoint.origin, key).to_bytes()


def open_checkpoint(note: bytes, origin: str, log_key: PublicKey) -> Checkpoint:
    """The checkpoint of a note, if this log's key signed it. Raises BadNote."""
    opened = parse_note(note)
    checkpoint = parse_checkpoint(opened.text)
    if checkpoint.origin != origin:
        raise BadNote("the checkpoint is another log's")
    verify_note(opened, (NoteKey(origin, ED25519, log_key),))
    return checkpoint


def bare_note(note: bytes, log_key: PublicKey) -> bytes:
    """A checkpoint's note with its log's signature alone, one line of it.

    Of a note that ``open_checkpoint`` took; raises BadNote for one that the key did not sign.
    """
    opened = parse_note(note)
    key = NoteKey(parse_checkpoint(opened.text).origin, ED25519, log_key)
    return Note(opened.text, tuple(key.signatures_in(opened)[:1])).to_bytes()
