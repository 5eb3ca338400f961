"""Bots as people run them, out in the weather: the client's own sessions over bad lines."""

import math
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from random import Random

import trio

from aboveboard_client.errors import AboveboardError
from aboveboard_client.public_log.log_state import MemoryLogs
from aboveboard_client.session.desk import Choice
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.session.session import Outcome, play_session
from aboveboard_client.state.journal import MemoryJournals
from aboveboard_protos.bridge import Stream
from aboveboard_referee.host.frames import PLAY
from aboveboard_server.lobby import CONTROL
from tests.fakes.entrants import entry_key
from tests.fakes.hosting import now_us
from tests.fakes.keys import secret
from tests.fakes.network import Network
from tests.fakes.reporting import Recorded
from tests.fakes.steady import Steady
from tests.fakes.weather import Toll, Weather


@dataclass(eq=False)
class Outdoor:
    """A bot and whoever runs it: started again whenever it has crashed, from what it kept."""

    number: int
    seed: str
    toll: Toll
    thinks: float = 0.2  # seconds at the most
    hangs_after: float = math.inf  # decisions
    crashes: int = 0  # times, each some seconds after it came
    stays_down: bool = False  # after the last of them
    outcome: Outcome | None = None
    failures: list[str] = field(default_factory=list)
    reports: Recorded = field(default_factory=Recorded)

    def __post_init__(self) -> None:
        self.name = f"bot-{self.number}"
        self._chance = Random(f"{self.seed} {self.number}")
        self._decisions = 0
        self._journals, self._logs = MemoryJournals(), MemoryLogs()

    async def stay(self, network: Network) -> None:
        """From before the tournament to its end, crashes included."""
        await network.listening.wait()
        weather = Weather(network, f"{self.seed} {self.number} weather", self.toll)
        while True:
            life = self._chance.uniform(3, 25) if self.crashes else math.inf
            with trio.move_on_after(life) as scope:
                await self._session(weather)
            if not scope.cancelled_caught:
                return
            self.crashes -= 1
            if not self.crashes and self.stays_down:
                return
            await trio.sleep(self._chance.uniform(0.5, 2))

    async def _session(self, weather: Weather) -> None:
        while self.outcome is None:
            try:
                self.outcome = await play_session(
                    partial(weather.line, CONTROL),
                    Identity(self.name, entry_key(self.number), secret(f"stored {self.number}")),
                    Steady(),
                    open_match=partial(_play_line, weather),
                    reports=self.reports,
                    now_us=now_us,
                    journals=self._journals,
                    logs=self._logs,
                    patience=Patience(600.0, jitter=lambda: self._chance.uniform(0.5, 1)),
                    capacity=2,
                    run_choice=self._choose,
                )
            except AboveboardError as error:
                # The first connection is not tried again: whoever runs the bot does that.
                self.failures.append(str(error))
                if len(self.failures) > 20:
                    return
                await trio.sleep(1)

    async def _choose(self, choose: Callable[[], Choice]) -> Choice:
        self._decisions += 1
        if self._decisions > self.hangs_after:
            await trio.sleep_forever()
        await trio.sleep(self._chance.uniform(0, self.thinks))
        return choose()


def _play_line(weather: Weather, _address: str) -> AbstractAsyncContextManager[Stream]:
    return weather.line(PLAY)
