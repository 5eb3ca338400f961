"""The process of a bot that is checked: how it ended is told, whenever it did."""

import pytest

from aboveboard_client.checking.worker import BotFault, Worker
from tests.fakes.line_bots import a_turn


def test_a_bot_that_ended_before_it_was_asked_is_told_by_how_it_ended() -> None:
    with Worker("random", bytes(32)) as worker:
        assert worker.games()
        worker._process.kill()
        worker._process.join()
        with pytest.raises(BotFault, match="signal 9") as caught:
            worker.choose(a_turn(), seconds=60)
    assert (caught.value.kind, caught.value.seconds) == ("ended", 0)
