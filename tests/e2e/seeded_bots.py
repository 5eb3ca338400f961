"""Several bots in one process, which play alike whatever happens to their server.

    seeded_bots.py HOST:PORT SEED COUNT

They enter one after another, for the order of entries decides about pairings, and stay to
the end of the tournament. Each then tells its rank, and the last checkpoint that it saw.
"""

import sys
from collections.abc import Callable
from functools import partial

import trio

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.public_log.log_state import MemoryLogs
from aboveboard_client.session.desk import Choice, RunChoice
from aboveboard_client.session.dialling import MatchOpener, opened
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.session.session import CONTROL, OpenMatch, play_session
from aboveboard_client.state.journal import MemoryJournals
from aboveboard_protos import bridge
from tests.fakes.keys import key, secret
from tests.fakes.reporting import Recorded
from tests.fakes.robots import NOW
from tests.fakes.steady import Steady

PATIENCE = Patience(total=600, first=0.05, most=0.25)
"""So long because no server may live for the time after which a connection counts as held."""


class Newest(MemoryLogs):
    """Keeps the newest note of one log, to be looked at."""

    note = b""

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        self.note = note


class Watched(Recorded):
    """Says on standard output what must not happen."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = trio.Event()

    def _tell(self, told: str) -> None:
        super()._tell(told)
        if told.startswith("joined"):
            self.entered.set()
        if told.endswith("deviated") or ": bot " in told or told.startswith("ticket refused"):
            print(told)


async def in_line(choose: Callable[[], Choice]) -> Choice:
    """A choice takes no time worth a thread."""
    await trio.lowlevel.checkpoint()
    return choose()


async def stay(
    channel: bridge.Channel,
    identity: Identity,
    reports: Watched,
    *,
    open_match: OpenMatch | None = None,
    run_choice: RunChoice = in_line,
    capacity: int = 4,
) -> None:
    """Enter, play all of the tournament, and tell what came of it."""
    journals, logs = MemoryJournals(), Newest()
    attempts = 0
    while True:
        try:
            outcome = await play_session(
                partial(opened, channel, CONTROL),
                identity,
                Steady(),
                open_match=open_match or MatchOpener(channel),
                reports=reports,
                now_us=lambda: NOW,
                journals=journals,
                logs=logs,
                patience=PATIENCE,
                run_choice=run_choice,
                capacity=capacity,
            )
        except OutsideFailure:
            # A session does not begin without a server; this one may be killed just then.
            attempts += 1
            if reports.entered.is_set() or attempts * PATIENCE.first > PATIENCE.total:
                raise
            await trio.sleep(PATIENCE.first)
        else:
            assert outcome.standing is not None
            row = outcome.standing
            print(identity.name, f"is of rank {row.rank} with {row.units} units")
            print(identity.name, "saw", logs.note.hex())
            return


def identity_of(seed: str, number: int) -> Identity:
    """Name, key and secret of the bot of that number."""
    own = f"{seed} bot {number}"
    return Identity(f"bot-{number}", key(own), secret(own))


async def main(address: str, seed: str, count: int) -> None:
    async with bridge.connect(address) as channel, trio.open_nursery() as nursery:
        for number in range(count):
            reports = Watched()
            nursery.start_soon(stay, channel, identity_of(seed, number), reports)
            await reports.entered.wait()


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
    where, seed, many = sys.argv[1:]
    bridge.run(lambda: main(where, seed, int(many)))
