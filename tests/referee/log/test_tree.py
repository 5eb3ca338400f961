"""The log's tree against the recursion that RFC 6962 defines it by."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.log.tree import EMPTY_ROOT, Tree, leaf_hash, node_hash, split_hashes
from tests.referee.log.support import (
    CT_DATA,
    h,
    leaves,
    naive_consistency,
    naive_inclusion,
    naive_root,
)

LEAVES = leaves(0, 300)
TREE = Tree(LEAVES)

CT_ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def test_leaves_and_nodes_are_hashed_in_domains_of_their_own() -> None:
    assert leaf_hash(b"data") == h(b"\0data")
    assert node_hash(LEAVES[0], LEAVES[1]) == h(b"\1" + LEAVES[0] + LEAVES[1])
    assert h(b"") == EMPTY_ROOT


def test_roots_of_every_size_are_those_of_certificate_transparency() -> None:
    tree = Tree(map(leaf_hash, CT_DATA))
    assert tuple(tree.root(n).hex() for n in range(9)) == CT_ROOTS
    assert tree.root().hex() == CT_ROOTS[8]


@pytest.mark.parametrize(
    ("index", "size", "path"),
    [
        (0, 1, []),
        (
            0,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (
            5,
            8,
            [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
        (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
        (
            1,
            5,
            [
                "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ],
        ),
    ],
)
def test_inclusion_proofs_are_those_of_certificate_transparency(
    index: int, size: int, path: list[str]
) -> None:
    tree = Tree(map(leaf_hash, CT_DATA))
    assert [node.hex() for node in tree.inclusion(index, size)] == path


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        (1, 1, []),
        (
            1,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (
            6,
            8,
            [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
        (
            2,
            5,
            [
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ],
        ),
    ],
)
def test_consistency_proofs_are_those_of_certificate_transparency(
    old: int, new: int, path: list[str]
) -> None:
    tree = Tree(map(leaf_hash, CT_DATA))
    assert [node.hex() for node in tree.consistency(old, new)] == path


@pytest.mark.parametrize("size", range(71))
def test_roots_and_proofs_of_every_small_size_are_the_ones_of_the_rfc(size: int) -> None:
    first = LEAVES[:size]
    assert TREE.root(size) == Tree(first).root() == naive_root(first)
    for index in range(size):
        assert TREE.inclusion(index, size) == naive_inclusion(index, first)
    assert TREE.consistency(0, size) == []
    for old in range(1, size + 1):
        assert TREE.consistency(old, size) == naive_consistency(old, first)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.data())
def test_roots_and_proofs_of_larger_sizes_are_the_ones_of_the_rfc(data: st.DataObject) -> None:
    size = data.draw(st.integers(71, 300))
    index = data.draw(st.integers(0, size - 1))
    assert TREE.root(size) == naive_root(LEAVES[:size])
    assert TREE.inclusion(index, size) == naive_inclusion(index, LEAVES[:size])
    assert TREE.consistency(index + 1, size) == naive_consistency(index + 1, LEAVES[:size])


def test_leaves_come_back_as_they_were_appended() -> None:
    tree = Tree()
    assert [tree.append(leaf) for leaf in LEAVES[:20]] == list(range(20))
    tree.extend(LEAVES[20:30])
    assert tree.size == 30
    assert [tree.leaf(index) for index in range(30)] == LEAVES[:30]
    assert tree.hashes(3, 7) == b"".join(LEAVES[3:7])
    assert tree.hashes(30, 30) == b""
    assert list(split_hashes(tree.hashes(0, 30))) == LEAVES[:30]


def test_earlier_roots_stay_while_the_tree_grows() -> None:
    tree, roots = Tree(), []
    for leaf in LEAVES[:70]:
        roots.append(tree.root())
        tree.append(leaf)
        assert [tree.root(size) for size in range(tree.size)] == roots


def test_a_leaf_is_found_where_it_stands_first() -> None:
    tree = Tree([*LEAVES[:5], LEAVES[2], LEAVES[7]])
    assert [tree.find(LEAVES[index]) for index in (0, 2, 4, 7, 9)] == [0, 2, 4, 6, None]


def test_a_hash_across_two_leaves_is_not_found() -> None:
    # Half of one leaf and half of the next, then the same bytes as a leaf of their own.
    one, other = bytes(32), bytes([1]) * 32
    across = one[:16] + other[:16]
    assert Tree([one, other]).find(across) is None
    assert Tree([one, other, across]).find(across) == 2
    assert Tree([other, one, one]).find(one) == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda tree: tree.root(6),
        lambda tree: tree.root(-1),
        lambda tree: tree.leaf(5),
        lambda tree: tree.leaf(-1),
        lambda tree: tree.hashes(2, 6),
        lambda tree: tree.hashes(3, 2),
        lambda tree: tree.hashes(-1, 2),
        lambda tree: tree.inclusion(5),
        lambda tree: tree.inclusion(3, 3),
        lambda tree: tree.inclusion(-1),
        lambda tree: tree.inclusion(0, 6),
        lambda tree: tree.consistency(4, 3),
        lambda tree: tree.consistency(-1),
        lambda tree: tree.consistency(1, 6),
        lambda tree: tree.append(bytes(31)),
        lambda tree: tree.find(bytes(33)),
        lambda tree: split_hashes(bytes(33)),
    ],
)
def test_what_a_tree_cannot_have_is_a_wrong_argument(ask: Callable[[Tree], object]) -> None:
    tree = Tree(LEAVES[:5])
    with pytest.raises(ValueError, match=r"\d"):
        ask(tree)
    assert tree.root() == naive_root(LEAVES[:5])
