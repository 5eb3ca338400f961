"""Signed notes: a text, and lines below it by those who sign it (C2SP signed-note).

::

    text                     lines of UTF-8, the last one ended too
                             an empty line
    — name base64            one line a signature: base64(key id[4] ‖ signature)

A note has one encoding. What is read here and written again is the same bytes.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_referee.fairplay.bytes import sha256
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PrivateKey, PublicKey

ED25519 = 0x01
"""Type of a key that signs the text itself."""

COSIGNATURE = 0x04
"""Type of a witness's key, which signs a time with it (see ``cosignature``)."""

MAX_BYTES = 65536
"""Size of the largest note that is read."""

MAX_SIGNATURES = 100

_KEY_ID_BYTES = 4
_DASH = "— "  # U+2014 and a space begin every signature line


class BadNote(ValueError):
    """The bytes are no note, or not one by whom they should be."""


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One line below a note. Whether it is right only its key can tell."""

    name: str
    key_id: bytes
    signature: bytes

    def __post_init__(self) -> None:
        _judge_name(self.name)
        if len(self.key_id) != _KEY_ID_BYTES:
            raise BadNote("a key's id has 4 bytes")
        if not self.signature:
            raise BadNote(f"the signature by {self.name} is empty")

    def line(self) -> str:
        """The line as it stands in a note, with its end."""
        return f"{_DASH}{self.name} {encode_base64(self.key_id + self.signature)}\n"


@dataclass(frozen=True, slots=True)
class Note:
    """A text with one signature or more. Raises BadNote for what cannot be encoded."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def __post_init__(self) -> None:
        _judge_text(self.text)
        if not 1 <= len(self.signatures) <= MAX_SIGNATURES:
            raise BadNote(f"a note has 1 to {MAX_SIGNATURES} signatures")

    def to_bytes(self) -> bytes:
        return "".join([self.text, "\n", *(s.line() for s in self.signatures)]).encode()


@dataclass(frozen=True, slots=True)
class NoteKey:
    """Whose signature counts, under which name and in which manner (``type``)."""

    name: str
    type: int
    key: PublicKey

    def __post_init__(self) -> None:
        _judge_name(self.name)
        if self.type not in (ED25519, COSIGNATURE):
            raise BadNote(f"keys of type {self.type} are unknown here")

    @property
    def key_id(self) -> bytes:
        """``SHA-256( name ‖ 0A ‖ type ‖ key[32] )``, the first four bytes of it."""
        return sha256(self.name.encode(), b"\n", self._typed_key())[:_KEY_ID_BYTES]

    def vkey(self) -> str:
        """The key as text: ``name+key id in hex+base64( type ‖ key[32] )``."""
        return f"{self.name}+{self.key_id.hex()}+{encode_base64(self._typed_key())}"

    def signatures_in(self, note: Note) -> list[NoteSignature]:
        """The lines that claim to be by this key."""
        mine = (self.name, self.key_id)
        return [s for s in note.signatures if (s.name, s.key_id) == mine]

    def _typed_key(self) -> bytes:
        return bytes((self.type,)) + self.key.raw


def parse_vkey(text: str) -> NoteKey:
    """The key of a ``vkey()``. Raises BadNote for every other text."""
    name, _, rest = text.partition("+")
    raw = decode_base64(rest.partition("+")[2])
    if not raw:
        raise BadNote("a key is written as name+hash+base64")
    try:
        key = NoteKey(name, raw[0], PublicKey.parse(raw[1:]))
    except BadKey as error:
        raise BadNote(str(error)) from None
    if key.vkey() != text:
        raise BadNote(f"the hash in the text of {name:.60}'s key is not that key's")
    return key


def parse_note(data: bytes, limit: int = MAX_BYTES) -> Note:
    """The note of these bytes. Raises BadNote; ``limit`` is its greatest size."""
    if len(data) > limit:
        raise BadNote(f"a note has at most {limit} bytes")
    # An empty line stands in the text too: the last one is where the signatures begin.
    above, gap, below = _decode(data).rpartition("\n\n")
    if not gap:
        raise BadNote("no empty line stands before the signatures")
    return Note(above + "\n", _parse_lines(below))


def parse_signature_lines(data: bytes, limit: int = MAX_BYTES) -> tuple[NoteSignature, ...]:
    """Signature lines alone, as a witness answers them. Raises BadNote."""
    if len(data) > limit:
        raise BadNote(f"signature lines have at most {limit} bytes")
    return _parse_lines(_decode(data))


def sign_note(text: str, name: str, key: PrivateKey) -> Note:
    """The text under one Ed25519 signature: over the text itself, its last newline included."""
    _judge_text(text)
    key_id = NoteKey(name, ED25519, key.public).key_id
    return Note(text, (NoteSignature(name, key_id, key.sign(text.encode())),))


def verify_note(note: Note, keys: Sequence[NoteKey]) -> tuple[NoteKey, ...]:
    """Those of the Ed25519 ``keys`` that signed the note, at least one.

    Signatures by others are ignored. Raises BadNote if none is by these keys, or if one
    claims to be and is not.
    """
    signers = []
    for key in keys:
        if key.type != ED25519:
            raise ValueError("a witness's key signs no note by itself")
        signatures = key.signatures_in(note)
        for signature in signatures:
            try:
                key.key.verify(signature.signature, note.text.encode())
            except BadSignature as error:
                raise BadNote(f"signature by {key.name}: {error}") from None
        if signatures:
            signers.append(key)
    if not signers:
        raise BadNote("the note is signed by no key that is asked for")
    return tuple(signers)


def encode_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes:
    """Standard base64 in its one canonical form. Raises BadNote for any other."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise BadNote("this is not base64") from None
    if encode_base64(data) != text:
        raise BadNote("this is not base64 as it is written by everybody")
    return data


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadNote("this is not UTF-8") from None


def _parse_lines(text: str) -> tuple[NoteSignature, ...]:
    if not text.endswith("\n"):
        raise BadNote("the last signature line is not ended")
    if text.count("\n") > MAX_SIGNATURES:
        raise BadNote(f"a note has at most {MAX_SIGNATURES} signatures")
    return tuple(_parse_line(line) for line in text[:-1].split("\n"))


def _parse_line(line: str) -> NoteSignature:
    name, gap, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not gap:
        raise BadNote("a signature line is: em dash, space, name, space, base64")
    raw = decode_base64(encoded)
    return NoteSignature(name, raw[:_KEY_ID_BYTES], raw[_KEY_ID_BYTES:])


def _judge_text(text: str) -> None:
    _judge_characters(text.replace("\n", ""))
    if not text.endswith("\n"):
        raise BadNote("a note's last line is ended")


def _judge_name(name: str) -> None:
    _judge_characters(name)
    # Whatever is a space in any script would let two names look the same.
    if not name or "+" in name or any(character.isspace() for character in name):
        raise BadNote("a key's name is not empty and has neither spaces nor plus signs")


def _judge_characters(text: str) -> None:
    """Refuse control characters and what UTF-8 cannot say."""
    if text and min(text) < " ":
        raise BadNote("a note has no control characters")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadNote("a note is UTF-8") from None
