"""Checkpoints say a log's size and root in one way only, under the log's own key."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.log.checkpoint import (
    Checkpoint,
    log_origin,
    open_checkpoint,
    parse_checkpoint,
    parse_size,
    sign_checkpoint,
)
from aboveboard_referee.log.note import BadNote, sign_note
from aboveboard_referee.log.proofs import MAX_SIZE
from tests.referee.log.support import LOG, ORIGIN, STRANGER, h, signed

ROOT = h(b"root")
SOFA = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"


def test_the_example_of_the_specification_is_read_and_written() -> None:
    checkpoint = parse_checkpoint(SOFA)
    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert checkpoint.root.hex()[:8] == "0ac5186a"
    assert checkpoint.extensions == ()
    assert checkpoint.text() == SOFA


def test_extension_lines_are_kept_and_signed() -> None:
    text = SOFA + "one more\nand another\n"
    checkpoint = parse_checkpoint(text)
    assert checkpoint.extensions == ("one more", "and another")
    assert checkpoint.text() == text
    note = sign_checkpoint(checkpoint, LOG)
    assert open_checkpoint(note, checkpoint.origin, LOG.public) == checkpoint


def test_a_logs_origin_names_its_tournament() -> None:
    assert log_origin(bytes(range(32))) == (
        "aboveboard/tournament/000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    )
    with pytest.raises(ValueError, match="32 bytes"):
        log_origin(b"short")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        SOFA[:-1],
        SOFA + "\n",
        SOFA + "\nextension\n",
        "\n" + SOFA,
        SOFA.removeprefix("example.com/behind-the-sofa"),
        "\n".join(SOFA.split("\n")[:2]) + "\n",
        *(
            SOFA.replace("20852163", size)
            for size in ("", "020852163", "+1", "-1", "1_0", " 1", "1 ", "0x1", "1e3", "٣", "²")
        ),
        SOFA.replace("20852163", str(MAX_SIZE + 1)),
        SOFA.replace("20852163", "9" * 5000),
        *(
            SOFA.replace("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", root)
            for root in (
                "",
                "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I",
                "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=",
                "CsUYapGGPo4dkMgIAUqom_Xajj7h2fB2MPA3j2jxq2I=",
                "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==",
                "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2IA",
            )
        ),
    ],
)
def test_what_is_almost_a_checkpoint_is_none(text: str) -> None:
    with pytest.raises(BadNote):
        parse_checkpoint(text)


def test_sizes_have_one_way_of_being_written() -> None:
    for size in (0, 1, 10, MAX_SIZE):
        assert parse_size(str(size)) == size
    for text in ("00", "01", str(MAX_SIZE + 1), "", "-0"):
        with pytest.raises(BadNote):
            parse_size(text)


@pytest.mark.parametrize(
    ("origin", "size", "root", "extensions"),
    [
        ("", 1, ROOT, ()),
        ("a\nb", 1, ROOT, ()),
        ("a", -1, ROOT, ()),
        ("a", MAX_SIZE + 1, ROOT, ()),
        ("a", 1, ROOT[:31], ()),
        ("a", 1, ROOT, ("",)),
        ("a", 1, ROOT, ("b\nc",)),
    ],
)
def test_no_checkpoint_is_made_that_could_not_be_read(
    origin: str, size: int, root: bytes, extensions: tuple[str, ...]
) -> None:
    with pytest.raises(BadNote):
        Checkpoint(origin, size, root, extensions)


def test_a_checkpoint_is_opened_by_its_origin_and_key_alone() -> None:
    note = signed(7, ROOT)
    assert open_checkpoint(note, ORIGIN, LOG.public) == Checkpoint(ORIGIN, 7, ROOT)
    with pytest.raises(BadNote, match="another log's"):
        open_checkpoint(note, log_origin(h(b"another")), LOG.public)
    with pytest.raises(BadNote, match="no key that is asked for"):
        open_checkpoint(note, ORIGIN, STRANGER.public)
    with pytest.raises(BadNote, match="no key that is asked for"):
        open_checkpoint(signed(7, ROOT, STRANGER), ORIGIN, LOG.public)


def test_the_logs_key_under_another_name_signs_no_checkpoint() -> None:
    note = sign_note(Checkpoint(ORIGIN, 7, ROOT).text(), "another/name", LOG).to_bytes()
    with pytest.raises(BadNote, match="no key that is asked for"):
        open_checkpoint(note, ORIGIN, LOG.public)


def test_a_note_by_the_logs_key_that_is_no_checkpoint_is_refused() -> None:
    with pytest.raises(BadNote, match="three lines"):
        open_checkpoint(sign_note("hello\n", ORIGIN, LOG).to_bytes(), ORIGIN, LOG.public)


def test_every_single_bit_of_a_checkpoint_counts() -> None:
    note = signed(20852163, ROOT)
    for at in range(len(note)):
        changed = bytearray(note)
        changed[at] ^= 1 << at % 8
        with pytest.raises(BadNote):
            open_checkpoint(bytes(changed), ORIGIN, LOG.public)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(
    size=st.integers(0, MAX_SIZE),
    root=st.binary(min_size=32, max_size=32),
    extensions=st.lists(st.text("abc +=é", min_size=1, max_size=9), max_size=3),
)
def test_a_checkpoint_is_read_as_it_was_written(
    size: int, root: bytes, extensions: list[str]
) -> None:
    checkpoint = Checkpoint(ORIGIN, size, root, tuple(extensions))
    assert parse_checkpoint(checkpoint.text()) == checkpoint


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text("a0\n19=+A", max_size=80), st.integers(0, 60))
def test_nothing_but_bad_note_comes_of_any_text(text: str, cut: int) -> None:
    for candidate in (text, SOFA[:cut] + text, SOFA + text):
        try:
            checkpoint = parse_checkpoint(candidate)
        except BadNote:
            continue
        assert checkpoint.text() == candidate
