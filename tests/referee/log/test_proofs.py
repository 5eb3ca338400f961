"""Proofs are taken when they are right to the last hash, and refused otherwise."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.log.proofs import MAX_SIZE, BadProof, check_consistency, check_inclusion
from aboveboard_referee.log.tree import EMPTY_ROOT, Tree, node_hash
from tests.referee.log.support import h, leaves

LEAVES = leaves(0, 300)
TREE = Tree(LEAVES)
OTHER = h(b"another hash")


def changed_paths(path: Sequence[bytes]) -> Iterator[list[bytes]]:
    """The path with a hash altered, left out, doubled, exchanged or added."""
    for at in range(len(path)):
        yield [*path[:at], OTHER, *path[at + 1 :]]
        yield [*path[:at], *path[at + 1 :]]
        yield [*path[:at], path[at], *path[at:]]
        if at:
            yield [*path[: at - 1], path[at], path[at - 1], *path[at + 1 :]]
    yield [*path, OTHER]
    yield [OTHER, *path]


def refuses_inclusion(*claim: object) -> bool:
    try:
        check_inclusion(*claim)  # type: ignore[arg-type]
    except BadProof:
        return True
    return False


def refuses_consistency(*claim: object) -> bool:
    try:
        check_consistency(*claim)  # type: ignore[arg-type]
    except BadProof:
        return True
    return False


@pytest.mark.parametrize("size", range(1, 71))
def test_every_leaf_of_every_small_log_is_shown_by_its_own_path_alone(size: int) -> None:
    root = TREE.root(size)
    for index in range(size):
        leaf, path = LEAVES[index], TREE.inclusion(index, size)
        check_inclusion(leaf, index, size, path, root)
        for changed in changed_paths(path):
            assert refuses_inclusion(leaf, index, size, changed, root)
        assert refuses_inclusion(OTHER, index, size, path, root)
        assert refuses_inclusion(leaf, index, size, path, OTHER)
        for other in (index - 1, index + 1):
            assert refuses_inclusion(leaf, other, size, path, root)


@pytest.mark.parametrize("new", range(71))
def test_every_growth_of_small_logs_is_shown_by_its_own_path_alone(new: int) -> None:
    new_root = TREE.root(new)
    for old in range(new + 1):
        old_root, path = TREE.root(old), TREE.consistency(old, new)
        check_consistency(old, old_root, new, new_root, path)
        for changed in changed_paths(path):
            assert refuses_consistency(old, old_root, new, new_root, changed)
        assert refuses_consistency(old, OTHER, new, new_root, path)
        # From nothing everything follows; every other growth binds the new root.
        if old or not new:
            assert refuses_consistency(old, old_root, new, OTHER, path)
        if old < new:
            assert refuses_consistency(new, new_root, old, old_root, path)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.data())
def test_proofs_of_larger_logs_hold_until_one_bit_is_another(data: st.DataObject) -> None:
    new = data.draw(st.integers(71, 300))
    index = data.draw(st.integers(0, new - 1))
    old, bit = index + 1, data.draw(st.integers(0, 255))
    inclusion, consistency = TREE.inclusion(index, new), TREE.consistency(old, new)
    check_inclusion(LEAVES[index], index, new, inclusion, TREE.root(new))
    check_consistency(old, TREE.root(old), new, TREE.root(new), consistency)
    at = data.draw(st.integers(0, len(inclusion) - 1))
    assert refuses_inclusion(LEAVES[index], index, new, flipped(inclusion, at, bit), TREE.root(new))
    if consistency:
        at = data.draw(st.integers(0, len(consistency) - 1))
        path = flipped(consistency, at, bit)
        assert refuses_consistency(old, TREE.root(old), new, TREE.root(new), path)


def flipped(path: Sequence[bytes], at: int, bit: int) -> list[bytes]:
    value = int.from_bytes(path[at], "big") ^ 1 << bit
    return [*path[:at], value.to_bytes(32, "big"), *path[at + 1 :]]


@settings(derandomize=True, deadline=None, max_examples=80)
@given(old=st.integers(1, 120), new=st.integers(1, 150), split=st.integers(0, 119))
def test_no_path_joins_two_histories(old: int, new: int, split: int) -> None:
    if not split < old <= new:
        return
    other = Tree([*LEAVES[:split], *leaves(split, new, "b")])
    assert refuses_consistency(old, TREE.root(old), new, other.root(), other.consistency(old))
    assert refuses_consistency(old, TREE.root(old), new, other.root(), TREE.consistency(old, new))


def upwards(leaf: bytes, right: Sequence[bytes]) -> bytes:
    """The root over a leaf that always stands on the left."""
    for node in right:
        leaf = node_hash(leaf, node)
    return leaf


def test_logs_of_the_greatest_size_are_checked_as_quickly_as_small_ones() -> None:
    right = [h(bytes([level])) for level in range(62)]
    half = upwards(LEAVES[0], right)
    check_inclusion(LEAVES[0], 0, 2**62, right, half)
    check_inclusion(LEAVES[0], 0, 2**63 - 1, [*right, OTHER], node_hash(half, OTHER))
    check_consistency(2**62, half, 2**63 - 1, node_hash(half, OTHER), [OTHER])
    # The longest proof that there is: from the second half's first leaf all the way up.
    grown = node_hash(OTHER, upwards(LEAVES[0], right))
    longest = [LEAVES[0], *right, OTHER]
    assert len(longest) == 64
    check_consistency(2**62 + 1, node_hash(OTHER, LEAVES[0]), 2**63 - 1, grown, longest)


def test_no_log_is_larger_than_the_greatest_size() -> None:
    right = [h(bytes([level])) for level in range(63)]
    root = upwards(LEAVES[0], right)
    assert MAX_SIZE == 2**63 - 1
    assert refuses_inclusion(LEAVES[0], 0, 2**63, right, root)
    half = upwards(LEAVES[0], right[:-1])
    assert refuses_consistency(2**62, half, 2**63, root, [right[-1]])


@pytest.mark.parametrize(("size", "other"), [(4, 8), (8, 4), (3, 5), (5, 9), (6, 7), (7, 16)])
def test_a_path_of_another_size_is_refused_even_under_the_root_that_it_leads_to(
    size: int, other: int
) -> None:
    # Whoever signs roots can sign the one that a path of the wrong length leads to.
    for index in range(min(size, other)):
        path, root = TREE.inclusion(index, size), TREE.root(size)
        same_way = len(path) == len(TREE.inclusion(index, other))
        assert same_way or refuses_inclusion(LEAVES[index], index, other, path, root)
        old = index + 1
        path = TREE.consistency(old, size)
        same_way = len(path) == len(TREE.consistency(old, other))
        assert same_way or refuses_consistency(old, TREE.root(old), other, root, path)


def test_a_refused_proof_says_why() -> None:
    for claim, why in (
        ((5, TREE.root(5), 3, TREE.root(3), []), "does not shrink"),
        ((3, TREE.root(3), 5, TREE.root(5), [OTHER] * 65), "65 hashes"),
        ((3, TREE.root(3), 5, TREE.root(5), TREE.consistency(3, 5)[:-1]), "too short"),
        ((3, TREE.root(3), 5, TREE.root(5), [*TREE.consistency(3, 5), OTHER]), "too long"),
        ((3, OTHER, 5, TREE.root(5), TREE.consistency(3, 5)), "root of 3 leaves"),
        ((3, TREE.root(3), 5, OTHER, TREE.consistency(3, 5)), "root of 5 leaves"),
    ):
        with pytest.raises(BadProof, match=why):
            check_consistency(*claim)


@pytest.mark.parametrize(
    "claim",
    [
        (LEAVES[0], 1, 1, [], LEAVES[0]),
        (LEAVES[0], -1, 1, [], LEAVES[0]),
        (LEAVES[0], 0, 0, [], EMPTY_ROOT),
        (LEAVES[0], 0, -1, [], LEAVES[0]),
        (LEAVES[0][:31], 0, 1, [], LEAVES[0][:31]),
        (LEAVES[0], 0, 2, [b""], h(b"\1" + LEAVES[0])),
        (LEAVES[0], 0, 2, [LEAVES[1] + b"x"], h(b"\1" + LEAVES[0] + LEAVES[1] + b"x")),
        (LEAVES[0], 0, MAX_SIZE, [OTHER] * 10_000, OTHER),
    ],
)
def test_claims_that_no_log_can_meet_are_refused(claim: tuple[object, ...]) -> None:
    assert refuses_inclusion(*claim)


@pytest.mark.parametrize(
    "claim",
    [
        (0, OTHER, 0, OTHER, []),
        (0, EMPTY_ROOT, 0, OTHER, []),
        (0, OTHER, 5, TREE.root(5), []),
        (0, EMPTY_ROOT, 5, TREE.root(5), [OTHER]),
        (5, TREE.root(5), 5, OTHER, []),
        (5, TREE.root(5), 5, TREE.root(5), [OTHER]),
        (5, TREE.root(5), 0, EMPTY_ROOT, []),
        (-1, OTHER, 5, TREE.root(5), []),
        (4, TREE.root(4), 8, TREE.root(8), []),
        (3, TREE.root(3), 5, TREE.root(5), []),
        (3, TREE.root(3)[:31], 3, TREE.root(3)[:31], []),
        (1, LEAVES[0], MAX_SIZE, OTHER, [OTHER] * 10_000),
    ],
)
def test_growths_that_no_log_can_have_are_refused(claim: tuple[object, ...]) -> None:
    assert refuses_consistency(*claim)


def test_what_is_wrong_with_a_proof_of_any_number_is_a_line() -> None:
    number = 10**1000
    for index, size in ((number, 3), (0, number)):
        with pytest.raises(BadProof) as error:
            check_inclusion(bytes(32), index, size, (), bytes(32))
        assert len(str(error.value)) < 200
