"""The product's public log computes the vectors, and judges proofs and notes like the oracle."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.checkpoint import (
    Checkpoint,
    log_origin,
    open_checkpoint,
    parse_checkpoint,
    sign_checkpoint,
)
from aboveboard_referee.log.cosignature import add_signature, check_cosignatures, cosign
from aboveboard_referee.log.note import (
    COSIGNATURE,
    ED25519,
    BadNote,
    NoteKey,
    parse_note,
    parse_vkey,
)
from aboveboard_referee.log.proofs import BadProof, check_consistency, check_inclusion
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.log.witness import parse_add_checkpoint
from tests.oracle import note as oracle_note
from tests.oracle import tree as oracle_tree
from tests.oracle.mutations import altered
from tests.oracle.vectors import load

LOG = load("log.json")
unhex = bytes.fromhex
LEAVES = [unhex(leaf["hash"]) for leaf in LOG["leaves"]]
ROOTS = [unhex(root) for root in LOG["roots"]]
CHECKPOINT = LOG["checkpoint"]
ORIGIN = CHECKPOINT["origin"]
KEY = PrivateKey.from_seed(unhex(CHECKPOINT["seed"]))
NOTE = CHECKPOINT["note"].encode()
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 21)


def nodes(path: Sequence[str]) -> list[bytes]:
    return [unhex(node) for node in path]


def holds(check: Callable[..., None], *arguments: Any) -> bool:
    try:
        check(*arguments)
    except BadProof:
        return False
    return True


# --- Tree and proofs --------------------------------------------------------------------------


def test_leaves_and_roots_are_those_of_the_vectors() -> None:
    tree = Tree()
    assert tree.root() == ROOTS[0]
    for number, leaf in enumerate(LOG["leaves"]):
        assert leaf_hash(unhex(leaf["data"])) == LEAVES[number]
        assert tree.append(LEAVES[number]) == number
        assert tree.root() == ROOTS[number + 1]
    assert [tree.root(size) for size in range(tree.size + 1)] == ROOTS


def test_proofs_of_inclusion_are_those_of_the_vectors() -> None:
    tree = Tree(LEAVES)
    for case in LOG["inclusion"]:
        index, size, path = case["index"], case["size"], nodes(case["path"])
        assert tree.inclusion(index, size) == path
        check_inclusion(LEAVES[index], index, size, path, ROOTS[size])


def test_proofs_of_consistency_are_those_of_the_vectors() -> None:
    tree = Tree(LEAVES)
    for case in LOG["consistency"]:
        old, size, proof = case["old"], case["size"], nodes(case["proof"])
        assert tree.consistency(old, size) == proof
        check_consistency(old, ROOTS[old], size, ROOTS[size], proof)


def test_proofs_in_the_largest_logs_hold_as_in_the_vectors() -> None:
    for case in LOG["large"]["inclusion"]:
        place, path = (int(case["index"]), int(case["size"])), nodes(case["path"])
        check_inclusion(unhex(case["leaf"]), *place, path, unhex(case["root"]))
    for case in LOG["large"]["consistency"]:
        old, size, proof = int(case["old"]), int(case["size"]), nodes(case["proof"])
        check_consistency(old, unhex(case["old_root"]), size, unhex(case["root"]), proof)


def worse(path: list[bytes], random: Random) -> list[bytes]:
    """The path with one thing done to it; the last of these leave it as it is."""
    at = random.randrange(len(path) + 1)
    match random.randrange(6):
        case 0:
            return path[:at] + path[at + 1 :]
        case 1:
            return [*path[:at], random.choice(LEAVES + ROOTS), *path[at:]]
        case 2:
            return path[:at] + path[at : at + 2][::-1] + path[at + 2 :]
        case 3 if path:
            return [bytes([node[0] ^ (i == at)]) + node[1:] for i, node in enumerate(path)]
        case 4:
            return path[::-1]
        case _:
            return path


def test_product_and_oracle_take_and_refuse_the_same_proofs_of_inclusion() -> None:
    random, taken = Random("inclusion"), 0
    for size, claimed in product(SIZES, SIZES):
        for index in range(size):
            path = worse(oracle_tree.inclusion(LEAVES[:size], index), random)
            at = random.choice([index, index, index ^ 1, random.randrange(claimed + 2)])
            found = oracle_tree.root_of_inclusion(LEAVES[index], at, claimed, path)
            good = found == ROOTS[size]
            arguments = (LEAVES[index], at, claimed, path, ROOTS[size])
            assert holds(check_inclusion, *arguments) == good
            taken += good
    assert taken > 20


def test_product_and_oracle_take_and_refuse_the_same_proofs_of_consistency() -> None:
    random, taken = Random("consistency"), 0
    for size, claimed, said in product(SIZES, SIZES, (0, *SIZES)):
        old = random.randrange(size + 1)
        proof = worse(oracle_tree.consistency(LEAVES[:size], old), random)
        said = random.choice([old, said])
        roots = (ROOTS[random.choice([old, old, said])], ROOTS[size])
        good = oracle_tree.is_consistent(said, claimed, *roots, proof)
        assert holds(check_consistency, said, roots[0], claimed, roots[1], proof) == good
        taken += good
    assert taken > 20


# --- Notes ------------------------------------------------------------------------------------


def test_a_checkpoint_is_signed_as_in_the_vectors() -> None:
    assert log_origin(unhex(CHECKPOINT["tournament_id"])) == ORIGIN
    checkpoint = Checkpoint(ORIGIN, CHECKPOINT["size"], ROOTS[CHECKPOINT["size"]])
    assert checkpoint.text() == CHECKPOINT["text"]
    assert sign_checkpoint(checkpoint, KEY) == NOTE
    assert open_checkpoint(NOTE, ORIGIN, KEY.public) == checkpoint
    empty = Checkpoint(ORIGIN, 0, ROOTS[0])
    assert sign_checkpoint(empty, KEY) == LOG["empty_checkpoint"].encode()


def test_keys_are_written_and_identified_as_in_the_vectors() -> None:
    key = NoteKey(ORIGIN, ED25519, KEY.public)
    assert (key.key_id.hex(), key.vkey()) == (CHECKPOINT["key_id"], CHECKPOINT["vkey"])
    assert parse_vkey(CHECKPOINT["vkey"]) == key
    for witness in LOG["witnesses"]:
        public = PrivateKey.from_seed(unhex(witness["seed"])).public
        key = NoteKey(witness["name"], COSIGNATURE, public)
        assert key.vkey() == witness["vkey"]
        assert parse_vkey(witness["vkey"]) == key


def test_witnesses_cosign_as_in_the_vectors() -> None:
    cosigned = NOTE
    for witness in LOG["witnesses"]:
        key = PrivateKey.from_seed(unhex(witness["seed"]))
        signature = cosign(CHECKPOINT["text"], key, witness["name"], int(witness["time"]))
        assert signature.line() == witness["line"]
        cosigned = add_signature(cosigned, signature)
    assert cosigned == LOG["cosigned"].encode()
    keys = [parse_vkey(witness["vkey"]) for witness in LOG["witnesses"]]
    times = {witness["name"]: int(witness["time"]) for witness in LOG["witnesses"]}
    assert check_cosignatures(cosigned, keys) == times


def test_the_oracle_verifies_what_the_product_signs() -> None:
    found = oracle_note.read_checkpoint(LOG["cosigned"].encode())
    assert found.signed_well_by(ORIGIN, KEY.public.raw)
    for witness in LOG["witnesses"]:
        key = PrivateKey.from_seed(unhex(witness["seed"])).public.raw
        assert found.cosigned_well_by(witness["name"], key) == int(witness["time"])
        assert found.cosigned_well_by(witness["name"], KEY.public.raw) is None
    assert not found.signed_well_by("another", KEY.public.raw)


def test_a_request_to_a_witness_is_written_as_in_the_vectors() -> None:
    case = LOG["add_checkpoint"]
    request = parse_add_checkpoint(case["body"].encode())
    assert request.old_size == case["old"]
    assert list(request.proof) == oracle_tree.consistency(LEAVES, case["old"])
    assert request.note == NOTE
    assert request.to_bytes() == case["body"].encode()


@pytest.mark.parametrize("case", LOG["not_checkpoints"], ids=lambda case: case["what"])
def test_what_is_no_checkpoint_is_refused(case: dict[str, str]) -> None:
    assert read_by_product(unhex(case["bytes"])) is None
    assert read_by_oracle(unhex(case["bytes"])) is None


Read = tuple[str, str, int, bytes, tuple[str, ...], tuple[tuple[str, bytes, bytes], ...]]


def read_by_product(data: bytes) -> Read | None:
    try:
        note = parse_note(data)
        found = parse_checkpoint(note.text)
    except BadNote:
        return None
    signatures = tuple((s.name, s.key_id, s.signature) for s in note.signatures)
    return note.text, found.origin, found.size, found.root, found.extensions, signatures


def read_by_oracle(data: bytes) -> Read | None:
    try:
        found = oracle_note.read_checkpoint(data)
    except ValueError:
        return None
    return (
        found.text,
        found.origin,
        found.size,
        found.root,
        found.extensions,
        found.signatures,
    )


EXTENDED = (
    CHECKPOINT["text"] + "one more line\n" + "— another \n" + "\n" + LOG["witnesses"][0]["line"]
)


def test_product_and_oracle_take_and_refuse_the_same_notes() -> None:
    random, taken = Random("notes"), 0
    for data in (
        NOTE,
        LOG["cosigned"].encode(),
        LOG["empty_checkpoint"].encode(),
        EXTENDED.encode(),
    ):
        assert read_by_product(data) == read_by_oracle(data) is not None
        for at in range(len(data)):
            for bit in range(8):
                flipped = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
                assert read_by_product(flipped) == read_by_oracle(flipped), flipped
        for _ in range(500):
            changed = altered(data, random)
            found = read_by_oracle(changed)
            assert read_by_product(changed) == found, changed
            taken += found is not None
    assert taken > 20
