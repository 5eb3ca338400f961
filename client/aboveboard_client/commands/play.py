"""``aboveboard play``: bots against each other, here and now."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from aboveboard_client.bot import LOAD_SECONDS, UnknownBot
from aboveboard_client.commands.play_folder import Folder
from aboveboard_client.commands.play_pairs import MOST_GAMES, Pairs, sprt_bounds, sprt_of
from aboveboard_client.commands.play_report import Report
from aboveboard_client.commands.play_watch import watched_game
from aboveboard_client.errors import WrongUse
from aboveboard_client.measuring.duplicate import Duplicate, paired_plan
from aboveboard_client.measuring.one_game import MOVE_S, BotFailed, PlayedGame, Setting
from aboveboard_client.measuring.pool import own_cores
from aboveboard_client.measuring.tally import Tally
from aboveboard_client.series import Series, plan_of, play_plan, try_bots
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.durations import seconds
from aboveboard_client.terminal.output import Live, say
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.tournament.ratings.sprt import LOGISTIC, SCALES

GAMES = 10


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--game", "-g", "game_name", required=True, help="Which rules, e.g. cribbage.")
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    help=f"Games to play.  [default: {GAMES}; with --sprt at most {MOST_GAMES}]",
)
@click.option(
    "--seed",
    help="Any text; the same text gives the same games. Without it a random one is used.",
)
@click.option("--only", metavar="N", type=click.IntRange(min=1), help="Play game N alone.")
@click.option("--watch", is_flag=True, help="Show the game move by move; with --only, as a rule.")
@click.option(
    "--seat", type=click.IntRange(min=0), help="With --watch: show only what this seat sees."
)
@click.option(
    "--cores",
    type=click.IntRange(1, 1024),
    help="Games to play at once; no result depends on it.  [default: one a core]",
)
@click.option(
    "--move-time",
    default=f"{MOVE_S:g}s",
    show_default=True,
    metavar="DURATION",
    type=seconds,
    help="How long a bot may take for a move before it has failed; it has "
    f"{LOAD_SECONDS:g} s to begin.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play pairs of games over the same decks with seats exchanged, so that luck counts "
    "for both alike.",
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def play(
    bots: tuple[str, ...],
    game_name: str,
    games: int | None,
    seed: str | None,
    only: int | None,
    watch: bool,
    seat: int | None,
    cores: int | None,
    move_time: float,
    duplicate: bool,
    bounds: tuple[float, float, float, float] | None,
    scale: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play BOT against BOT on this machine, without a server.

    A BOT is the name of one that comes along (house, random, ...) or your own: NAME of a
    NAME.py here, or path/to/file.py:Class. Rules, dealing and judging are those of a
    tournament; the bots take turns at the first seat. Games that seat more take more bots.

    Each game has fresh bots in processes of their own, and is a function of the bots, the
    seed and its number: --only N plays that very game again.

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
    if not move_time:
        raise click.UsageError("--move-time must be longer than nothing.")
    in_pairs = duplicate or sprt is not None
    if len(bots) not in game.seats:
        few, most = game.seats[0], game.seats[-1]
        raise click.UsageError(f"{game.name} is for {few} to {most} bots, not {len(bots)}.")
    if in_pairs and len(bots) != 2:
        raise click.UsageError("pairs of games are between two bots.")
    if seat is not None and not watch:
        raise click.UsageError("--seat says what --watch shows, which is not given.")
    if seat is not None and seat >= len(bots):
        raise click.UsageError(f"--seat is from 0 to {len(bots) - 1}.")
    alone = only is not None or watch
    if only is not None and (games is not None or sprt is not None):
        raise click.UsageError("--only is one game; leave --games and --sprt out.")
    if watch and (games or 1) > 1:
        raise click.UsageError("--watch shows one game: leave --games out, or name it by --only.")
    if watch and as_json:
        raise click.UsageError("--watch is for people, --json for programs; choose one.")
    games = 1 if alone else games or (GAMES if sprt is None else MOST_GAMES)
    if in_pairs and not alone and games % 2:
        raise click.UsageError("--games must be even, for games are played in pairs.")
    setting = Setting(game.name, bots, secrets.token_hex(8) if seed is None else seed, move_time)
    names = _names(bots)
    report = Report(setting, names, games, in_pairs, as_json)
    processes = min(cores or own_cores(), games)
    run = _Run(report, setting, processes, None if out is None else Folder(out))
    try:
        try_bots(setting)
    except UnknownBot as error:
        raise WrongUse(str(error)) from None
    if alone:
        run.one(only or 1, seat, watch=watch)
    elif in_pairs:
        run.pairs(Pairs(Duplicate(setting, run.processes), (names[0], names[1]), sprt), games)
    else:
        run.games(Series(setting, run.processes), games)


@dataclass(frozen=True)
class _Run:
    """What any run has: whom it tells, what its games are, and perhaps where they are kept."""

    report: Report
    setting: Setting
    processes: int
    folder: Folder | None

    def games(self, series: Series, games: int) -> None:
        """Games over decks of their own."""
        self.report.begin(self.processes)
        with self._telling(series.tallies), Live() as live:
            live.show(f"game 1 of {games}")
            for played in series.play(games):
                self._keep(played)
                self.report.game(live, played, series.tallies)
        self._end(1)

    def one(self, number: int, seat: int | None, *, watch: bool) -> None:
        """One game of a run, and nothing of the others."""
        bots = len(self.setting.specs)
        plan = paired_plan(number) if self.report.in_pairs else plan_of(number, bots)
        tallies = [Tally() for _ in range(bots)]
        self.report.begin(1)
        with self._telling(tallies):
            if watch:
                played = watched_game(self.setting, plan, self.report.names, seat)
            else:
                played = play_plan(self.setting, plan)
            self._keep(played)
            self.report.keep(played)
            played.count_for(tallies)
            if not self.report.as_json:
                say(f"game {number}: {self.report.score(played)}")
        self._end(number)

    def pairs(self, pairs: Pairs, games: int) -> None:
        """Pairs of games over the same decks."""
        self.report.begin(self.processes)

        def keep(played: PlayedGame) -> None:
            self._keep(played)
            self.report.keep(played)

        try:
            with self._telling(pairs.series.tallies):
                pairs.play(games // 2, keep, quiet=self.report.as_json)
        finally:
            if not self.report.as_json:
                pairs.say()
        self._end(1)
        pairs.judge(quiet=self.report.as_json)

    @contextmanager
    def _telling(self, tallies: Sequence[Tally]) -> Iterator[None]:
        """Tell the result so far, however the games end, and whose fault that was."""
        failed = None
        try:
            yield
        except BotFailed as failure:
            failed = failure
            raise WrongUse(self.report.failed(failure)) from failure
        finally:
            self.report.result(tallies, failed)

    def _keep(self, played: PlayedGame) -> None:
        if self.folder is not None:
            self.folder.write(played)

    def _end(self, first: int) -> None:
        if self.folder is not None and not self.report.as_json:
            at = self.folder
            look = command_line("show", at.file(first))
            say(f"transcripts in {at.path}; look at one with: {look}")


def _names(bots: Sequence[str]) -> list[str]:
    """What the bots are called: as they were named, numbered where that is the same."""
    return [
        f"{bot} ({bots[: place + 1].count(bot)})" if bot in bots[:place] else bot
        for place, bot in enumerate(bots)
    ]
