"""The product computes the vectors of a tournament's draw."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.draw import draw_chain, order_hash, pairing_seed, tie_hash
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.tournament.order import initial_order
from tests.oracle.vectors import load

DRAW = load("draw.json")
unhex = bytes.fromhex
TOURNAMENT = unhex(DRAW["tournament_id"])
ENTRANTS = DRAW["entrants"]
ORGANISER = DRAW["organiser"]


def test_the_tournament_is_named_by_a_manifest_with_the_organisers_tip() -> None:
    body = unhex(DRAW["manifest_body"])
    assert tournament_id(body) == TOURNAMENT
    manifest = decode(pb.TournamentManifest, body)
    assert manifest.organiser_tip.hex() == ORGANISER["v"][0]
    assert manifest.salt.hex() == ORGANISER["ctx"]


def test_chains_for_draws_follow_from_keys_alone() -> None:
    for case, context in (
        (ORGANISER, unhex(ORGANISER["ctx"])),
        *((e, TOURNAMENT) for e in ENTRANTS),
    ):
        key, rounds = PrivateKey.from_seed(unhex(case["seed"])), len(case["v"]) - 1
        chain = draw_chain(key, context, rounds)
        assert [chain.link(k).hex() for k in range(rounds + 1)] == case["v"]
        for k in range(1, rounds + 1):
            assert fits(context, key.public.raw, k, chain.link(k), 0, chain.tip)


def test_the_initial_order_is_that_of_the_vectors() -> None:
    keys = [unhex(entrant["key"]) for entrant in ENTRANTS]
    for key, entrant in zip(keys, ENTRANTS, strict=True):
        assert order_hash(TOURNAMENT, key).hex() == entrant["order"]
    assert list(initial_order(TOURNAMENT, keys)) == DRAW["initial_order"]


def test_seeds_and_ties_of_rounds_are_those_of_the_vectors() -> None:
    for case in DRAW["rounds"]:
        k = case["round"]
        links = [
            None if number in case["absent"] else unhex(entrant["v"][k])
            for number, entrant in enumerate(ENTRANTS)
        ]
        seed = pairing_seed(TOURNAMENT, unhex(ORGANISER["v"][k]), links, k)
        assert seed.hex() == case["seed"]
        for tie in case["ties"]:
            assert tie_hash(seed, *tie["pair"]).hex() == tie["hash"]


def test_a_reveal_holds_the_links_of_those_who_are_there_each_signed_by_its_entrant() -> None:
    for case in DRAW["rounds"]:
        signed = parse_signed(unhex(case["reveal"]))
        organiser = PrivateKey.from_seed(unhex(ORGANISER["seed"])).public
        verify_sole(signed, "draw-reveal", organiser)
        reveal = decode(pb.DrawReveal, signed.body)
        assert reveal.organiser_link.hex() == ORGANISER["v"][case["round"]]
        present = [e for e in range(len(ENTRANTS)) if e not in case["absent"]]
        for entrant, data in zip(present, reveal.links, strict=True):
            link = parse_signed(data)
            verify_sole(link, "draw-link", PublicKey.parse(unhex(ENTRANTS[entrant]["key"])))
            said = decode(pb.DrawLink, link.body)
            assert (said.entrant, said.round) == (entrant, case["round"])
            assert said.link.hex() == ENTRANTS[entrant]["v"][case["round"]]
