"""Every value of vectors/fairplay.json, which was computed independently of this code."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from aboveboard_referee.fairplay.chain import Chain, fits, link_before
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.fairplay.deck import (
    Deck,
    draw_order,
    leaf_hash,
    opening_fits,
    shuffle_seed,
    shuffled,
)
from aboveboard_referee.fairplay.envelope import pae, sign, verify_signed
from aboveboard_referee.fairplay.head import GENESIS, match_context, next_head, tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey

V: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "fairplay.json").read_text(encoding="utf-8")
)
unhex = bytes.fromhex
CONTEXT = unhex(V["ctx"])
KEYS = [PrivateKey.from_seed(unhex(seed)) for seed in V["private_keys"]]
LINKS = [[unhex(link) for link in chain] for chain in V["chains"]["values_by_k"]]
HEAD0 = unhex(V["heads"][0]["head"])
SHUFFLES = pytest.mark.parametrize("case", V["shuffles"], ids=lambda case: f"k{case['k']}")


def cards_of(case: dict[str, Any]) -> list[int]:
    return list(range(case["n"])) if case["cards"] == "0..n-1" else case["cards"]


def seat_links_of(case: dict[str, Any]) -> list[bytes | None]:
    k = case["k"]
    return [LINKS[1][k], None if case["seat_1_absent"] else LINKS[2][k]]


def deal(case: dict[str, Any]) -> Deck:
    k = case["k"]
    return Deck.deal(HEAD0, k, cards_of(case), LINKS[0][k], seat_links_of(case))


def test_public_keys_follow_from_private_keys() -> None:
    assert [key.public.raw.hex() for key in KEYS] == V["public_keys"]


def test_tournament_id_and_match_context() -> None:
    tournament = tournament_id(unhex(V["manifest_body"]))
    assert tournament.hex() == V["tournament_id"]
    assert match_context(tournament, V["match"], V["attempt"]).hex() == V["ctx"]


def test_pre_authentication_encoding_and_its_signature() -> None:
    case = V["pae"]
    assert pae(case["type"], unhex(case["body"])).hex() == case["value"]
    signed = sign(case["type"], unhex(case["body"]), KEYS[0])
    assert signed.pae.hex() == case["value"]
    assert signed.signatures == ((KEYS[0].public.raw, unhex(case["signature_by_referee"])),)
    verify_signed(signed, "event", PublicKey.parse(unhex(V["public_keys"][0])))


def test_heads_from_genesis() -> None:
    head = GENESIS
    for case in V["heads"]:
        head = next_head(head, case["type"], unhex(case["body"]))
        assert head.hex() == case["head"]


@pytest.mark.parametrize("party", [0, 1, 2])
def test_every_link_of_a_chain_from_its_end_to_its_tip(party: int) -> None:
    key = KEYS[party].public.raw
    link = unhex(V["chains"]["secrets_v_D"][party])
    for k in range(V["chains"]["D"], 0, -1):
        assert link == LINKS[party][k]
        assert fits(CONTEXT, key, k, link, 0, unhex(V["chains"]["tips"][party]))
        link = link_before(CONTEXT, key, k, link)
    assert link.hex() == V["chains"]["tips"][party] == LINKS[party][0].hex()


def test_a_chain_made_from_a_stored_secret_obeys_the_vectors_link_rule() -> None:
    key = KEYS[0].public.raw
    chain = Chain(bytes(32), CONTEXT, key, V["chains"]["D"])
    for k in range(1, V["chains"]["D"] + 1):
        assert link_before(CONTEXT, key, k, chain.link(k)) == chain.link(k - 1)


@SHUFFLES
def test_seed_and_order_of_a_shuffle(case: dict[str, Any]) -> None:
    k, n = case["k"], case["n"]
    seed = shuffle_seed(HEAD0, LINKS[0][k], seat_links_of(case), k, n)
    assert seed.hex() == case["seed"]
    assert list(shuffled(cards_of(case), seed)) == case["order"]


@SHUFFLES
def test_salts_leaves_and_root_of_a_deck(case: dict[str, Any]) -> None:
    deck = deal(case)
    assert deck.k == case["k"]
    assert list(deck.order) == case["order"]
    assert deck.salts[0].hex() == case["salt_0"]
    assert deck.leaves[0].hex() == case["leaf_0"]
    assert leaf_hash(HEAD0, deck.k, 0, deck.order[0], deck.salts[0]).hex() == case["leaf_0"]
    assert deck.root.hex() == case["root"]


@SHUFFLES
def test_an_opening_of_a_deck(case: dict[str, Any]) -> None:
    deck, opening = deal(case), case["opening"]
    pos, path = opening["pos"], [unhex(node) for node in opening["path_leaf_to_root"]]
    assert deck.order[pos] == opening["card"]
    assert deck.salts[pos].hex() == opening["salt"]
    assert deck.path(pos) == tuple(path)
    salt, root = unhex(opening["salt"]), unhex(case["root"])
    assert opening_fits(root, case["n"], HEAD0, case["k"], pos, opening["card"], salt, path)


def test_rejected_words_are_passed_over() -> None:
    case = V["rejection"]
    stream = unhex(case["stream"])
    words = iter(struct.unpack(f">{len(stream) // 8}Q", stream))
    assert list(draw_order(words, case["cards"])) == case["order"]


def test_commitment_to_a_move() -> None:
    case = V["commit"]
    value = commitment(
        unhex(case["head_at_asked"]),
        case["seat"],
        unhex(case["public_key"]),
        unhex(case["nonce"]),
        case["move"],
    )
    assert value.hex() == case["value"]
