"""``aboveboard play``: two bots against each other, here and now."""

import secrets
import traceback
from pathlib import Path

import click

from aboveboard_client.bot import Bot, UnknownBot, load, plays
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.series import BotFailed, Series, secret_of
from aboveboard_client.terminal.output import Live, printable, say, say_table
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.local import LocalMatch
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.transcript import join


@click.command()
@click.argument("bots", nargs=2, metavar="BOT BOT")
@click.option("--game", "-g", "game_name", required=True, help="Which rules, e.g. cribbage.")
@click.option("--games", "-n", default=10, show_default=True, type=click.IntRange(min=1))
@click.option(
    "--seed",
    help="Any text; the same text gives the same decks. Without it a random one is used.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a transcript of each game to this folder, to be verified or shown.",
)
def play(
    bots: tuple[str, str], game_name: str, games: int, seed: str | None, out: Path | None
) -> None:
    """Play BOT against BOT on this machine, without a server.

    A BOT is the name of one that comes along (house, random, ...) or your own as
    path/to/file.py:Class. Rules, dealing and judging are those of a tournament; the
    bots take turns at the first seat.
    """
    try:
        game = registry.game(game_name)
    except UnknownGame as error:
        raise WrongUse(str(error)) from None
    seed = secrets.token_hex(8) if seed is None else seed
    names = (bots[0], bots[1] if bots[0] != bots[1] else f"{bots[1]} (2)")
    series = Series(
        game,
        [_load(spec, game.name, secret_of(seed, f"bot {i}")) for i, spec in enumerate(bots)],
        seed,
    )
    folder = None if out is None else _Folder(out)
    say(f"{names[0]} against {names[1]}, {games} x {game.name}, seed {printable(seed)}")
    try:
        with Live() as live:
            for number, by_seat, match in series.play(games):
                if folder is not None:
                    folder.write(number, match)
                _tell(live, series, names, games, number, by_seat, match)
    except BotFailed as failure:
        if failure.__cause__ is not None:
            trace = failure.__cause__.__traceback__
            # The frames above the bot's are ours and of no use to its author.
            traceback.print_exception(
                failure.__cause__.with_traceback(trace.tb_next if trace is not None else None)
            )
        raise WrongUse(
            f"{names[failure.bot]} {printable(str(failure))} in game {failure.game}; "
            f"to see it again: --seed {printable(seed)}"
        ) from failure
    finally:
        if any(tally.moves for tally in series.tallies):
            _say_result(series, names)
    if folder is not None:
        say(f"transcripts in {folder.path}; look at one with: aboveboard show {folder.file(1)}")


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


def _say_result(series: Series, names: tuple[str, str]) -> None:
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
        for name, tally in zip(names, series.tallies, strict=True)
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
