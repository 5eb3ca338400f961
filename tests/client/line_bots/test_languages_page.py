"""The page on bots in other languages names every field that there is, and no other."""

import json
import re
from pathlib import Path

import pytest

from aboveboard_client.line_bots.line_bot import HELLO_S
from aboveboard_client.line_bots.lines import hello_line, over_line, turn_line
from aboveboard_client.line_bots.process import (
    KEPT_OUTPUT,
    MOST_LINE,
    MOST_UNASKED,
    SHOWN_OUTPUT,
)
from aboveboard_referee.games import registry
from aboveboard_referee.match.turn_json import turn_json
from tests.fakes.line_bots import a_turn
from tests.fakes.matches import TABLES
from tests.referee.match.test_turn_json import history, turns

PAGE = (Path(__file__).parents[3] / "docs" / "languages.md").read_text()
EVERY_GAME = {"phase", "seats", "to_move"}


def section(heading: str) -> str:
    """What stands under a heading, up to the next one of its rank or a higher one."""
    rank = heading.split(" ")[0]
    found = re.search(
        rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", PAGE, re.M | re.S
    )
    assert found is not None, heading
    return found[1]


def tables(heading: str) -> list[list[str]]:
    """The fields that each table under a heading names, in order."""
    found = re.findall(r"^\| field \|.*\n\|[-|]+\n((?:\|.*\n)+)", section(heading), re.M)
    return [
        [field for row in rows.splitlines() for field in re.findall("`([^`]+)`", row.split("|")[1])]
        for rows in found
    ]


@pytest.mark.parametrize(
    ("heading", "family"),
    [
        ("## The state of cribbage", "cribbage"),
        ("## The state of Nebraska", "nebraska"),
        ("## The state of Allegra", "allegra"),
    ],
)
def test_the_fields_of_each_state_are_on_the_page_in_their_order(heading: str, family: str) -> None:
    (named,) = tables(heading)
    rule_sets = [name for name in registry.names() if name.split(":")[0] == family]
    assert rule_sets
    for name in rule_sets:
        for turn in turns(name, 2):
            state = turn_json(turn)["state"]
            assert list(state) == named
            for key, inner in (("last", "points"), ("gift", "taker")):
                if state.get(key) is not None and isinstance(state[key], dict):
                    assert inner in state[key]
                    row = next(row for row in section(heading).splitlines() if f"| `{key}`" in row)
                    assert set(state[key]) <= set(re.findall("`([^`]+)`", row))


def test_the_fields_of_a_turn_and_of_every_state_are_on_the_page() -> None:
    turn, state = tables("## A turn")
    assert list(turn_json(a_turn())) == turn
    assert set(state) == EVERY_GAME


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_whoever_is_asked_is_in_a_phase_that_the_page_names(name: str, seats: int) -> None:
    family = name.split(":")[0]
    heading = "cribbage" if family == "cribbage" else family.capitalize()
    row = next(
        row for row in section(f"## The state of {heading}").splitlines() if "| `phase` |" in row
    )
    named = set(re.findall("`([^`]+)`", row))
    for moment in history(name, seats)[1]:
        assert moment.game.describe(moment.states[next(iter(moment.states))])["phase"] in named


def test_the_fields_of_each_line_are_on_the_page() -> None:
    hello, turn, over = tables("### What your program is sent")
    assert list(json.loads(hello_line([], ""))) == hello
    assert list(json.loads(turn_line(1, a_turn())))[: len(turn)] == turn
    assert list(json.loads(over_line("m", 0, None))) == over


def test_the_limits_on_the_page_are_those_that_hold() -> None:
    limits = section("### Limits, and what happens when something goes wrong")
    assert f"more than {MOST_LINE:,} bytes" in limits
    assert f"or {MOST_UNASKED >> 10} KiB that are no answer" in limits
    assert f"the last {KEPT_OUTPUT >> 10} KiB are kept" in limits
    assert "up to a mebibyte" in limits
    assert SHOWN_OUTPUT == 1 << 20
    assert f"within {HELLO_S:.0f} seconds" in section("### What it answers")


def test_the_moves_on_the_page_are_moves_of_their_games() -> None:
    rows = [row.split("|") for row in section("## Moves").splitlines() if row.startswith("| ")][1:]
    assert len(rows) == len(registry.families())
    for row, name in zip(rows, ("cribbage", "nebraska:family", "allegra"), strict=True):
        game = registry.game(name)
        for text in re.findall("`([^`]+)`", row[2]):
            assert game.encode(game.decode(text)) == text


def test_links_within_the_page_lead_somewhere() -> None:
    headings = {
        heading.lower().replace(" ", "-").replace(",", "")
        for heading in re.findall(r"^#+ (.+)$", PAGE, re.M)
    }
    for link in re.findall(r"\]\(#([^)]+)\)", PAGE):
        assert link in headings
