"""``aboveboard play``: two bots against each other, here and now."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from aboveboard_client.bot import Bot, UnknownBot, ending, load, plays
from aboveboard_client.commands.play_pairs import MOST_GAMES, Pairs, sprt_bounds, sprt_of
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.measuring.duplicate import Duplicate
from aboveboard_client.series import BotFailed, Series, Tally, secret_of
from aboveboard_client.terminal.output import Live, printable, say, say_table
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.local import LocalMatch
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.ratings.sprt import LOGISTIC, SCALES

GAMES = 10


@click.command()
@click.argument("bots", nargs=2, metavar="BOT BOT")
@click.option("--game", "-g", "game_name", required=True, help="Which rules, e.g. cribbage.")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    help=f"Games to play.  [default: {GAMES}; with --sprt at most {MOST_GAMES}]",
)
@click.option(
    "--seed",
    help="Any text; the same text gives the same decks. Without it a random one is used.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play pairs of games over the same decks with seats exchanged, so that luck counts "
    "for both alike. Each game has fresh processes for its bots.",
)
@click.option(
    "--sprt",
    "bounds",
    metavar="ELO0,ELO1[,ALPHA,BETA]",
    type=sprt_bounds,
    help="Play such pairs until it is decided whether the first bot is ELO0 or ELO1 better, "
    "each wrong in ALPHA or BETA of all cases (0.05 both).",
)
@click.option(
    "--elo",
    "scale",
    type=click.Choice(SCALES),
    help=f"What those Elo are: logistic ones, or normalized by the spread of results."
    f"  [default: {LOGISTIC}]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a transcript of each game to this folder, to be verified or shown.",
)
def play(
    bots: tuple[str, str],
    game_name: str,
    games: int | None,
    seed: str | None,
    duplicate: bool,
    bounds: tuple[float, float, float, float] | None,
    scale: str | None,
    out: Path | None,
) -> None:
    """Play BOT against BOT on this machine, without a server.

    A BOT is the name of one that comes along (house, random, ...) or your own as
    path/to/file.py:Class. Rules, dealing and judging are those of a tournament; the
    bots take turns at the first seat.

    With --sprt, exits with 0 if the first bot is ELO1 rather than ELO0 better, and with 1 if
    it is the other way round or the games ran out before that was decided; one line says
    which: H0, or undecided.
    """
    try:
        game = registry.game(game_name)
    except UnknownGame as error:
        raise WrongUse(str(error)) from None
    if bounds is None and scale is not None:
        raise click.UsageError("--elo says what the Elo of --sprt are, which is not given.")
    sprt = None if bounds is None else sprt_of(bounds, scale or LOGISTIC)
    in_pairs = duplicate or sprt is not None
    games = games or (GAMES if sprt is None else MOST_GAMES)
    if in_pairs and games % 2:
        raise click.UsageError("--games must be even, for games are played in pairs.")
    seed = secrets.token_hex(8) if seed is None else seed
    names = (bots[0], bots[1] if bots[0] != bots[1] else f"{bots[1]} (2)")
    run = _Run(names, seed, None if out is None else _Folder(out))
    if in_pairs:
        run.pairs(Pairs(Duplicate(game, bots, seed), names, sprt), games)
    else:
        players = _loaded(bots, game.name, seed)
        with ending(*players):
            run.games(Series(game, players, seed), games)


@dataclass(frozen=True)
class _Run:
    """What any run of two bots has: names, a seed, and perhaps a folder for transcripts."""

    names: tuple[str, str]
    seed: str
    folder: "_Folder | None"

    def games(self, series: Series, games: int) -> None:
        """Games over decks of their own."""
        self._begin(f"{games} x {series.game.name}")
        with self._telling(series), Live() as live:
            for number, by_seat, match in series.play(games):
                self._keep(number, match)
                _tell(live, series, self.names, games, number, by_seat, match)
        self._end()

    def pairs(self, pairs: Pairs, games: int) -> None:
        """Pairs of games over the same decks."""
        try:
            pairs.series.try_bots()
        except UnknownBot as error:
            raise WrongUse(str(error)) from None
        most = "" if pairs.sprt is None else "at most "
        self._begin(f"{most}{games} x {pairs.series.game.name}, in pairs")
        try:
            with self._telling(pairs.series):
                pairs.play(games // 2, lambda game: self._keep(game.number, game.match))
        finally:
            pairs.say()
        self._end()
        pairs.judge()

    def _begin(self, what: str) -> None:
        first, second = self.names
        say(f"{first} against {second}, {what}, {self._seed}")

    @property
    def _seed(self) -> str:
        return f"seed {printable(self.seed)}"

    @contextmanager
    def _telling(self, series: Series | Duplicate) -> Iterator[None]:
        """Tell the result so far, however the games end, and whose fault that was."""
        try:
            yield
        except BotFailed as failure:
            click.echo(failure.trace, err=True, nl=False)
            raise WrongUse(
                f"{self.names[failure.bot]} {printable(str(failure))} in game {failure.game}; "
                f"to see it again: --{self._seed}"
            ) from failure
        finally:
            if any(tally.games for tally in series.tallies):
                _say_result(series.tallies, self.names)

    def _keep(self, number: int, match: LocalMatch) -> None:
        if self.folder is not None:
            self.folder.write(number, match)

    def _end(self) -> None:
        if self.folder is not None:
            at = self.folder
            say(f"transcripts in {at.path}; look at one with: aboveboard show {at.file(1)}")


def _loaded(bots: Sequence[str], game_name: str, seed: str) -> list[Bot]:
    return [_load(spec, game_name, secret_of(seed, f"bot {i}")) for i, spec in enumerate(bots)]


def _load(spec: str, game_name: str, seed: bytes) -> Bot:
    try:
        bot = load(spec, seed)
    except UnknownBot as error:
        raise WrongUse(str(error)) from None
    if not plays(bot, game_name):
        raise WrongUse(f"{spec} does not play {game_name}")
    return bot


def _tell(
    live: Live,
    series: Series,
    names: tuple[str, str],
    games: int,
    number: int,
    by_seat: tuple[int, int],
    match: LocalMatch,
) -> None:
    points = " - ".join(f"{name} {tally.points:g}" for name, tally in zip(names, series.tallies))
    live.show(f"game {number} of {games}: {points}")
    if not live.on_terminal:
        score = " - ".join(
            f"{names[bot]} {row.score}" for bot, row in zip(by_seat, match.close.seats)
        )
        live.say(f"game {number}: {score} ({reason_text(match.close.reason)})")


def _say_result(tallies: Sequence[Tally], names: tuple[str, str]) -> None:
    rows = [
        (
            name,
            f"{tally.points:g}",
            str(tally.wins),
            str(tally.draws),
            str(tally.losses),
            str(tally.score),
            f"{tally.milliseconds_a_move:.2f}",
        )
        for name, tally in zip(names, tallies, strict=True)
    ]
    header = ("bot", "points", "won", "drawn", "lost", "score", "ms a move")
    say_table(header, rows, right=header[1:])


class _Folder:
    """Where transcripts are written; none that is there already is touched."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            taken = next(path.glob("g*.records"), None)
        except FileExistsError:
            raise WrongUse(f"{path} is a file, not a folder") from None
        except OSError as error:
            raise OutsideFailure(f"{path} cannot be used: {error.strerror}") from error
        if taken is not None:
            raise WrongUse(f"{path} holds transcripts already, such as {taken.name}")

    def file(self, number: int) -> Path:
        return self.path / f"g{number}.records"

    def write(self, number: int, match: LocalMatch) -> None:
        try:
            with open(self.file(number), "xb") as file:
                file.write(join(match.records))
        except OSError as error:
            raise OutsideFailure(f"{self.file(number)}: {error.strerror}") from error
