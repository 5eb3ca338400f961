"""Whatever bytes come from outside, their reader returns or raises what it says it raises."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.corpus import kept
from tests.fuzz.table import TARGETS
from tests.fuzz.target import Target

every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
few = settings(derandomize=True, deadline=None, max_examples=60, database=None)


@every_target
def test_the_first_seed_is_read_to_its_end(target: Target) -> None:
    # If not, it is of an older format: python -m tests.fuzz.corpus makes all anew.
    assert target.run(kept(target)[0]) is None


@every_target
@few
@given(data=st.binary(max_size=200))
def test_any_bytes_are_refused_as_declared(target: Target, data: bytes) -> None:
    target.run(data)


@every_target
@few
@given(number=st.integers(0, 10_000), chance=st.integers(0, 2**32))
def test_an_altered_input_is_refused_as_declared(target: Target, number: int, chance: int) -> None:
    seeds, random = kept(target), Random(chance)
    data = seeds[number % len(seeds)]
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        data = target.mutate(data, random)
    target.run(data)
