"""The product and the oracle take and refuse the same keys in text, requests and files."""

from random import Random

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.log.checkpoint import parse_checkpoint
from aboveboard_referee.log.note import BadNote, parse_note, parse_vkey
from aboveboard_referee.log.witness import BadRequest, parse_add_checkpoint
from aboveboard_referee.match.transcript import join, split
from tests.oracle import ed25519, note, records
from tests.oracle.mutations import altered
from tests.oracle.vectors import load

LOG, MATCH = load("log.json"), load("match.json")
VKEYS = [LOG["checkpoint"]["vkey"], *(witness["vkey"] for witness in LOG["witnesses"])]
REQUEST = LOG["add_checkpoint"]["body"].encode()
FILE = records.join(bytes.fromhex(record["envelope"]) for record in MATCH["records"])


# --- Keys -------------------------------------------------------------------------------------

Key = tuple[str, int, bytes]


def key_by_product(text: str) -> Key | None:
    try:
        found = parse_vkey(text)
    except BadNote:
        return None
    return found.name, found.type, found.key.raw


def key_by_oracle(text: str) -> Key | None:
    try:
        return note.read_verifier_key(text)
    except ValueError:
        return None


def test_both_read_the_same_keys_in_text() -> None:
    key = ed25519.public_key(bytes(32))
    small = next(iter(ed25519.SMALL_ORDER))
    for text in (*VKEYS, note.verifier_key("x", note.PLAIN, key)):
        assert key_by_product(text) == key_by_oracle(text) is not None
    for name, type_, raw in (
        ("", note.PLAIN, key),
        ("a b", note.PLAIN, key),
        ("a\u2003b", note.PLAIN, key),
        ("a\x1fb", note.PLAIN, key),
        ("x", 2, key),
        ("x", note.PLAIN, small),
        ("x", note.PLAIN, key[:31]),
        ("x", note.PLAIN, key + b"\0"),
    ):
        text = note.verifier_key(name, type_, raw)
        assert key_by_product(text) is key_by_oracle(text) is None


def test_both_judge_altered_keys_in_text_alike() -> None:
    random = Random("vkeys")
    for vkey in VKEYS:
        for _ in range(150):
            text = altered(vkey.encode(), random).decode("utf-8", "ignore")
            assert key_by_product(text) == key_by_oracle(text), text


# --- Requests to a witness --------------------------------------------------------------------

Request = tuple[int, list[bytes], str, int, bytes]


def request_by_product(data: bytes) -> Request | None:
    try:
        found = parse_add_checkpoint(data)
    except BadRequest:
        return None
    opened = parse_note(found.note)
    checkpoint = parse_checkpoint(opened.text)
    return found.old_size, list(found.proof), opened.text, checkpoint.size, checkpoint.root


def request_by_oracle(data: bytes) -> Request | None:
    try:
        old, proof, found = note.read_add_checkpoint(data)
    except ValueError:
        return None
    return old, proof, found.text, found.size, found.root


def test_both_read_the_same_requests_to_a_witness() -> None:
    random, taken = Random("requests"), 0
    assert request_by_product(REQUEST) == request_by_oracle(REQUEST) is not None
    for at in range(len(REQUEST)):
        for bit in range(8):
            flipped = REQUEST[:at] + bytes([REQUEST[at] ^ 1 << bit]) + REQUEST[at + 1 :]
            assert request_by_product(flipped) == request_by_oracle(flipped), flipped
    for _ in range(1_000):
        changed = altered(REQUEST, random)
        found = request_by_oracle(changed)
        assert request_by_product(changed) == found, changed
        taken += found is not None
    assert taken > 5


def test_both_take_proofs_of_63_hashes_and_no_more() -> None:
    checkpoint = LOG["checkpoint"]["note"]
    for length, good in ((0, True), (63, True), (64, False)):
        data = note.add_checkpoint(2**62, [bytes(32)] * length, checkpoint).encode()
        assert (request_by_product(data) is not None) == good
        assert request_by_product(data) == request_by_oracle(data)


# --- Files of records -------------------------------------------------------------------------


def file_by_product(data: bytes) -> list[bytes] | None:
    try:
        return list(split(data))
    except Refused:
        return None


def file_by_oracle(data: bytes) -> list[bytes] | None:
    try:
        return records.split(data)
    except ValueError:
        return None


def test_both_read_and_write_the_same_files_of_records() -> None:
    found = records.split(FILE)
    assert file_by_product(FILE) == found
    assert join(found) == records.join(found) == FILE
    assert file_by_product(b"") == file_by_oracle(b"") == []
    for size in (1, 2**20, 2**20 + 1):
        data = records.join([bytes(size)])
        assert file_by_product(data) == file_by_oracle(data)


def test_both_judge_altered_files_of_records_alike() -> None:
    random = Random("files")
    for at in range(len(FILE) + 1):
        assert file_by_product(FILE[:at]) == file_by_oracle(FILE[:at])
    for _ in range(500):
        data = altered(FILE, random)
        assert file_by_product(data) == file_by_oracle(data)
