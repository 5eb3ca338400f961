"""Whole games of the product, read by both readers and computed anew by the oracle alone."""

from collections.abc import Iterator
from random import Random

import pytest

from aboveboard_referee.games import registry
from tests.fakes.scripted import Script, Setup
from tests.oracle import wire
from tests.oracle.agreement import open_envelope, read
from tests.oracle.body_tree import put_together, take_apart
from tests.oracle.envelope import Envelope, unseal
from tests.oracle.messages import TYPES
from tests.oracle.mutations import BREAKS, altered
from tests.oracle.replay import Replay

TABLES = [(name, 2) for name in registry.names()] + [("cribbage", 4)]
SIGNATURES = 12


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def script(request: pytest.FixtureRequest) -> Script:
    """A whole seeded match, from its opening to the close that everybody signed."""
    name, seats = request.param
    played = Script(Setup(name, seats, seed="oracle")).play()
    played.finish()
    assert not played.refusals
    return played


def shows(script: Script) -> list[bytes]:
    """What went to one seat alone."""
    sent = [data for seat in script.players for data in script.sent[seat]]
    return [data for data in sent if unseal(data).type == "aboveboard/private-show/v1"]


def envelopes(data: bytes) -> Iterator[bytes]:
    """An envelope and those in its body."""
    yield data
    content = unseal(data).content()
    if content.get("answered") is not None:
        yield from envelopes(content["answered"]["answer"])
    for seat in content.get("seats", ()):
        if "certificate" in seat:
            yield from envelopes(seat["certificate"])


def all_envelopes(script: Script) -> list[bytes]:
    return [inner for data in (*script.records, *shows(script)) for inner in envelopes(data)]


def opened(data: bytes) -> Envelope:
    found = open_envelope(data)
    assert found is not None
    return found


def test_both_read_every_envelope_and_body_of_a_match_alike(script: Script) -> None:
    kinds = set()
    for data in all_envelopes(script):
        envelope = opened(data)
        values = read(TYPES[envelope.type], envelope.body)
        assert values is not None
        assert wire.encode(TYPES[envelope.type], values) == envelope.body
        kinds.add(envelope.type)
    expected = {"match-open", "match-key", "event", "answer", "match-close"}
    if script.setup.game != "allegra":  # where every face is for everybody
        expected.add("private-show")
    assert kinds == {f"aboveboard/{kind}/v1" for kind in expected}


def test_the_oracle_computes_every_hash_link_deck_and_face_of_a_match(script: Script) -> None:
    seen = Replay(script.records, shows(script), SIGNATURES).run()
    assert seen.decks > 0
    assert seen.faces > 10
    assert seen.links >= 3 * seen.decks
    assert seen.signatures == SIGNATURES
    assert (seen.sealed > 0) == script.setup.game.startswith("nebraska")


def test_both_judge_a_matchs_bytes_alike_when_they_are_altered(script: Script) -> None:
    random = Random(script.setup.game)
    found = all_envelopes(script)
    for data in random.sample(found, min(len(found), 60)):
        open_envelope(altered(data, random))
        envelope = opened(data)
        name = TYPES[envelope.type]
        read(name, altered(envelope.body, random))
        kind = random.choice(sorted(BREAKS))
        tree = take_apart(name, envelope.body)
        if BREAKS[kind](random, name, tree):
            assert read(name, put_together(tree)) is None
