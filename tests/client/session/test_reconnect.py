"""When somebody who lost a connection tries again."""

from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
import trio
from trio.testing import MockClock

from aboveboard_client.session.reconnect import Attempts, Patience


def run(main: Callable[[], Awaitable[None]]) -> None:
    trio.run(main, clock=MockClock(autojump_threshold=0))


async def until_exhausted(attempts: Attempts) -> list[float]:
    """When the attempts were, in seconds after the loss."""
    begun = trio.current_time()
    times = []
    while not attempts.exhausted:
        await attempts.wait()
        times.append(trio.current_time() - begun)
    return times


def test_delays_double_up_to_a_limit_and_the_last_attempt_is_at_the_end_of_patience() -> None:
    async def main() -> None:
        times = await until_exhausted(Attempts(Patience(total=30)))
        delays = [later - earlier for earlier, later in pairwise([0.0, *times])]
        assert delays[:6] == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2])
        assert delays[6:-1] == pytest.approx([5.0] * len(delays[6:-1]))
        assert delays[-1] <= 5.0
        assert times[-1] == pytest.approx(30)

    run(main)


def test_without_patience_there_is_no_second_attempt() -> None:
    async def main() -> None:
        assert await until_exhausted(Attempts(Patience(total=0))) == []

    run(main)


def test_jitter_shortens_each_delay_by_a_factor_of_its_own() -> None:
    factors = iter([0.5, 1.0, 0.75] + [1.0] * 100)

    async def main() -> None:
        attempts = Attempts(Patience(jitter=lambda: next(factors)))
        begun = trio.current_time()
        for expected in (0.05, 0.25, 0.55):
            await attempts.wait()
            assert trio.current_time() - begun == pytest.approx(expected)

    run(main)


def test_a_connection_that_held_makes_the_next_loss_a_new_one() -> None:
    async def main() -> None:
        attempts = Attempts(Patience(total=30))
        await until_exhausted(attempts)
        attempts.held()
        assert not attempts.exhausted
        times = await until_exhausted(attempts)
        assert times[0] == pytest.approx(0.1)
        assert times[-1] == pytest.approx(30)

    run(main)
