"""Pairs of games over the same decks, the bots changing seats: luck counts for both alike.

A pair's two games have one opening, byte for byte: their keys and secrets belong to seats and
not to bots, so every deck that both of them shuffle is the same, card for card. Each game has
fresh processes for its bots, which cannot know from the first what comes in the second.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard_client.bot import UnknownBot
from aboveboard_client.measuring.bot_process import BotProcess, Failed
from aboveboard_client.series import BotFailed, Tally, secret_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.local import LocalMatch, LocalSeat, play_local
from aboveboard_referee.match.player import Turn
from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial

LEGS = ((0, 1), (1, 0))
"""The bots by seat in a pair's first and second game."""


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: its number in the series from 1, and the bots by seat."""

    number: int
    by_seat: tuple[int, int]
    match: LocalMatch

    def half_points(self, bot: int) -> int:
        """What a bot gained."""
        return self.match.close.seats[self.by_seat.index(bot)].half_points


@dataclass
class Duplicate:
    """Two bots by their specs, and what becomes of their pairs of games."""

    game: AnyGame
    specs: Sequence[str]
    seed: str
    tallies: tuple[Tally, Tally] = field(default_factory=lambda: (Tally(), Tally()))
    pairs: Pentanomial = field(default_factory=Pentanomial)  # as the first bot has them

    def try_bots(self) -> None:
        """Make each bot once, to see whether there is one. Raises ``UnknownBot``."""
        for spec in self.specs:
            with BotProcess(spec, secret_of(self.seed, "trial"), self.game.name) as process:
                try:
                    process.wait()
                except Failed as failure:
                    raise UnknownBot(f"{spec} {failure}") from failure

    def play(self, pairs: int) -> Iterator[tuple[PlayedGame, PlayedGame]]:
        """Each pair once it is played and counted.

        Raises ``BotFailed`` where a bot does; earlier pairs have been counted.
        """
        for number in range(1, pairs + 1):
            first, second = (self._play(number, leg) for leg in range(2))
            for played in (first, second):
                for bot, result in zip(played.by_seat, played.match.close.seats, strict=True):
                    self.tallies[bot].count(result)
            self.pairs = self.pairs.plus(first.half_points(0) + second.half_points(0))
            yield first, second

    def _play(self, pair: int, leg: int) -> PlayedGame:
        by_seat = LEGS[leg]
        number = 2 * pair - 1 + leg
        seeds = [secret_of(self.seed, f"bot {bot} game {number}") for bot in by_seat]
        specs = [self.specs[bot] for bot in by_seat]
        with (
            BotProcess(specs[0], seeds[0], self.game.name) as lower,
            BotProcess(specs[1], seeds[1], self.game.name) as higher,
        ):
            match = play_local(
                self.game,
                [
                    self._seat(pair, seat, by_seat[seat], number, process)
                    for seat, process in enumerate((lower, higher))
                ],
                PrivateKey(secret_of(self.seed, f"referee of pair {pair}")),
                secret_of(self.seed, f"deck of pair {pair}"),
                now_us=lambda: 0,
                match=f"p{pair}",
            )
        return PlayedGame(number, by_seat, match)

    def _seat(self, pair: int, seat: Seat, bot: int, number: int, process: BotProcess) -> LocalSeat:
        def choose(turn: Turn) -> Any:
            try:
                move, thought_ns = process.choose(turn)
            except Failed as failure:
                raise BotFailed(bot, number, str(failure), failure.trace) from failure
            self.tallies[bot].thought_ns += thought_ns
            self.tallies[bot].moves += 1
            return move

        return LocalSeat(
            entry=PrivateKey(secret_of(self.seed, f"entry of seat {seat}")),
            key=PrivateKey(secret_of(self.seed, f"match key of pair {pair} seat {seat}")),
            stored=secret_of(self.seed, f"stored of pair {pair} seat {seat}"),
            choose=choose,
        )
