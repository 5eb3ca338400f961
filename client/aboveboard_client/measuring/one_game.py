"""One game of a run, as a function of the run's seed and the game's number.

Keys, secrets and so the decks follow from the seed and the match's name, and a bot's own
random numbers from the seed and the game's number. The records tell the time zero
throughout, so that equal games have equal records; what bots think is measured beside them.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from aboveboard_client.bot import SEED_BYTES, UnknownBot
from aboveboard_client.measuring.bot_process import BotProcess, Failed
from aboveboard_client.measuring.tally import Tally, Thought
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.local import Delivered, LocalMatch, LocalSeat, play_local
from aboveboard_referee.match.player import Turn

MOVE_S = 60.0
"""How long a bot may take for a move unless something else is said, in seconds."""

PROTOCOL_US = 60_000_000


class BotFailed(Exception):
    """A bot raised, died, took too long, or answered with something that is no legal move.

    ``trace`` is the traceback of what it raised, for its author; empty where it did not.
    """

    def __init__(self, bot: int, game: int, what: str, trace: str = "") -> None:
        super().__init__(bot, game, what, trace)
        self.bot = bot
        self.game = game
        self.what = what
        self.trace = trace

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True)
class Setting:
    """What all games of a run have in common. ``specs`` name the bots."""

    game_name: str
    specs: tuple[str, ...]
    seed: str
    move_s: float = MOVE_S

    @property
    def game(self) -> AnyGame:
        return registry.game(self.game_name)

    def secret(self, purpose: str) -> bytes:
        return secret_of(self.seed, purpose)


@dataclass(frozen=True)
class Plan:
    """A game that is to be played: its number in the run from 1, and the bots by seat.

    Games whose matches have one name have the same keys and so the same decks, whoever
    plays; with the same ``entrants``, by seat, they have the same opening.
    """

    number: int
    by_seat: tuple[int, ...]
    match: str
    entrants: tuple[int, ...]


@dataclass(frozen=True)
class PlayedGame:
    """A finished game, and how long each bot thought in it, by bot."""

    number: int
    by_seat: tuple[int, ...]
    match: LocalMatch
    thoughts: tuple[Thought, ...]

    def result(self, bot: int) -> pb.SeatResult:
        """What the close says of a bot."""
        return self.match.close.seats[self.by_seat.index(bot)]

    def half_points(self, bot: int) -> int:
        """What a bot gained."""
        return self.result(bot).half_points

    def count_for(self, tallies: Sequence[Tally]) -> None:
        """Count it for every bot, each of which has a tally."""
        for bot, tally in enumerate(tallies):
            tally.count(self.number, self.result(bot), self.thoughts[bot])


class Asked(Protocol):
    """A bot at its seat."""

    def choose(self, turn: Turn) -> tuple[Any, int]:
        """A legal move and the nanoseconds that it took. Raises ``Failed``."""
        ...


@contextmanager
def in_processes(setting: Setting, plan: Plan) -> Iterator[Sequence[Asked]]:
    """The bots of a game by seat, each fresh in a process of its own."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                BotProcess(
                    setting.specs[bot],
                    setting.secret(f"bot {bot} game {plan.number}"),
                    setting.game_name,
                    setting.move_s,
                )
            )
            for bot in plan.by_seat
        ]


def play_game(
    setting: Setting,
    plan: Plan,
    asked: Sequence[Asked],
    delivered: Delivered = lambda _records: None,
) -> PlayedGame:
    """Play it to its end with these bots by seat. ``delivered`` is told all records.

    Raises ``BotFailed``.
    """
    thoughts = [Thought()] * len(plan.by_seat)

    def seat(at: Seat) -> LocalSeat:
        bot = plan.by_seat[at]

        def choose(turn: Turn) -> Any:
            try:
                move, thought_ns = asked[at].choose(turn)
            except Failed as failure:
                raise BotFailed(bot, plan.number, failure.what, failure.trace) from failure
            except UnknownBot as error:
                raise BotFailed(bot, plan.number, f"could not begin: {error}") from error
            thoughts[bot] = thoughts[bot].plus(thought_ns)
            return move

        return LocalSeat(
            entry=PrivateKey(setting.secret(f"entry {plan.entrants[at]}")),
            key=PrivateKey(setting.secret(f"match key of {plan.match} seat {at}")),
            stored=setting.secret(f"stored of {plan.match} seat {at}"),
            choose=choose,
        )

    match = play_local(
        setting.game,
        [seat(at) for at in range(len(plan.by_seat))],
        referee_key(setting, plan),
        deck_secret(setting, plan),
        now_us=lambda: 0,
        match=plan.match,
        entrants=plan.entrants,
        clock=pb.Clock(
            move_us=int(setting.move_s * 1e6),
            protocol_us=PROTOCOL_US,
            start_us=PROTOCOL_US,
        ),
        delivered=delivered,
    )
    return PlayedGame(plan.number, plan.by_seat, match, tuple(thoughts))


def referee_key(setting: Setting, plan: Plan) -> PrivateKey:
    """The key that signs the match."""
    return PrivateKey(setting.secret(f"referee of {plan.match}"))


def deck_secret(setting: Setting, plan: Plan) -> bytes:
    """What, with all seats' entropy, the decks follow from."""
    return setting.secret(f"deck of {plan.match}")


def secret_of(seed: str, purpose: str) -> bytes:
    """32 bytes that are a function of both texts. As secret as the seed is."""
    digest = hashlib.sha256(f"{seed}\n{purpose}".encode()).digest()
    assert len(digest) == SEED_BYTES
    return digest
