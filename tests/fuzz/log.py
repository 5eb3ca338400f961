"""The public log: notes, keys, checkpoints, proofs, what a witness is asked, and a follower."""

from collections.abc import Iterator
from functools import cache

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.log.checkpoint import parse_checkpoint
from aboveboard_referee.log.cosignature import add_signature, check_cosignatures, cosign
from aboveboard_referee.log.follower import Disagreement, Follower
from aboveboard_referee.log.fork import LogView, find_fork
from aboveboard_referee.log.note import (
    MAX_BYTES,
    BadNote,
    parse_note,
    parse_signature_lines,
    parse_vkey,
)
from aboveboard_referee.log.proofs import BadProof, check_consistency, check_inclusion
from aboveboard_referee.log.tree import Tree
from aboveboard_referee.log.witness import (
    BadRequest,
    Granted,
    WitnessState,
    decide,
    parse_add_checkpoint,
    parse_known_size,
)
from aboveboard_referee.match.transcript import join, split
from tests.fakes.witnesses import NOW_S, WITNESS, WITNESS_KEY, WITNESS_NAME, ForkedLog
from tests.fuzz.mutate import any_bytes, records, text
from tests.fuzz.target import Target
from tests.oracle import note as oracle_note
from tests.oracle import tree as oracle_tree

LOG = ForkedLog()


@cache
def _cosigned(history: str, size: int) -> bytes:
    note = LOG.note(history, size)
    return add_signature(note, cosign(parse_note(note).text, WITNESS, WITNESS_NAME, NOW_S))


# --- Notes ---------------------------------------------------------------------------------------


def note(data: bytes) -> None:
    """A note, which is written as it was read, and the co-signatures below it."""
    assert parse_note(data).to_bytes() == data
    check_cosignatures(data, (WITNESS_KEY,))


def notes() -> Iterator[bytes]:
    yield LOG.note("a", 7)
    yield _cosigned("a", 7)


def checkpoint(data: bytes) -> None:
    """A checkpoint, by the product's reader and by the oracle's."""
    try:
        expected = oracle_note.read_checkpoint(data[: MAX_BYTES + 1])
    except ValueError:
        expected = None
    try:
        opened = parse_note(data)
        found = parse_checkpoint(opened.text)
    except BadNote:
        assert expected is None
        raise
    assert expected is not None
    assert found.text() == expected.text == opened.text
    assert (found.origin, found.size, found.root) == (expected.origin, expected.size, expected.root)
    lines = tuple((s.name, s.key_id, s.signature) for s in opened.signatures)
    assert lines == expected.signatures


def vkey(data: bytes) -> None:
    said = data.decode("utf-8", "surrogateescape")
    assert parse_vkey(said).vkey() == said


def vkeys() -> Iterator[bytes]:
    yield LOG.key.vkey().encode()
    yield WITNESS_KEY.vkey().encode()


def signature_lines(data: bytes) -> None:
    """What a witness answered with its co-signature."""
    lines = parse_signature_lines(data)
    assert "".join(line.line() for line in lines).encode() == data


def granted() -> Iterator[bytes]:
    yield cosign(parse_note(LOG.note("a", 7)).text, WITNESS, WITNESS_NAME, NOW_S).line().encode()


def known_size(data: bytes) -> None:
    """What a witness answered that knows another size."""
    assert f"{parse_known_size(data)}\n".encode() == data


def known_sizes() -> Iterator[bytes]:
    yield b"7\n"


# --- Proofs --------------------------------------------------------------------------------------


def _numbers(data: bytes) -> tuple[int, int, bytes, bytes, list[bytes]]:
    """``u64 u64 hash hash path``: two numbers, two hashes and a path."""
    first, second = int.from_bytes(data[:8], "big"), int.from_bytes(data[8:16], "big")
    rest = [data[at : at + HASH_BYTES] for at in range(16, len(data), HASH_BYTES)]
    one, other = (rest[i] if len(rest) > i else b"" for i in (0, 1))
    return first, second, one, other, rest[2:]


def _proof(first: int, second: int, *hashes: bytes) -> bytes:
    return first.to_bytes(8, "big") + second.to_bytes(8, "big") + b"".join(hashes)


def inclusion(data: bytes) -> None:
    """A proof of inclusion, whose root the oracle comes to as well."""
    index, size, leaf, root, path = _numbers(data)
    good = False
    try:
        check_inclusion(leaf, index, size, path, root)
        good = True
    finally:
        if size < 2**20 and len(path) < 64 and all(len(h) == HASH_BYTES for h in (leaf, *path)):
            assert good == (oracle_tree.root_of_inclusion(leaf, index, size, path) == root)


def inclusions() -> Iterator[bytes]:
    tree = LOG.trees["a"]
    for index, size in ((0, 1), (5, 7), (39, 40), (3, 32)):
        yield _proof(index, size, tree.leaf(index), tree.root(size), *tree.inclusion(index, size))


def consistency(data: bytes) -> None:
    """A proof of consistency, which the oracle takes or refuses as well."""
    old, new, old_root, new_root, path = _numbers(data)
    good = False
    try:
        check_consistency(old, old_root, new, new_root, path)
        good = True
    finally:
        whole = all(len(h) == HASH_BYTES for h in (old_root, new_root, *path))
        if new < 2**20 and len(path) < 64 and whole and old != 0:
            assert good == oracle_tree.is_consistent(old, new, old_root, new_root, path)


def consistencies() -> Iterator[bytes]:
    tree = LOG.trees["a"]
    for old, new in ((3, 7), (32, 40), (39, 40), (1, 2)):
        yield _proof(old, new, tree.root(old), tree.root(new), *tree.consistency(old, new))


# --- Witnesses -----------------------------------------------------------------------------------


def request(data: bytes) -> None:
    """A request to a witness, which grants or refuses it."""
    asked = parse_add_checkpoint(data)
    assert asked.to_bytes() == data
    tree = LOG.trees["a"]
    state = WitnessState(7, tree.root(7), LOG.note("a", 7))
    decided = decide(asked, state, LOG.key, WITNESS, WITNESS_NAME, NOW_S)
    if isinstance(decided, Granted):
        assert decided.new_state.root == tree.root(decided.new_state.size)


def requests() -> Iterator[bytes]:
    yield LOG.request("a", 7, 40)
    yield LOG.request("b", 7, 40)
    yield LOG.request("a", 0, 9)


# --- Followers -----------------------------------------------------------------------------------


def follower(data: bytes) -> None:
    """Records as news of a log: leaf hashes and a note by turns, each claimed by another.

    A follower takes them or disagrees, and what it then hands on can be looked at.
    """
    follows = Follower(LOG.origin, LOG.private.public, (WITNESS_KEY,), 1)
    items = split(data)[:32]
    try:
        for hashes, said in zip(items[::2], items[1::2]):
            follows.news(follows.size, hashes, said)
            follows.claim(said)
    except Disagreement as error:
        find_fork((error.view, follows.view()), LOG.origin, LOG.private.public)
        raise


def news() -> Iterator[bytes]:
    tree = LOG.trees["a"]
    parts = []
    for old, size in ((0, 3), (3, 7), (7, 8)):
        parts += [tree.hashes(old, size), _cosigned("a", size)]
    yield join(parts)


def fork(data: bytes) -> None:
    """Records as what two holders kept: leaf hashes, then checkpoints, and the other's."""
    items = split(data)[:40]
    half = len(items) // 2
    views = [LogView(part[1:], part[0]) for part in (items[:half], items[half:]) if part]
    found = find_fork(views, LOG.origin, LOG.private.public)
    if found is not None and found.leaf_hashes:
        hashes = found.leaf_hashes
        tree = Tree(hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES))
        assert tree.root() == found.second.checkpoint.root
        assert tree.root(found.first.checkpoint.size) != found.first.checkpoint.root


def forks() -> Iterator[bytes]:
    for sizes in ((7, 9), (9, 9), (6, 40)):
        parts = []
        for history, size in zip("ab", sizes, strict=True):
            parts += [LOG.trees[history].hashes(0, size), LOG.note(history, size)]
        yield join(parts)


def logged(data: bytes) -> None:
    """Records as what shows a leaf to be in the log: index, its data, a path, a checkpoint."""
    index, leaf, path, said = (*split(data)[:4], b"", b"", b"", b"")[:4]
    hashes = [path[at : at + HASH_BYTES] for at in range(0, len(path), HASH_BYTES)]
    follows = Follower(LOG.origin, LOG.private.public)
    held = follows.check_logged(leaf, int.from_bytes(index, "big"), hashes, said)
    assert held.size > int.from_bytes(index, "big")


def logs() -> Iterator[bytes]:
    tree = LOG.trees["a"]
    path = b"".join(tree.inclusion(3, 7))
    yield join([b"\3", b"3", path, LOG.note("a", 7)])


TARGETS = (
    Target("note", note, (BadNote,), notes, text),
    Target("note-believed", note, (BadNote,), notes, text, True),
    Target("checkpoint", checkpoint, (BadNote,), notes, text),
    Target("vkey", vkey, (BadNote,), vkeys, text),
    Target("signature-lines", signature_lines, (BadNote,), granted, text),
    Target("known-size", known_size, (BadNote,), known_sizes, text),
    Target("inclusion", inclusion, (BadProof,), inclusions, any_bytes),
    Target("consistency", consistency, (BadProof,), consistencies, any_bytes),
    Target("witness-request", request, (BadRequest,), requests, text),
    Target("witness-request-believed", request, (BadRequest,), requests, text, True),
    Target("news", follower, (Refused, Disagreement), news, records),
    Target("news-believed", follower, (Refused, Disagreement), news, records, True),
    Target("fork", fork, (Refused,), forks, records),
    Target("fork-believed", fork, (Refused,), forks, records, True),
    Target("logged", logged, (Refused, Disagreement), logs, records, True),
)
