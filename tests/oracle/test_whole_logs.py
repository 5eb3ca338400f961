"""A tournament's whole log, read by both readers and followed by the oracle alone."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay import draw as product_draw
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.order import initial_order
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, signed
from tests.fakes.ledgers import with_everything
from tests.oracle import tree, wire
from tests.oracle.agreement import open_envelope, read
from tests.oracle.envelope import unseal
from tests.oracle.log_replay import LogReplay
from tests.oracle.messages import TYPES

ELSEWHERE = {
    "key-certificate",
    "draw-link",
    "login",
    "start",
    "ticket",
    "match-key",
    "admission",
    "answer",
    "event",
    "private-show",
}
"""What is a leaf of no log by itself."""


@pytest.fixture(scope="module")
def home() -> Leaves:
    """Three rounds of a tournament without a form: absences, a late entry, a rotated key."""
    home = Leaves(entrants=5, rounds=3, name="oracle")
    home.close_entries()
    home.draw(absent=(1,))
    entry = home.entry("late")
    late = pb.LateEntry(tournament=home.tournament, entry=entry, round=2, time_us=home.now())
    home.say("late-entry", late)
    home.keys.append(home.key_of("late"))
    new = key("oracle's new key")
    rotation = pb.KeyRotate(
        tournament=home.tournament,
        entrant=0,
        old_key=home.keys[0].public.raw,
        new_key=new.public.raw,
        tip=home.chain(new).tip,
    )
    home.add(signed("key-rotate", rotation, home.keys[0], new))
    home.keys[0] = new
    home.play_on()
    home.play_round(absent=(2,))
    withdraw = pb.Withdraw(tournament=home.tournament, entrant=3, round=3)
    home.add(signed("withdraw", withdraw, home.keys[3]))
    revoke = pb.KeyRevoke(tournament=home.tournament, entrant=2, key=home.keys[2].public.raw)
    home.add(signed("key-revoke", revoke, home.keys[2]))
    referee = pb.RefereeKey(key=key("oracle's other referee").public.raw)
    home.say("referee-added", pb.RefereeAdded(tournament=home.tournament, referee=referee))
    ruling = pb.Ruling(
        tournament=home.tournament,
        number=1,
        leaf=len(home.all),
        time_us=home.now(),
        text="stands",
    )
    home.say("ruling", ruling)
    for number, planned in enumerate(home.draw()):
        home.open(planned)
        if number == 0:
            objection = pb.Objection(
                tournament=home.tournament, match=planned.match, attempt=1, step=3, found="late"
            )
            home.add(signed("objection", objection, home.keys[planned.entrants[0]]))
        home.close(planned.match)
    home.standings()
    home.end()
    return home


def test_both_read_every_leaf_of_a_log_alike(home: Leaves) -> None:
    kinds = set()
    for leaf in [*home.all, *with_everything().all]:
        envelope = open_envelope(leaf)
        assert envelope is not None
        values = read(TYPES[envelope.type], envelope.body)
        assert values is not None
        assert wire.encode(TYPES[envelope.type], values) == envelope.body
        kinds.add(envelope.type.split("/")[1])
        if envelope.type == "aboveboard/draw-reveal/v1":
            for link in values["links"]:
                inner = open_envelope(link)
                assert inner is not None
                assert read("DrawLink", inner.body) is not None
    assert kinds == {type_.split("/")[1] for type_ in TYPES} - ELSEWHERE


def test_the_oracle_follows_a_logs_identities_digests_and_links(home: Leaves) -> None:
    replay = LogReplay().run(home.all)
    assert replay.tournament == home.tournament
    assert sorted(replay.seeds) == [1, 2, 3]
    found = initial_order(home.tournament, home.ledger.field.entry_keys)
    assert replay.initial_order == list(found)


def test_the_product_draws_each_round_from_the_oracles_seed(home: Leaves) -> None:
    drawn, again = {}, Ledger()
    for leaf in home.all:
        again.apply(leaf)
        if unseal(leaf).type == "aboveboard/draw-reveal/v1":
            found = again.draw
            assert found is not None
            drawn[again.round] = product_draw.pairing_seed(
                home.tournament, found.organiser_link, found.links, again.round
            )
    assert drawn == LogReplay().run(home.all).seeds


def test_the_logs_tree_is_the_oracles(home: Leaves) -> None:
    product = Tree(map(leaf_hash, home.all))
    leaves = list(map(tree.leaf_hash, home.all))
    assert product.root() == tree.root(leaves)
    for size in (1, len(leaves) // 2, len(leaves)):
        assert product.root(size) == tree.root(leaves[:size])
        assert product.inclusion(0, size) == tree.inclusion(leaves[:size], 0)
        assert product.consistency(1, size) == tree.consistency(leaves[:size], 1)
