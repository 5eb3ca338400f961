"""Whatever a file of evidence holds, it comes to a proof or to none, and to nothing else."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.verify.evidence import NoProof, make_evidence, weigh
from tests.fakes.bad_answers import STANDS
from tests.fakes.evidence import REFEREE, all_shows, answers, weighed
from tests.fakes.forging import resigned
from tests.fakes.keys import key


def weigh_any(data: bytes) -> str:
    try:
        return weigh(data, key("an organiser").public).party
    except NoProof as error:
        return "" if "\n" not in str(error) else "more than a line"


@given(st.binary(max_size=300))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_any_bytes(data: bytes) -> None:
    assert weigh_any(data) == ""


@given(st.lists(st.binary(max_size=60), max_size=4), st.integers(0, 3))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_any_bytes_in_the_place_of_records(items: list[bytes], place: int) -> None:
    script = STANDS["move"]()
    parts = [[*script.records, *items], [*script.records[:2], *items], items, items]
    data = make_evidence(
        holder=place,
        records=parts[place],
        shows=[*all_shows(script), *items],
        others=items,
        manifest=items[0] if items else b"",
    )
    assert weigh_any(data) == ""


@pytest.mark.parametrize("seed", range(4))
def test_honest_evidence_with_any_bit_flipped_convicts_nobody(seed: int) -> None:
    random = Random(seed)
    script = STANDS["move"]()
    data = make_evidence(
        holder=0, records=script.records, shows=all_shows(script), others=answers(script)
    )
    for _ in range(60):
        changed = bytearray(data)
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
        assert weigh_any(bytes(changed)) == ""


@pytest.mark.parametrize("stand", ["entropy", "move", "opening"])
def test_an_event_with_any_field_changed_and_signed_convicts_its_referee_or_nobody(
    stand: str,
) -> None:
    random = Random(stand)
    script = STANDS[stand]().until(lambda s: s.referee.fold.sequence > 16)
    for at in range(1, len(script.records)):
        for _ in range(6):
            body = bytearray(parse_signed(script.records[at]).body)
            body[random.randrange(len(body))] ^= 1 << random.randrange(8)
            changed = resigned(script.records[at], bytes(body), REFEREE)
            proof = weighed([*script.records[:at], changed], all_shows(script))
            assert proof is None or proof.party == "referee"
