"""``aboveboard play --duplicate`` and ``--sprt``: pairs of games over the same decks."""

from collections.abc import Callable
from dataclasses import dataclass

import click

from aboveboard_client.errors import VerdictAgainst
from aboveboard_client.measuring.duplicate import Duplicate
from aboveboard_client.measuring.one_game import PlayedGame
from aboveboard_client.measuring.tally import Tally
from aboveboard_client.terminal.output import Live, printable, say, say_table
from aboveboard_referee.tournament.ratings.pentanomial import SCORES, Pentanomial, elo
from aboveboard_referee.tournament.ratings.sprt import Sprt, Verdict

MOST_GAMES = 20_000
"""Games of a sequential test unless something else is asked for."""


def sprt_bounds(text: str) -> tuple[float, float, float, float]:
    """An option's elo0, elo1, alpha and beta, the last two 0.05 where they are left out.

    Raises ``click.BadParameter``.
    """
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) == 2:
        numbers += [0.05, 0.05]
    if len(numbers) != 4:
        raise click.BadParameter(f'must be like "0,10" or "0,10,0.05,0.05", not {text[:40]!r}')
    elo0, elo1, alpha, beta = numbers
    return elo0, elo1, alpha, beta


def sprt_of(bounds: tuple[float, float, float, float], scale: str) -> Sprt:
    """The test with these bounds. Raises ``click.UsageError`` where there is none."""
    elo0, elo1, alpha, beta = bounds
    try:
        return Sprt(elo0, elo1, alpha, beta, scale)
    except ValueError as error:
        raise click.UsageError(f"--sprt: {error}.") from None


@dataclass
class Pairs:
    """A run of pairs, told as it goes."""

    series: Duplicate
    names: tuple[str, str]
    sprt: Sprt | None

    def play(self, pairs: int, keep: Callable[[PlayedGame], None], quiet: bool = False) -> None:
        """Play until the pairs or the test are at an end; ``keep`` is given each game.

        With ``quiet`` nothing is told of them but on a terminal.
        """
        with Live() as live:
            live.show(f"pair 1 of {pairs}")
            for number, games in enumerate(self.series.play(pairs), start=1):
                for game in games:
                    keep(game)
                gained = sum(game.half_points(0) for game in games)
                verdict = Verdict.RUNNING if self.sprt is None else self.sprt.add(gained)
                self._tell(live, number, pairs, games, quiet)
                if verdict is not Verdict.RUNNING:
                    return

    def _tell(
        self,
        live: Live,
        number: int,
        pairs: int,
        games: tuple[PlayedGame, PlayedGame],
        quiet: bool,
    ) -> None:
        llr = "" if self.sprt is None else f", LLR {self.sprt.llr:+.2f}"
        points = [
            f"{name} {tally.points:g}" for name, tally in zip(self.names, self.series.tallies)
        ]
        live.show(f"pair {number} of {pairs}: {' - '.join(points)}{llr}")
        if not live.on_terminal and not quiet:
            won = [
                f"{name} {sum(game.half_points(bot) for game in games) / 2:g}"
                for bot, name in enumerate(self.names)
            ]
            live.say(f"pair {number}: {' - '.join(won)}{llr}")

    def say(self) -> None:
        """What the pairs say of the first bot."""
        pairs = self.series.pairs
        if not pairs.pairs:
            return
        header = ("pairs of", *(f"{points:g}" for points in SCORES))
        say_table(header, [(self.names[0], *map(str, pairs.counts))], right=header[1:])
        line = f"{self.names[0]} scores {pairs.score:.3f} a game"
        if (interval := pairs.interval()) is None:
            every = "the only pair" if pairs.pairs == 1 else f"all {pairs.pairs} pairs alike"
            say(printable(f"{line}; no interval follows from {every}"))
            return
        low, high = interval
        elos = f"Elo {_elo(pairs.score)} ({_elo(low)} to {_elo(high)})"
        say(printable(f"{line} ({low:.3f} to {high:.3f}), {elos}"))
        say(_narrowing(pairs, self.series.tallies[0]))

    def judge(self, quiet: bool = False) -> None:
        """Say what the test came to; with ``quiet`` only if that is a verdict against.

        Raises ``VerdictAgainst`` for H0, and if it came to nothing: nothing shows the first
        bot to be better.
        """
        if self.sprt is None:
            return
        sprt, (first, second) = self.sprt, self.names
        lower, upper = sprt.bounds
        llr = f"LLR {sprt.llr:+.2f} ({lower:.2f} to {upper:.2f})"
        games = 2 * sprt.pairs.pairs
        if sprt.verdict is Verdict.RUNNING:
            raise VerdictAgainst(
                f"undecided after {games} games, {llr}: {first} is not shown to be better than"
                f" {second}; let them play more: --games"
            )
        more, less = (
            (sprt.elo1, sprt.elo0) if sprt.verdict is Verdict.H1 else (sprt.elo0, sprt.elo1)
        )
        line = (
            f"{sprt.verdict.value} after {games} games, {llr}: {first} is rather {more:+g} Elo "
            f"than {less:+g} against {second}"
        )
        if sprt.verdict is Verdict.H0:
            raise VerdictAgainst(line)
        if not quiet:
            say(printable(line, limit=500))


def _elo(score: float) -> str:
    difference = elo(score)
    return f"{difference:+.0f}" if abs(difference) < 10_000 else f"{difference:+}"


def _narrowing(pairs: Pentanomial, tally: Tally) -> str:
    """What the same decks for both were good for. Needs pairs that differ."""
    games = tally.games
    mean = tally.points / games
    squares = tally.wins + tally.draws / 4 - games * mean**2
    narrowing = pairs.narrowing(squares / (games - 1))
    if narrowing <= 0:
        return "the same decks for both have not narrowed that interval"
    return f"the same decks for both have narrowed that interval by {narrowing:.0%}"
