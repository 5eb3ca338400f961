"""The oracle itself is right: it gives the values that others published for the same things."""

from tests.oracle import ed25519, note, tree
from tests.oracle.primitives import hkdf

unhex = bytes.fromhex


# --- RFC 5869, appendix A.1 and A.3: the first 32 bytes of each output -------------------------


def test_hkdf_gives_the_values_of_rfc_5869() -> None:
    salt, info = bytes(range(13)), bytes(range(0xF0, 0xFA))
    found = hkdf(salt, b"\x0b" * 22, info)
    assert found.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
    found = hkdf(b"", b"\x0b" * 22, b"")
    assert found.hex() == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"


# --- RFC 8032, section 7.1 --------------------------------------------------------------------

# Of each test: secret key, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]


def test_ed25519_gives_the_values_of_rfc_8032() -> None:
    for seed, key, message, signature in RFC_8032:
        assert ed25519.public_key(unhex(seed)).hex() == key
        assert ed25519.sign(unhex(seed), unhex(message)).hex() == signature
        assert ed25519.is_good(unhex(key), unhex(signature), unhex(message))
        assert not ed25519.is_good(unhex(key), unhex(signature), unhex(message) + b"x")


# --- RFC 6962's trees, with the leaves and roots that Certificate Transparency tests with ------

LEAVES = [
    tree.leaf_hash(unhex(data))
    for data in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
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


def test_trees_have_the_roots_of_certificate_transparency() -> None:
    assert [tree.root(LEAVES[:size]).hex() for size in range(9)] == ROOTS


def test_a_proof_of_inclusion_leads_from_its_leaf_to_the_root_and_from_no_other() -> None:
    for size in range(1, 20):
        leaves = [tree.leaf_hash(bytes([i])) for i in range(size)]
        for index in range(size):
            path = tree.inclusion(leaves, index)
            root = tree.root(leaves)
            assert tree.root_of_inclusion(leaves[index], index, size, path) == root
            assert tree.root_of_inclusion(leaves[index], index, size, [*path, root]) is None
            if path:
                assert tree.root_of_inclusion(leaves[index], index, size, path[1:]) != root
                wrong = tree.root_of_inclusion(leaves[index], (index + 1) % size, size, path)
                assert wrong != root


def test_a_proof_of_consistency_joins_two_sizes_of_one_tree_and_of_no_other() -> None:
    leaves = [tree.leaf_hash(bytes([i])) for i in range(19)]
    forked = [tree.leaf_hash(b"x"), *leaves[1:]]
    for size in range(1, 20):
        new = tree.root(leaves[:size])
        for old in range(1, size + 1):
            proof = tree.consistency(leaves[:size], old)
            assert tree.is_consistent(old, size, tree.root(leaves[:old]), new, proof)
            assert not tree.is_consistent(old, size, tree.root(forked[:old]), new, proof)
            assert not tree.is_consistent(old, size, tree.root(leaves[:old]), new, [*proof, new])


# --- Notes: two keys, and a signature, that are known to everybody who uses Go modules ---------

SUM_DB = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
EXAMPLE = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
SIGNATURE = (
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
)


def test_verifier_keys_are_written_as_known_ones_are() -> None:
    for vkey in (SUM_DB, EXAMPLE):
        name, _, key = vkey.split("+", 2)
        type_, raw = note.unbase64(key)[0], note.unbase64(key)[1:]
        assert note.verifier_key(name, type_, raw) == vkey


def test_a_known_note_is_signed_as_ours_are() -> None:
    _, identity, key = EXAMPLE.split("+", 2)
    data = note.unbase64(SIGNATURE)
    assert data[:4].hex() == identity
    assert ed25519.is_good(note.unbase64(key)[1:], data[4:], TEXT.encode())
