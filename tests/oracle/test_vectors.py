"""The vectors are what the oracle makes, and hold what their names promise."""

import pytest

from tests.oracle.make_vectors import MADE, written
from tests.oracle.messages import MESSAGES
from tests.oracle.mutations import BREAKS
from tests.oracle.vectors import FOLDER, load


@pytest.mark.parametrize("name", MADE)
def test_a_file_of_vectors_is_what_the_oracle_makes_now(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == written(name)


def test_every_message_and_every_break_has_vectors() -> None:
    bodies = load("bodies.json")
    assert {case["message"] for case in bodies["good"]} == MESSAGES.keys()
    assert {case["what"] for case in bodies["bad"]} == BREAKS.keys()


def test_shuffles_of_every_pack_have_vectors() -> None:
    assert {52, 104, 120} <= {len(case["cards"]) for case in load("decks.json")["decks"]}
