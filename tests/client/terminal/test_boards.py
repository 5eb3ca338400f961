"""Positions and steps of games as lines for people."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from aboveboard_client.archives.game_records import Making
from aboveboard_client.bot import load
from aboveboard_client.series import play_here
from aboveboard_client.terminal.boards import Event, happening, move_words, position
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.game_record.course import Course
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Moved
from aboveboard_referee.match.local import LocalMatch

NAMES = ("ada", "bob")


def played(game: str) -> LocalMatch:
    bots = [load("random", bytes([seat]) * 32) for seat in range(2)]
    return next(play_here(game, lambda _: bots, "boards")).match


@dataclass(frozen=True)
class Scene:
    """One step of a game: what was, what happened, and what is now."""

    before: Any
    happened: Event
    after: Any


def steps(match: LocalMatch, seat: int | None = None) -> Iterator[Scene]:
    record = Making([parse_signed(record) for record in match.records]).take_all()
    course = Course(record.game, record.seats, seat)
    for entry in record.entries:
        before = course.state
        course.take(entry)
        if course.event is not None:
            yield Scene(before, course.event, course.state)


@pytest.mark.parametrize("name", registry.names())
def test_with_all_cards_open_only_what_nobody_has_seen_is_hidden(name: str) -> None:
    game = registry.game(name)
    for scene in steps(played(name)):
        told = happening(game, scene.before, scene.happened, scene.after, NAMES)
        hidden = [line for line in told if "??" in line]
        # By these rules everybody lays away before anybody looks.
        assert name == "cribbage:source" or not hidden
        assert all(" lays away " in line for line in hidden)
        assert all(line.isprintable() for line in (*told, *position(game, scene.after, NAMES)))


@pytest.mark.parametrize("name", ["cribbage", "nebraska:family"])
def test_a_seat_sees_its_own_cards_and_not_its_opponents(name: str) -> None:
    game = registry.game(name)
    deals = [
        told
        for scene in steps(played(name), seat=1)
        for told in happening(game, scene.before, scene.happened, scene.after, NAMES)
        if " holds " in told
    ]
    assert deals
    for told in deals:
        assert ("??" in told) == told.startswith("ada")


def test_the_points_that_are_told_add_up_to_the_score_of_cribbage() -> None:
    game, match = registry.game("cribbage"), played("cribbage")
    points = dict.fromkeys(NAMES, 0)
    for scene in steps(match):
        for told in happening(game, scene.before, scene.happened, scene.after, NAMES):
            name = "".join(n for n in NAMES if told.startswith(n) or told.endswith(f"for {n}"))
            if found := re.search(r"(\d+) points?", told):
                points[name] += int(found[1])
    assert [points[name] for name in NAMES] == [row.score for row in match.close.seats]


def test_a_move_is_told_with_the_cards_that_it_moves() -> None:
    game = registry.game("cribbage")
    scene = next(s for s in steps(played("cribbage")) if isinstance(s.happened, Moved))
    assert isinstance(scene.happened, Moved)
    (seat, move) = scene.happened.moves[0]
    words = move_words(game, scene.before, seat, move)
    assert re.fullmatch(r"discard \d+ \d+ \([A-Z2-9][HDCS] [A-Z2-9][HDCS]\)", words)
