"""What a backup's reader refuses in a file that somebody made up, and in how little memory."""

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from aboveboard_server.operations.backup_file import (
    FILES_LIMIT,
    MANIFEST,
    MANIFEST_LIMIT,
    SEAL,
    BackedUp,
    BadBackup,
    Manifest,
    check_end,
    pieces,
    read_manifest,
    write_backup,
)
from tests.fakes.memory import peak_of

CONTENT = b"content" * 100


def listing(path: str = "a/b", content: bytes = CONTENT) -> BackedUp:
    return BackedUp(path, len(content), hashlib.sha256(content).hexdigest())


def manifest(*files: BackedUp) -> Manifest:
    return Manifest("2030-01-01T20:00:00Z", "aboveboard", 41, ("r1-b1",), files or (listing(),))


def header(path: str, size: int) -> bytes:
    info = tarfile.TarInfo(path)
    info.size, info.mode = size, 0o600
    return info.tobuf(tarfile.GNU_FORMAT)


def member(path: str, content: bytes) -> bytes:
    return header(path, len(content)) + content + bytes(-len(content) % 512)


def whole() -> bytes:
    out = io.BytesIO()
    write_backup(out, manifest(), [io.BytesIO(CONTENT)])
    return out.getvalue()


def read(data: bytes) -> bytes:
    """All content of a backup that is whole."""
    file = io.BytesIO(data)
    found = read_manifest(file)
    content = b"".join(piece for each in found.files for piece in pieces(file, each))
    check_end(file, found)
    return content


def refuses(data: bytes, why: str) -> None:
    with pytest.raises(BadBackup, match=why):
        read(data)


def said(change: Callable[[dict[str, Any]], object] = lambda _: None) -> bytes:
    """A backup whose manifest says something else."""
    values = json.loads(manifest().to_bytes())
    change(values)
    return member(MANIFEST, json.dumps(values, indent=1).encode() + b"\n")


def test_what_was_written_is_read() -> None:
    assert read(whole()) == CONTENT


# --- Manifests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [MANIFEST_LIMIT + 1, 10 << 30, -1], ids=["one", "much", "less"])
def test_a_manifest_of_no_fit_size_is_not_read(size: int) -> None:
    data = header(MANIFEST, size) + bytes(2 * MANIFEST_LIMIT)
    refuses(data, "its manifest is too long")
    assert peak_of(partial(read_manifest, io.BytesIO(data)), BadBackup) < MANIFEST_LIMIT // 8


NO_MANIFEST = {
    "no JSON": b"{",
    "no text": b"\xff",
    "deep": b"[" * 200_000,
    "a list": b"[]",
    "nothing": b"{}",
    "a word": b'"format"',
}


@pytest.mark.parametrize("what", NO_MANIFEST)
def test_what_is_no_manifest_is_refused(what: str) -> None:
    refuses(member(MANIFEST, NO_MANIFEST[what]), "its manifest cannot be read")


def test_a_manifest_in_other_words_is_refused() -> None:
    refuses(member(MANIFEST, manifest().to_bytes() + b" "), "not as it was written")


def test_another_format_is_told() -> None:
    refuses(said(lambda values: values.update(format=2)), "a backup of format 2, and this reads 1")


def first(values: dict[str, Any], **fields: object) -> None:
    values["files"][0].update(fields)


STRANGE: dict[str, Callable[[dict[str, Any]], object]] = {
    "no files": lambda values: values.pop("files"),
    "files of a word": lambda values: values.update(files="ab"),
    "many files": lambda values: values.update(
        files=[{**values["files"][0], "path": f"f{number}"} for number in range(FILES_LIMIT + 1)]
    ),
    "a path twice": lambda values: values.update(files=values["files"] * 2),
    "a path that is a number": lambda values: first(values, path=5),
    "a path that is a list": lambda values: first(values, path=["a"]),
    "less than nothing": lambda values: first(values, size=-1),
    "a size that is true": lambda values: first(values, size=True),
    "a size in parts": lambda values: first(values, size=700.0),
    "another digest": lambda values: first(values, sha256="A" * 64),
    "no digest": lambda values: first(values, sha256=None),
    "more than that": lambda values: first(values, more=1),
    "leaves of a word": lambda values: values.update(leaves="many"),
    "nothing under way": lambda values: values.update(under_way=None),
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_manifest_that_says_what_cannot_be_is_refused(what: str) -> None:
    refuses(said(STRANGE[what]), "its manifest cannot be read")


# --- What follows it -----------------------------------------------------------------------------


def after(*members: bytes) -> bytes:
    return member(MANIFEST, manifest().to_bytes()) + b"".join(members)


def seal() -> bytes:
    digest = hashlib.sha256(manifest().to_bytes()).hexdigest()
    return member(SEAL, f"{digest}  {MANIFEST}\n".encode())


END = bytes(1024)


def bad_name() -> bytes:
    """A header whose name is no text, with the right sum."""
    block = bytearray(header("a/b", len(CONTENT)))
    block[0] = 0xFF
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + CONTENT + bytes(-len(CONTENT) % 512)


def dirty(block: bytes) -> bytes:
    """The last byte of the padding is no zero."""
    return block[:-1] + b"x"


MADE_UP = {
    "nothing": (after(), "there is something else"),
    "no header": (after(b"x" * 1024), "there is something else"),
    "zeros": (after(bytes(1024)), "there is something else"),
    "a name that is no text": (after(bad_name()), "there is something else"),
    "another file": (after(member("a/c", CONTENT)), "there is something else"),
    "another size": (after(member("a/b", CONTENT[1:])), "another size than its manifest says"),
    "half a file": (after(member("a/b", CONTENT)[:900]), "ends in the middle of a/b"),
    "other bytes": (after(member("a/b", CONTENT[:-1] + b"x")), "its SHA-256 is another"),
    "bytes between": (after(dirty(member("a/b", CONTENT)), seal(), END), "between two files"),
    "no seal": (after(member("a/b", CONTENT), END), "there is something else"),
    "another seal": (
        after(member("a/b", CONTENT), member(SEAL, b"x" * (64 + 3 + len(MANIFEST))), END),
        "its manifest is not what was written",
    ),
    "a short seal": (
        after(member("a/b", CONTENT), member(SEAL, b"x"), END),
        "its manifest is not what was written",
    ),
    "bytes behind the seal": (after(member("a/b", CONTENT), dirty(seal()), END), "between two"),
    "no end": (after(member("a/b", CONTENT), seal()), "does not end where its manifest says"),
    "more than the end": (
        after(member("a/b", CONTENT), seal(), END, b"\0"),
        "does not end where its manifest says",
    ),
}


def test_the_parts_of_these_files_make_a_whole_one() -> None:
    assert after(member("a/b", CONTENT), seal(), END) == whole()


@pytest.mark.parametrize("what", MADE_UP)
def test_a_file_that_is_not_as_it_was_written_is_refused(what: str) -> None:
    refuses(*MADE_UP[what])


# --- Writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT[:-1] + b"x"], ids=["less", "other"])
def test_a_file_that_changes_while_it_is_copied_makes_no_backup(content: bytes) -> None:
    with pytest.raises(BadBackup, match="a/b has changed while it was copied"):
        write_backup(io.BytesIO(), manifest(), [io.BytesIO(content)])
