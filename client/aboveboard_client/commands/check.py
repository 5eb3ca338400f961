"""``aboveboard check``: a bot in every game and at every awkward moment."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from aboveboard_client.bot import UnknownBot, rule_sets
from aboveboard_client.checking.cases import Case, all_cases
from aboveboard_client.checking.explain import explain, repeat_command
from aboveboard_client.checking.report import as_json, say_summary
from aboveboard_client.checking.result import Result
from aboveboard_client.checking.run import Check
from aboveboard_client.commands.check_server import suspended_there
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.measuring.pool import own_cores
from aboveboard_client.terminal.addresses import check_address
from aboveboard_client.terminal.durations import seconds
from aboveboard_client.terminal.output import Live, printable, say, say_json, stderr
from aboveboard_referee.counted import counted
from aboveboard_referee.games import registry

MOVE_TIME = "10s"
EXPLAINED = 5
"""Failures that are explained in full; of further ones there is a line each."""


@click.command()
@click.argument("bot_spec", metavar="BOT")
@click.option(
    "--game",
    "-g",
    "games",
    multiple=True,
    help="Try this game alone, e.g. cribbage or nebraska:poker; can be repeated.",
)
@click.option(
    "--only",
    "only",
    metavar="CASE",
    multiple=True,
    help="Try this case alone, as the report names it, or all that begin so "
    "(nebraska:family/3); can be repeated.",
)
@click.option(
    "--move-time",
    metavar="DURATION",
    help=f"How long the bot may take for a move.  [default: {MOVE_TIME}]",
)
@click.option(
    "--cores",
    type=click.IntRange(1, 1024),
    help="Cases to try at once.  [default: one a core]",
)
@click.option("--json", "as_json_", is_flag=True, help="The report as one JSON object.")
@click.option(
    "--server",
    "address",
    metavar="HOST:PORT",
    help="After a pass, tell this tournament that the bot was checked, which readmits a "
    "suspended one. Needs --key.",
)
@click.option(
    "--key", "key_file", type=click.Path(path_type=Path), help="The key file that it joined with."
)
@click.option(
    "--force", is_flag=True, help="With --server: also if that takes a running bot's connection."
)
def check(
    bot_spec: str,
    games: tuple[str, ...],
    only: tuple[str, ...],
    move_time: str | None,
    cores: int | None,
    as_json_: bool,
    address: str | None,
    key_file: Path | None,
    force: bool,
) -> None:
    """Try BOT in all games, with all numbers of seats and at every awkward moment.

    A BOT is named as for `aboveboard play`. It runs in a process of its own, which is ended
    where it hangs. Each failure is explained and comes with the command that repeats it; the
    same case has the same cards at every run. docs/check.md says what is tried.

    Exits with 0 if the bot passed, with 1 if it failed anything.
    """
    if (address is None) != (key_file is None):
        raise click.UsageError("--server and --key go together.")
    if address is not None:
        check_address(address)
        if only or games:
            raise click.UsageError("--server needs the whole check, without --only and --game.")
    move_s = seconds(move_time or MOVE_TIME)
    if not move_s:
        raise click.UsageError("--move-time must be longer than nothing.")
    try_all = partial(_try_all, bot_spec, games, only, move_time, move_s, cores, as_json_)
    if address is None or key_file is None:
        try_all()
        return
    tell = stderr().print if as_json_ else say
    with suspended_there(address, key_file, tell, force=force) as tell_server:
        if tell_server is not None:
            try_all()
            tell_server()


def _try_all(
    bot_spec: str,
    games: Sequence[str],
    only: Sequence[str],
    move_time: str | None,
    move_s: float,
    cores: int | None,
    as_json_: bool,
) -> None:
    """Try the bot and say what came of it. Raises ``VerdictAgainst`` if it did not pass."""
    with Live() as live:
        telling = _Telling(live, bot_spec, move_time, quiet=as_json_)
        tried = Check(bot_spec, move_s, telling.told)
        try:
            cases = _selected(tried.games(), games, only, bot_spec)
            telling.begins(cases)
            tried.run(cases, cores or own_cores())
        except UnknownBot as error:
            raise WrongUse(str(error)) from None
    if as_json_:
        say_json(as_json(tried, move_time))
    else:
        say_summary(tried)
    if not tried.passed:
        raise VerdictAgainst(f"{printable(bot_spec)} failed {_count(tried)}")


def _count(tried: Check) -> str:
    missing = sum(not result.tried for result in tried.results)
    more = f", and {missing} were not tried" if missing else ""
    return f"{len(tried.failed)} of {counted(len(tried.results), 'case')}{more}"


def _selected(
    played: Sequence[str], games: Sequence[str], only: Sequence[str], spec: str
) -> list[Case]:
    """The cases that are to be tried. Raises ``WrongUse`` where there is none."""
    try:
        wanted = set(played) if not games else set().union(*map(rule_sets, games))
    except registry.UnknownGame as error:
        raise WrongUse(str(error)) from None
    cases = all_cases([name for name in played if name in wanted])
    if only:
        cases = [case for case in cases if any(_begins(case.name, start) for start in only)]
    if cases:
        return cases
    if only:
        raise WrongUse(f"no case of {printable(spec)} is named {printable(', '.join(only))}")
    raise WrongUse(f"{printable(spec)} does not play {printable(', '.join(games))}")


def _begins(name: str, start: str) -> bool:
    return f"{name}/".startswith(f"{start.rstrip('/')}/")


class _Telling:
    """Tells of cases as they end: of failures at once, of all others by a count."""

    def __init__(self, live: Live, spec: str, move_time: str | None, *, quiet: bool) -> None:
        self.cases = 0
        self._live = live
        self._spec = spec
        self._move_time = move_time
        self._quiet = quiet
        self._ended = 0
        self._failed = 0

    def begins(self, cases: Sequence[Case]) -> None:
        self.cases = len(cases)
        if not self._quiet:
            games = len({case.game for case in cases})
            many = "one rule set" if games == 1 else f"{games} rule sets"
            time = self._move_time or MOVE_TIME
            self._live.say(
                f"checking {printable(self._spec)} in {many}: {counted(self.cases, 'case')}, "
                f"{time} a move"
            )

    def told(self, result: Result) -> None:
        self._ended += 1
        self._live.show(f"{self._ended} of {counted(self.cases, 'case')}, {self._failed} failed")
        if result.failure is None or self._quiet:
            return
        self._failed += 1
        repeat = repeat_command(self._spec, result.case, self._move_time)
        if self._failed <= EXPLAINED:
            self._live.say("\n".join([*explain(result, repeat), ""]))
            return
        self._live.say(f"FAILED {result.case}: the bot {result.failure.what}; repeat it: {repeat}")
