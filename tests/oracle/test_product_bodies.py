"""The product reads and refuses the bodies of the vectors."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aboveboard_referee.fairplay.body import Refused, decode, encode
from tests.oracle.agreement import CLASSES, plain
from tests.oracle.messages import MESSAGES
from tests.oracle.vectors import load

BODIES = load("bodies.json")
every_message = pytest.mark.parametrize("name", MESSAGES)


def as_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return value


@every_message
def test_good_bodies_say_what_the_vectors_say(name: str) -> None:
    for case in BODIES["good"]:
        if case["message"] == name:
            message = decode(CLASSES[name], bytes.fromhex(case["body"]))
            assert as_json(plain(message)) == case["values"]
            assert encode(message).hex() == case["body"]


@every_message
def test_bad_bodies_are_refused(name: str) -> None:
    for case in BODIES["bad"]:
        if case["message"] == name:
            with pytest.raises(Refused):
                decode(CLASSES[name], bytes.fromhex(case["body"]))


ALL = """
from google.protobuf.internal import api_implementation
from tests.oracle import test_product_bodies as tests
assert api_implementation.Type() == "python"
for name in tests.MESSAGES:
    tests.test_good_bodies_say_what_the_vectors_say(name)
    tests.test_bad_bodies_are_refused(name)
"""


def test_a_product_with_protobufs_pure_python_parser_reads_them_alike() -> None:
    # It is what protobuf falls back to where it has no compiled wheel.
    result = subprocess.run(
        [sys.executable, "-c", ALL],
        env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
