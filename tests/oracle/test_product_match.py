"""The product computes the vectors of a match and of decks."""

from collections.abc import Sequence
from typing import Any

import pytest

from aboveboard_referee.fairplay.chain import Chain, fits, nonce
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.fairplay.deck import Deck, draw_order, opening_fits, shuffle_seed
from aboveboard_referee.fairplay.envelope import pae, parse_signed, sign, verify_sole
from aboveboard_referee.fairplay.head import GENESIS, match_context, next_head, tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.fairplay.match_key import match_key
from tests.oracle.vectors import load

MATCH, DECKS = load("match.json"), load("decks.json")
CONTEXT = bytes.fromhex(MATCH["contexts"][0]["ctx"])
unhex = bytes.fromhex
every_deck = pytest.mark.parametrize("case", DECKS["decks"], ids=lambda case: f"k{case['k']}")


def test_a_tournament_and_its_matches_have_the_identities_of_the_vectors() -> None:
    manifest = MATCH["manifest"]
    assert tournament_id(unhex(manifest["body"])).hex() == manifest["tournament_id"]
    for case in MATCH["contexts"]:
        found = match_context(unhex(case["tournament_id"]), case["match"], case["attempt"])
        assert found.hex() == case["ctx"]


def test_what_is_signed_is_encoded_as_in_the_vectors() -> None:
    for case in MATCH["pae"]:
        assert pae(case["type"], unhex(case["body"])).hex() == case["value"]


def test_a_seats_match_key_follows_from_its_stored_secret() -> None:
    for seat, case in enumerate(MATCH["seats"]):
        key = match_key(unhex(case["stored"]), CONTEXT, seat)
        assert (key.seed.hex(), key.public.raw.hex()) == (case["match_key_seed"], case["match_key"])
        assert PrivateKey.from_seed(unhex(case["entry_seed"])).public.raw.hex() == case["entry_key"]


def test_chains_follow_from_stored_secrets_and_lead_to_their_tips() -> None:
    owners = [(MATCH["referee"], "key"), *((seat, "match_key") for seat in MATCH["seats"])]
    for case, name in owners:
        key = unhex(case[name])
        chain = Chain(unhex(case["stored"]), CONTEXT, key, case["D"])
        for link in case["links"]:
            assert chain.link(link["k"]).hex() == link["v"]
            if link["k"]:
                assert fits(CONTEXT, key, link["k"], unhex(link["v"]), 0, chain.tip)
                assert not fits(CONTEXT, key, link["k"] + 1, unhex(link["v"]), 0, chain.tip)


def test_records_are_signed_and_chained_as_in_the_vectors() -> None:
    head, referee = GENESIS, PublicKey.parse(unhex(MATCH["referee"]["key"]))
    last = len(MATCH["records"]) - 1
    for number, case in enumerate(MATCH["records"]):
        signed = parse_signed(unhex(case["envelope"]))
        assert (signed.type, signed.body.hex()) == (case["type"], case["body"])
        head = next_head(head, signed.type, signed.body)
        assert head.hex() == case["head"]
        if number in (0, last):
            verify_sole(signed, "match-open" if number == 0 else "event", referee)
            key = PrivateKey.from_seed(unhex(MATCH["referee"]["seed"]))
            assert sign(signed.type, signed.body, key).to_bytes().hex() == case["envelope"]
        else:
            assert not signed.signatures


def test_an_answer_is_signed_as_in_the_vectors() -> None:
    case, seat = MATCH["answer"], MATCH["seats"][1]
    key = PrivateKey.from_seed(unhex(seat["match_key_seed"]))
    signed = sign("aboveboard/answer/v1", unhex(case["body"]), key)
    assert signed.to_bytes().hex() == case["envelope"]


def test_commitments_and_their_nonces_are_those_of_the_vectors() -> None:
    for case in MATCH["commitments"]:
        head, seat = unhex(case["head_at_asked"]), case["seat"]
        stored = unhex(MATCH["seats"][seat]["stored"])
        assert nonce(stored, head, seat).hex() == case["nonce"]
        found = commitment(head, seat, unhex(case["key"]), unhex(case["nonce"]), case["move"])
        assert found.hex() == case["hash"]


def links_of(case: dict[str, Any]) -> Sequence[bytes | None]:
    return [None if link is None else unhex(link) for link in case["seat_links"]]


@every_deck
def test_a_deck_has_the_seed_order_and_root_of_the_vectors(case: dict[str, Any]) -> None:
    head_0, link, links = unhex(DECKS["head_0"]), unhex(case["referee_link"]), links_of(case)
    seed = shuffle_seed(head_0, link, links, case["k"], len(case["cards"]))
    assert seed.hex() == case["seed"]
    deck = Deck.deal(head_0, case["k"], case["cards"], link, links)
    assert list(deck.order) == case["order"]
    assert deck.root.hex() == case["root"]


@every_deck
def test_a_decks_openings_are_those_of_the_vectors(case: dict[str, Any]) -> None:
    head_0, n, k = unhex(DECKS["head_0"]), len(case["cards"]), case["k"]
    deck = Deck.deal(head_0, k, case["cards"], unhex(case["referee_link"]), links_of(case))
    for opening in case["openings"]:
        place, card = opening["position"], opening["card"]
        assert deck.salts[place].hex() == opening["salt"]
        assert deck.leaves[place].hex() == opening["leaf"]
        assert [node.hex() for node in deck.path(place)] == opening["path"]
        salt, path = unhex(opening["salt"]), [unhex(node) for node in opening["path"]]
        assert opening_fits(deck.root, n, head_0, k, place, card, salt, path)
        assert not opening_fits(deck.root, n, head_0, k, place, card + 1 & 0xFF, salt, path)


def test_words_beyond_the_limit_are_passed_over_as_in_the_vectors() -> None:
    for case in DECKS["words"]:
        words = iter([int(word) for word in case["words"]])
        assert list(draw_order(words, case["cards"])) == case["order"]
