"""Bots whose ``choose`` is ``async``."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.awaited import Awaited, TooSlow
from aboveboard_client.bot import load
from aboveboard_client.traces import trace_of
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn


def turn(left_us: int = 60_000_000) -> Turn:
    return Turn(registry.game("cribbage"), None, 0, (3, 4), left_us, 1)


def test_an_async_choose_is_asked_like_a_plain_one(tmp_path: Path) -> None:
    file = tmp_path / "late.py"
    file.write_text(
        "import trio\n"
        "class Late:\n"
        "    games = ('cribbage',)\n"
        "    async def choose(self, turn):\n"
        "        await trio.sleep(0)\n"
        "        return turn.legal[1]\n"
    )
    bot = load(f"{file}:Late")
    assert bot.choose(turn()) == 4
    assert bot.games == ("cribbage",)


def test_all_turns_are_awaited_in_one_event_loop() -> None:
    tokens = []

    async def choose(turn: Turn) -> Any:
        tokens.append(trio.lowlevel.current_trio_token())
        return turn.legal[0]

    bot = Awaited((), choose)
    assert [bot.choose(turn()), bot.choose(turn())] == [3, 3]
    assert tokens[0] is tokens[1]


def test_a_bot_that_awaits_what_is_asyncios_is_told_that_it_is_awaited_by_trio() -> None:
    async def choose(turn: Turn) -> Any:
        await asyncio.sleep(0.01)

    with pytest.raises(RuntimeError) as caught:
        Awaited((), choose).choose(turn())
    assert "awaited by trio, not by asyncio" in trace_of(caught.value)


def test_a_choice_is_cancelled_when_its_time_is_up() -> None:
    cancelled = []

    async def choose(turn: Turn) -> Any:
        try:
            await trio.sleep_forever()
        except trio.Cancelled:
            cancelled.append(turn)
            raise

    with pytest.raises(TooSlow, match=r"no move within 0.001 s"):
        Awaited((), choose).choose(turn(left_us=1000))
    assert len(cancelled) == 1


@pytest.mark.parametrize("mistake", [LookupError("lost"), SystemExit(3)])
def test_what_an_async_bot_raises_ends_its_turn_and_not_its_loop(mistake: BaseException) -> None:
    asked = []

    async def choose(turn: Turn) -> Any:
        asked.append(turn)
        if len(asked) == 1:
            raise mistake
        return turn.legal[0]

    bot = Awaited((), choose)
    with pytest.raises(type(mistake)):
        bot.choose(turn())
    assert bot.choose(turn()) == 3
