"""Many matches of two bots in this process: the core of ``play``.

Everything follows from the seed: keys, secrets and so the decks, and the bots' own
random numbers where they take theirs from the seed. That is why the records tell the
time zero throughout; what bots think is measured beside them.
"""

import hashlib
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard_client.bot import Bot
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.local import LocalMatch, LocalSeat, play_local
from aboveboard_referee.match.player import Turn


class BotFailed(Exception):
    """A bot raised, or answered with something that is no legal move.

    ``trace`` is the traceback of what it raised, for its author; empty where it did not.
    """

    def __init__(self, bot: int, game: int, what: str, trace: str = "") -> None:
        super().__init__(what)
        self.bot = bot
        self.game = game
        self.trace = trace


@dataclass
class Tally:
    """What one bot has got so far."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: int = 0
    moves: int = 0
    thought_ns: int = 0

    @property
    def games(self) -> int:
        """Those that were played to an end, and counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def milliseconds_a_move(self) -> float:
        return self.thought_ns / max(1, self.moves) / 1e6

    def count(self, result: pb.SeatResult) -> None:
        self.wins += result.half_points == 2
        self.draws += result.half_points == 1
        self.losses += result.half_points == 0
        self.score += result.score


@dataclass
class Series:
    """Two bots and what becomes of their games, the first seat changing hands each time."""

    game: AnyGame
    bots: Sequence[Bot]
    seed: str
    tallies: tuple[Tally, Tally] = field(default_factory=lambda: (Tally(), Tally()))

    def play(self, games: int) -> Iterator[tuple[int, tuple[int, int], LocalMatch]]:
        """Each game's number from 1, the bots by seat, and the finished match.

        Raises ``BotFailed`` where a bot does; earlier games have been counted.
        """
        for number in range(1, games + 1):
            by_seat = (0, 1) if number % 2 else (1, 0)
            seats = [self._seat(bot, number) for bot in by_seat]
            match = play_local(
                self.game,
                seats,
                PrivateKey(self._secret(f"referee {number}")),
                self._secret(f"deck {number}"),
                now_us=lambda: 0,
                match=f"g{number}",
                entrants=by_seat,
            )
            for bot, result in zip(by_seat, match.close.seats, strict=True):
                self.tallies[bot].count(result)
            for seat, bot in enumerate(by_seat):
                program = self.bots[bot]
                if isinstance(program, LineBot):
                    program.over(f"g{number}", seat, match.close)
            yield number, by_seat, match

    def _seat(self, bot: int, number: int) -> LocalSeat:
        def choose(turn: Turn) -> Any:
            return self._choose(bot, number, turn)

        return LocalSeat(
            entry=PrivateKey(self._secret(f"entry {bot}")),
            key=PrivateKey(self._secret(f"match key {bot} {number}")),
            stored=self._secret(f"stored {bot} {number}"),
            choose=choose,
        )

    def _choose(self, bot: int, number: int, turn: Turn) -> Any:
        start = time.perf_counter_ns()
        try:
            move = self.bots[bot].choose(turn)
        except LineBotFailed as failed:
            raise BotFailed(bot, number, str(failed)) from failed
        except (Exception, SystemExit) as error:
            what = f"raised {type(error).__name__}"
            raise BotFailed(bot, number, what, trace_of(error)) from error
        self.tallies[bot].thought_ns += time.perf_counter_ns() - start
        self.tallies[bot].moves += 1
        if move not in turn.legal:
            raise BotFailed(bot, number, f"chose {move!r}, which is no legal move")
        return move

    def _secret(self, purpose: str) -> bytes:
        return secret_of(self.seed, purpose)


def trace_of(error: BaseException) -> str:
    """The traceback of what a bot raised, without the frame of ours that asked it."""
    trace = error.__traceback__
    return "".join(traceback.format_exception(type(error), error, trace and trace.tb_next))


def secret_of(seed: str, purpose: str) -> bytes:
    """32 bytes that are a function of both texts. As secret as the seed is."""
    return hashlib.sha256(f"{seed}\n{purpose}".encode()).digest()
