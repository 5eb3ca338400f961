"""Bots of ``tests/fakes/line_bots.py`` that end with a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from aboveboard_client.line_bots.line_bot import LineBot
from tests.fakes.line_bots import Lifeline, Start, command


@pytest.fixture
def started() -> Iterator[Start]:
    """Starts bots with a manner, and ends them with the test."""
    bots = []

    def start(manner: str, *more: object) -> LineBot:
        bots.append(LineBot(command(manner, *more), seed="7"))
        return bots[-1]

    yield start
    for bot in bots:
        bot.close()


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    line = Lifeline(tmp_path)
    yield line
    line.close()
