"""Signed notes: known ones, what is refused of them, and their one encoding."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.note import (
    COSIGNATURE,
    ED25519,
    BadNote,
    Note,
    NoteKey,
    NoteSignature,
    parse_note,
    parse_signature_lines,
    parse_vkey,
    sign_note,
    verify_note,
)
from tests.referee.log.support import LOG, STRANGER

# Keys and signatures of golang.org/x/mod/sumdb/note's own tests.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_SECRET = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
PETER_LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXg"
    "KvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
ENOCH_LINE = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01"
    "oOTGwnWLox33WWd1RvMc+QQ=\n"
)
PETER_NOTE = f"{TEXT}\n{PETER_LINE}".encode()

# A tree head of the Go checksum database, as it was published.
GO_SUM = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
GO_SUM_NOTE = (
    "go.sum database tree\n"
    "49189689\n"
    "ftjbAOzaupaIvaPo/G+Dk63nxOZ2s1OPOKIaPtXs7S4=\n"
    "\n"
    "— sum.golang.org Az3grlKZssqRoMNPpZfKt0TphbbcF+pzXqElURJKRNFKfaUAgqeI5k2AORH0QAhg"
    "/ebRwyIqD/OqP4oLtLnNumvOBAM=\n"
).encode()

# The specification's example, whose text has an empty line and letters beyond ASCII.
POEM_NOTE = (
    "Ognuno sta solo sul cuor della terra\n"
    "trafitto da un raggio di sole:\n"
    "\n"
    "ed è subito sera.\n"
    "\n"
    "— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9o"
    "JKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n"
).encode()


@pytest.mark.parametrize("text", [PETER, ENOCH, GO_SUM])
def test_known_keys_are_read_and_written_as_they_are_known(text: str) -> None:
    key = parse_vkey(text)
    assert key.type == ED25519
    assert key.vkey() == text
    assert f"{key.name}+{key.key_id.hex()}+" == text[: len(key.name) + 10]


def test_a_known_text_gets_its_known_signature() -> None:
    secret = PrivateKey.from_seed(base64.b64decode(PETER_SECRET)[1:])
    assert sign_note(TEXT, "PeterNeumann", secret).to_bytes() == PETER_NOTE


@pytest.mark.parametrize(("note", "key"), [(PETER_NOTE, PETER), (GO_SUM_NOTE, GO_SUM)])
def test_known_notes_verify(note: bytes, key: str) -> None:
    opened = parse_note(note)
    assert verify_note(opened, [parse_vkey(key)]) == (parse_vkey(key),)
    assert opened.to_bytes() == note


def test_a_text_may_have_empty_lines_and_any_letters() -> None:
    note = parse_note(POEM_NOTE)
    assert note.text.endswith("sole:\n\ned è subito sera.\n")
    assert [s.name for s in note.signatures] == ["quasimodo.example/salvatore"]
    assert note.to_bytes() == POEM_NOTE


def test_signatures_by_others_are_ignored() -> None:
    note = parse_note(f"{TEXT}\n{ENOCH_LINE}{PETER_LINE}".encode())
    peter, enoch = parse_vkey(PETER), parse_vkey(ENOCH)
    assert verify_note(note, [peter]) == (peter,)
    assert verify_note(note, [enoch]) == (enoch,)
    assert verify_note(note, [peter, enoch]) == (peter, enoch)
    with pytest.raises(BadNote, match="no key that is asked for"):
        verify_note(note, [NoteKey("PeterNeumann", ED25519, LOG.public)])
    with pytest.raises(BadNote, match="no key that is asked for"):
        verify_note(note, [NoteKey("Another", ED25519, peter.key)])
    with pytest.raises(BadNote, match="no key that is asked for"):
        verify_note(note, [])


def test_a_wrong_signature_in_a_known_name_spoils_the_note() -> None:
    peter = parse_vkey(PETER)
    genuine = parse_note(PETER_NOTE).signatures[0]
    forged = NoteSignature(genuine.name, genuine.key_id, LOG.sign(TEXT.encode()))
    with pytest.raises(BadNote, match="PeterNeumann"):
        verify_note(Note(TEXT, (forged,)), [peter])
    with pytest.raises(BadNote, match="PeterNeumann"):
        verify_note(Note(TEXT, (genuine, forged)), [peter])
    with pytest.raises(BadNote, match="64 bytes"):
        verify_note(Note(TEXT, (NoteSignature(genuine.name, genuine.key_id, b"x"),)), [peter])


def test_a_witness_key_signs_no_note_by_itself() -> None:
    witness = NoteKey("w", COSIGNATURE, STRANGER.public)
    line = NoteSignature("w", witness.key_id, STRANGER.sign(TEXT.encode()))
    with pytest.raises(ValueError, match="witness"):
        verify_note(Note(TEXT, (line,)), [witness])


def test_one_key_has_another_id_for_each_name_and_type() -> None:
    keys = [
        NoteKey(name, type_, LOG.public) for name in ("a", "b") for type_ in (ED25519, COSIGNATURE)
    ]
    assert len({key.key_id for key in keys}) == 4
    assert [parse_vkey(key.vkey()) for key in keys] == keys


def test_no_part_and_no_neighbour_of_a_key_is_a_key() -> None:
    for start in range(len(PETER)):
        for end in range(start + 1, len(PETER) + 1):
            if end - start < len(PETER):
                with pytest.raises(BadNote):
                    parse_vkey(PETER[start:end])
    for at, character in enumerate(PETER):
        for other in {chr(ord(character) + 1), character.swapcase(), " ", "\n", "é"}:
            if other != character:
                with pytest.raises(BadNote):
                    parse_vkey(PETER[:at] + other + PETER[at + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        "++",
        "PeterNeumann+c74f20a3",
        # A key too long and a type unknown, each under its right hash.
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW=",
        "PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter\ud800+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        # The neutral point, which has a signature that fits every message.
        "PeterNeumann+efd4a34a+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ],
)
def test_what_is_almost_a_key_is_none(text: str) -> None:
    with pytest.raises(BadNote):
        parse_vkey(text)


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b"\n",
        b"\n\n",
        TEXT.encode(),
        f"{TEXT}\n".encode(),
        f"{TEXT}{PETER_LINE}".encode(),
        f"\n{PETER_LINE}".encode(),
        f"{TEXT}\n{PETER_LINE[:-1]}".encode(),
        f"{TEXT}\n{PETER_LINE}Another line.\n".encode(),
        f"{TEXT}\n{PETER_LINE}\n".encode(),
        f"\x01{TEXT}\n{PETER_LINE}".encode(),
        f"{TEXT}\t\n\n{PETER_LINE}".encode(),
        f"{TEXT}\n{PETER_LINE}".replace("\n", "\r\n").encode(),
        f"{TEXT}\n{PETER_LINE}".encode("utf-16"),
        b"\xff" + PETER_NOTE,
        b"\xed\xa0\x80" + PETER_NOTE,
        b"\xc0\x80" + PETER_NOTE,
        f"{TEXT}\n{PETER_LINE.replace('—', '-')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('— ', '—')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('— ', '—  ')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('Peter', 'Peter ')}".encode(),
        (TEXT + "\n" + PETER_LINE.replace("Peter", "Peter\u2003")).encode(),
        f"{TEXT}\n{PETER_LINE.replace('Peter', 'Peter+')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('PeterNeumann', '')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('AM=', 'AM')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('AM=', 'AN=')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('AM=', 'AM= ')}".encode(),
        f"{TEXT}\n{PETER_LINE.replace('x08g', 'x08-')}".encode(),
        f"{TEXT}\n— PeterNeumann x08goA==\n\n".encode(),
        f"{TEXT}\n— PeterNeumann x08gow==\n".encode(),
        f"{TEXT}\n— PeterNeumann \n".encode(),
        f"{TEXT}\n— PeterNeumann\n".encode(),
    ],
)
def test_what_is_almost_a_note_is_none(note: bytes) -> None:
    with pytest.raises(BadNote):
        parse_note(note)


def test_a_note_has_at_most_a_hundred_signatures() -> None:
    assert len(parse_note(f"{TEXT}\n{PETER_LINE * 100}".encode()).signatures) == 100
    with pytest.raises(BadNote, match="100"):
        parse_note(f"{TEXT}\n{PETER_LINE * 101}".encode())
    with pytest.raises(BadNote, match="100"):
        parse_signature_lines((PETER_LINE * 101).encode())
    line = parse_note(PETER_NOTE).signatures[0]
    for count in (0, 101):
        with pytest.raises(BadNote, match="100"):
            Note(TEXT, (line,) * count)


def test_a_note_is_no_larger_than_its_limit() -> None:
    assert parse_note(PETER_NOTE, limit=len(PETER_NOTE)).text == TEXT
    with pytest.raises(BadNote, match="bytes"):
        parse_note(PETER_NOTE, limit=len(PETER_NOTE) - 1)
    with pytest.raises(BadNote, match="65536"):
        parse_note(b"x" * 65537)
    with pytest.raises(BadNote, match="65536"):
        parse_signature_lines(b"x" * 65537)
    lines = PETER_LINE.encode()
    assert len(parse_signature_lines(lines, limit=len(lines))) == 1


def test_a_signature_has_an_id_of_four_bytes_and_is_not_empty() -> None:
    for key_id, signature in ((b"abc", b"x"), (b"abcde", b"x"), (b"abcd", b"")):
        with pytest.raises(BadNote):
            NoteSignature("name", key_id, signature)


def test_nothing_is_signed_that_would_be_no_note() -> None:
    for text in ("", "no end", "a tab\t\n", "half a pair \ud800\n"):
        with pytest.raises(BadNote):
            sign_note(text, "name", LOG)
    for name in ("", "a b", "a+b", "a\u2003b", "a\n", "\udc00"):
        with pytest.raises(BadNote):
            sign_note(TEXT, name, LOG)


def test_every_single_bit_of_a_note_counts() -> None:
    key = parse_vkey(PETER)
    for at in range(len(PETER_NOTE)):
        for bit in range(8):
            changed = bytearray(PETER_NOTE)
            changed[at] ^= 1 << bit
            with pytest.raises(BadNote):
                verify_note(parse_note(bytes(changed)), [key])


NAMES = st.text(min_size=1, max_size=12).filter(
    lambda name: (
        "+" not in name
        and not any(c.isspace() or c < " " or "\ud800" <= c <= "\udfff" for c in name)
    )
)
TEXTS = st.text(max_size=60).map(
    lambda text: "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff") + "\n"
)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4), names=st.lists(NAMES, min_size=1, max_size=3))
def test_a_note_is_read_as_it_was_written(texts: list[str], names: list[str]) -> None:
    text = "".join(texts)
    lines = tuple(line for name in names for line in sign_note(text, name, LOG).signatures)
    note = Note(text, lines)
    assert parse_note(note.to_bytes()) == note
    keys = [NoteKey(name, ED25519, LOG.public) for name in names]
    assert verify_note(parse_note(note.to_bytes()), keys) == tuple(keys)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.data())
def test_whatever_is_read_as_a_note_is_written_as_the_same_bytes(data: st.DataObject) -> None:
    pieces = st.sampled_from(
        [TEXT, "\n", "\n\n", PETER_LINE, ENOCH_LINE, "— ", " ", "é", "x08go/ZJ", "=", "\0", "+"]
    )
    text = "".join(data.draw(st.lists(pieces, max_size=8)))
    try:
        note = parse_note(text.encode())
    except BadNote:
        return
    assert note.to_bytes() == text.encode()


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.binary(max_size=200), st.text(max_size=100))
def test_nothing_but_bad_note_comes_of_any_bytes(data: bytes, text: str) -> None:
    for read in (
        lambda: parse_note(data),
        lambda: parse_note(TEXT.encode() + b"\n" + data),
        lambda: parse_signature_lines(data),
        lambda: parse_vkey(text),
        lambda: parse_vkey("PeterNeumann+" + text),
    ):
        with pytest.raises(BadNote):
            read()
