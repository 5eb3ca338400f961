"""The first signal ends a run on the bridge in good order, and a second one at once."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import trio

from aboveboard_protos import bridge

Run = Callable[..., Any]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_the_main_task_and_is_raised_after_its_cleanup(
    run_bridge: Run, loop: str, number: signal.Signals
) -> None:
    log: list[str] = []

    async def main() -> None:
        try:
            os.kill(os.getpid(), number)
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(log.append, "cleaned up")

    with pytest.raises(bridge.Interrupted, match=number.name) as caught:
        run_bridge(main)
    assert caught.value.signal is number
    assert log == ["cleaned up"]


STUBBORN = """
import os, signal, sys, trio
from aboveboard_protos import bridge
first, second = map(int, sys.argv[1:])
async def main():
    try:
        os.kill(os.getpid(), first)
        await trio.sleep_forever()
    finally:
        with trio.CancelScope(shield=True):
            os.kill(os.getpid(), second)
            await trio.sleep_forever()
bridge.run(main)
"""


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_the_process_at_once(
    first: signal.Signals, second: signal.Signals
) -> None:
    command = [sys.executable, "-c", STUBBORN, str(first.value), str(second.value)]
    assert subprocess.run(command, timeout=60, check=False).returncode == -second


def test_sigint_that_nobody_asked_for_is_a_keyboard_interrupt(run_bridge: Run, loop: str) -> None:
    log: list[str] = []

    async def main() -> None:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await trio.sleep_forever()
        finally:
            log.append("cleaned up")

    with pytest.raises(KeyboardInterrupt):
        run_bridge(main, on_signal=())
    assert log == ["cleaned up"]


def test_a_main_task_that_ends_well_in_spite_of_a_signal_keeps_its_result(run_bridge: Run) -> None:
    async def main() -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        with trio.CancelScope(shield=True):
            await trio.lowlevel.checkpoint()
        return "done"

    assert run_bridge(main) == "done"


def test_signals_have_their_old_handlers_afterwards(run_bridge: Run, loop: str) -> None:
    def mine(number: int, frame: object) -> None:
        raise AssertionError("not during this test")

    before = signal.signal(signal.SIGTERM, mine)
    try:

        async def main() -> None:
            assert signal.getsignal(signal.SIGTERM) is not mine

        run_bridge(main)
        assert signal.getsignal(signal.SIGTERM) is mine
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)
