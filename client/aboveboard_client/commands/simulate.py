"""``aboveboard simulate``: what a pairing system makes of strengths, before it is chosen."""

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from aboveboard_client.commands.followed import FOLLOWERS, check_followed
from aboveboard_client.commands.simulate_report import say_summaries
from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.durations import seconds
from aboveboard_client.terminal.output import (
    Live,
    stderr,
)
from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.history import MOST_SEATS
from aboveboard_referee.tournament.simulate.measures import Summary
from aboveboard_referee.tournament.simulate.playing import SEEDINGS, Setting, play
from aboveboard_referee.tournament.simulate.stream import Stream
from aboveboard_referee.tournament.simulate.strengths import Model, strengths_of
from aboveboard_referee.tournament.systems.plan import Plan, table_point

MOST_ENTRANTS = 10_000
MOST_STRENGTH = 100_000
ENTRANTS = 16
SIGMA = 200


@dataclass(frozen=True)
class _Options:
    """What makes a plan of a system, and matches of a table."""

    seats: int
    games: int
    legs: int
    accelerated: int
    deciders: int

    def setting(self, name: str, rounds: int) -> Setting:
        """A form of tournament. Whether its system can follow it is not looked at."""
        point = table_point(self.games) if self.seats > 2 else 2 * self.games
        if self.deciders and self.seats == 2:
            point = 2
        plan = Plan(
            system=name,
            rounds=rounds,
            seats=self.seats,
            sizes=tuple(range(2, self.seats + 1)),
            point=point,
            bye=point,
            legs=self.legs if name in FOLLOWERS["--legs"] else 1,
            accelerated=self.accelerated if name in FOLLOWERS["--accelerated"] else 0,
        )
        return Setting(all_systems()[name], plan, self.games, self.deciders)


def _strengths(_: click.Context, __: click.Parameter, text: str | None) -> tuple[int, ...]:
    """``1500,1620,1480`` as numbers."""
    words = text.split(",") if text is not None else []
    try:
        found = tuple(int(word) for word in words)
    except ValueError:
        found = (MOST_STRENGTH + 1,)
    if any(abs(number) > MOST_STRENGTH for number in found) or len(found) == 1:
        raise click.BadParameter('must be two or more whole numbers like "1500,1620,1480"')
    return found


@click.command()
@click.option(
    "--system",
    "-s",
    "names",
    multiple=True,
    help="A pairing system; give several to compare them.  [default: swiss, or swiss-tables]",
)
@click.option(
    "--entrants",
    "-n",
    type=click.IntRange(2),
    help=f"How many play.  [default: as many as --strengths, or {ENTRANTS}]",
)
@click.option(
    "--rounds",
    "-r",
    "rounds",
    multiple=True,
    type=click.IntRange(1, 1000),
    help="For systems that have no number of their own; several are compared.  [default: as"
    " many as a knockout, and twice that]",
)
@click.option("--seats", default=2, show_default=True, type=click.IntRange(2, MOST_SEATS))
@click.option(
    "--games",
    default=1,
    show_default=True,
    type=click.IntRange(1, 200),
    help="Matches of a table, begun by each seat in turn.",
)
@click.option(
    "--deciders",
    default=0,
    show_default=True,
    type=click.IntRange(0, 20),
    help="The majority of a pairing's matches counts, with so many more where they are tied.",
)
@click.option(
    "--legs",
    type=click.IntRange(1, 200),
    help="How often everybody meets everybody in a round-robin or gauntlet.  [default: 1]",
)
@click.option(
    "--accelerated",
    type=click.IntRange(0, 1000),
    help="First rounds of a Swiss with virtual points.  [default: 0]",
)
@click.option(
    "--strengths",
    metavar="R,R,...",
    callback=_strengths,
    help="Ratings of the entrants. Without them each run draws some by chance.",
)
@click.option(
    "--sigma",
    type=click.IntRange(0, 10_000),
    help=f"How far ratings by chance spread: their standard deviation.  [default: {SIGMA}]",
)
@click.option(
    "--draws",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0, 0.95),
    help="How likely two equals draw, at tables of two.",
)
@click.option(
    "--first-seat",
    default=0,
    show_default=True,
    type=click.IntRange(-1000, 1000),
    help="What the first of two seats is worth in rating points, at tables of two.",
)
@click.option(
    "--seeding",
    type=click.Choice(SEEDINGS),
    default=SEEDINGS[0],
    show_default=True,
    help="The initial order: by lot, or the strongest first.",
)
@click.option("--runs", default=1000, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--seed", help="Any text; the same text gives the same numbers.")
@click.option(
    "--at-most",
    default="5m",
    show_default=True,
    callback=lambda _, __, text: seconds(text),
    help="Begin no further run after so long, like 30s or 10m.",
)
@click.option(
    "--output", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
def simulate(
    names: tuple[str, ...],
    entrants: int | None,
    rounds: tuple[int, ...],
    seats: int,
    games: int,
    deciders: int,
    legs: int | None,
    accelerated: int | None,
    strengths: tuple[int, ...],
    sigma: int | None,
    draws: float,
    first_seat: int,
    seeding: str,
    runs: int,
    seed: str | None,
    at_most: float,
    output: str,
) -> None:
    """Play whole tournaments of made-up entrants, to choose a system by.

    A difference of 400 rating points makes a win ten times as likely as a loss. For each
    system and number of rounds: how often the strongest entrant wins, where it ends on
    average, and how far the table is the true order (Kendall's tau: 1 is all of it, 0 none),
    each with the bounds of a 95 % interval; and what it costs in matches. In each run all
    systems have the same entrants.
    """
    if strengths and entrants not in (None, len(strengths)):
        raise WrongUse(f"--entrants is {entrants}, and --strengths has {len(strengths)}")
    if strengths and sigma is not None:
        raise WrongUse("--sigma means nothing where --strengths says the ratings")
    if deciders and seats > 2:
        raise WrongUse(f"--deciders means nothing at tables of {seats}; it is for pairings of two")
    chosen = names or ("swiss" if seats == 2 else "swiss-tables",)
    _check_names(chosen)
    check_followed({"--legs": legs, "--accelerated": accelerated}, chosen)
    entrants = len(strengths) or entrants or ENTRANTS
    if entrants > MOST_ENTRANTS:
        raise WrongUse(f"{entrants} entrants are more than {MOST_ENTRANTS}")
    seed = secrets.token_hex(8) if seed is None else seed
    options = _Options(seats, games, legs or 1, accelerated or 0, deciders)
    settings = list(_settings(options, chosen, rounds, entrants))
    summaries = [Summary() for _ in settings]
    model = Model(draws, first_seat)
    until = time.monotonic() + at_most
    done = 0
    with Live() as live:
        for number in range(runs):
            if number and time.monotonic() > until:
                break
            ratings = strengths or strengths_of(
                Stream(seed.encode(), f"strengths {number}"),
                entrants,
                SIGMA if sigma is None else sigma,
            )
            for setting, summary in zip(settings, summaries, strict=True):
                live.show(f"run {number + 1} of {runs}: {_name(setting)}")
                played = play(setting, ratings, model, seeding, seed.encode(), number)
                summary.add(ratings, played.ranks, len(played.history.rounds), played.matches)
            done += 1
    if done < runs:
        stderr().print(
            f"stopped after {done} of {counted(runs, 'run')}; --at-most allows more", style="yellow"
        )
    say_summaries(settings, summaries, entrants, seed, output)


def _settings(
    options: _Options, names: Sequence[str], rounds: Sequence[int], entrants: int
) -> Iterator[Setting]:
    """Every form to be tried; ``WrongUse`` for what a system cannot follow."""
    fewest = (entrants - 1).bit_length()
    ruled = False
    for name in dict.fromkeys(names):
        own = options.setting(name, 0)
        if own.system.wrong(own.plan) is None and own.system.rounds(own.plan, entrants):
            yield own
            continue
        ruled = True
        for number in dict.fromkeys(rounds or (fewest, 2 * fewest)):
            setting = options.setting(name, number)
            wrong = setting.system.wrong(setting.plan)
            if wrong is not None:
                raise WrongUse(f"{name} cannot have {wrong}")
            yield setting
    if rounds and not ruled:
        raise WrongUse(
            f"--rounds means nothing to {', '.join(dict.fromkeys(names))}:"
            " how many there are follows from the entrants"
        )


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if name == "league":
            raise WrongUse(
                "a league's divisions are round-robins of their own: simulate round-robin with"
                " the entrants of one"
            )
        if name not in all_systems():
            known = ", ".join(name for name in all_systems() if name != "league")
            raise WrongUse(f"there is no system {name[:40]!r}; there are {known}")


def _name(setting: Setting) -> str:
    rounds = f" of {counted(setting.plan.rounds, 'round')}" if setting.plan.rounds else ""
    return f"{setting.system.name}{rounds}"
