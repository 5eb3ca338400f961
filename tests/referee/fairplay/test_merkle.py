"""RFC 6962 trees against the recursion that the RFC defines them by."""

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.merkle import Tree, path, root, root_from_path


def h(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


LEAVES = [h(b"\0" + bytes([i])) for i in range(130)]


def split(n: int) -> int:
    return 1 << (n - 1).bit_length() - 1


def rfc_root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return h(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return h(b"\x01" + rfc_root(leaves[:k]) + rfc_root(leaves[k:]))


def rfc_path(index: int, leaves: Sequence[bytes]) -> tuple[bytes, ...]:
    if len(leaves) == 1:
        return ()
    k = split(len(leaves))
    if index < k:
        return (*rfc_path(index, leaves[:k]), rfc_root(leaves[k:]))
    return (*rfc_path(index - k, leaves[k:]), rfc_root(leaves[:k]))


def test_roots_are_those_of_certificate_transparency() -> None:
    data = [
        b"",
        b"\x00",
        b"\x10",
        b"\x20\x21",
        b"\x30\x31",
        b"\x40\x41\x42\x43",
        bytes(range(0x50, 0x58)),
        bytes(range(0x60, 0x70)),
    ]
    leaves = [h(b"\0" + entry) for entry in data]
    assert [root(leaves[:n]).hex() for n in range(9)] == [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]


@pytest.mark.parametrize("n", [*range(1, 20), 52, 64, 65, 104, 120])
def test_a_tree_is_the_one_of_the_rfc(n: int) -> None:
    leaves = LEAVES[:n]
    tree = Tree(leaves)
    assert tree.size == n
    assert tree.root == rfc_root(leaves)
    for index in range(n):
        assert tree.path(index) == rfc_path(index, leaves) == path(leaves, index)
        assert root_from_path(index, n, leaves[index], tree.path(index)) == tree.root


@settings(derandomize=True, deadline=None, max_examples=200)
@given(data=st.data(), n=st.integers(1, 130))
def test_a_path_leads_to_the_root_for_its_own_leaf_index_and_length_alone(
    data: st.DataObject, n: int
) -> None:
    tree = Tree(LEAVES[:n])
    index = data.draw(st.integers(0, n - 1))
    other = data.draw(st.integers(0, n - 1))
    own = tree.path(index)
    for changed in (own[:-1], own[1:], (*own, own[0] if own else LEAVES[0])):
        if changed != own:
            assert root_from_path(index, n, LEAVES[index], changed) is None
    if other != index:
        assert root_from_path(other, n, LEAVES[index], own) != tree.root
        assert root_from_path(index, n, LEAVES[other], own) != tree.root
    for at in range(len(own)):
        altered = (*own[:at], h(own[at]), *own[at + 1 :])
        assert root_from_path(index, n, LEAVES[index], altered) != tree.root


@pytest.mark.parametrize(("index", "size"), [(-1, 4), (4, 4), (5, 4), (0, 0), (0, -1)])
def test_a_leaf_outside_the_tree_has_no_root(index: int, size: int) -> None:
    assert root_from_path(index, size, LEAVES[0], ()) is None
    if size >= 0:
        with pytest.raises(IndexError):
            Tree(LEAVES[:size]).path(index)
