"""``aboveboard pair``: the next round of a tournament that came from a file."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from aboveboard_client.commands.followed import check_followed, sizes_of_divisions
from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.output import (
    printable,
    say,
    say_csv,
    say_json,
    say_table,
    say_title,
)
from aboveboard_client.tournament_files.next_round import ask_for, draw, with_round
from aboveboard_client.tournament_files.sheets import (
    FORMATS,
    Loaded,
    entrant_named,
    load,
    places,
    plan_of,
    put,
    seats_of,
    write,
)
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.history import (
    MOST_SEATS,
    Entrant,
    scores,
)
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.standings.tie_breaks import shown
from aboveboard_referee.tournament.systems.plan import Plan

_SEED = re.compile(r"[0-9a-fA-F]{64}")


@click.command()
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--seed",
    metavar="HEX",
    help="64 hex digits that decide between rounds that are equally good. Without them some"
    " are drawn, and told.",
)
@click.option("--system", help="A pairing system instead of the file's.")
@click.option("--rounds", type=click.IntRange(1, 1000), help="Rounds planned, if not the file's.")
@click.option(
    "--seats",
    type=click.IntRange(2, MOST_SEATS),
    help="Seats of a table, if not those so far.",
)
@click.option(
    "--accelerated",
    type=click.IntRange(0, 1000),
    help="How many first rounds of a Swiss have virtual points, if not the file's.",
)
@click.option(
    "--legs",
    type=click.IntRange(1, 1000),
    help="How often everybody meets everybody in a schedule, if not the file's.",
)
@click.option(
    "--reach",
    type=click.IntRange(1, 1000),
    help="How many rungs of a ladder can be challenged over, if not the file's.",
)
@click.option(
    "--divisions",
    metavar="N,N,...",
    callback=sizes_of_divisions,
    help="How many each division of a league has, by the initial order, if not the file's.",
)
@click.option(
    "--absent",
    multiple=True,
    metavar="NAME",
    help="Somebody who does not play this round, by name or start number.",
)
@click.option(
    "--by-hand",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    help="Two who are to meet in this round, the first seat first.",
)
@click.option("--anyway", is_flag=True, help="Leave records unheeded that would bind a pairing.")
@click.option(
    "--write",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the tournament with this round to a file that ends in .trf, .csv or .json.",
)
@click.option("--force", is_flag=True, help="Replace that file if there is one.")
@click.option(
    "--output", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
def pair(
    source: Path,
    seed: str | None,
    system: str | None,
    rounds: int | None,
    seats: int | None,
    accelerated: int | None,
    legs: int | None,
    reach: int | None,
    divisions: tuple[int, ...] | None,
    absent: tuple[str, ...],
    by_hand: tuple[tuple[str, str], ...],
    anyway: bool,
    target: Path | None,
    force: bool,
    output: str,
) -> None:
    """Pair the next round of the tournament in FILE, a TRF, CSV or JSON file.

    Who is away is said by the file (records 240 and XXZ of a TRF) or by --absent. A file
    that aboveboard export made has the tournament's own plan; of other files the plan is
    made of what they say and of these options. The same file, options and seed give the
    same round, always.
    """
    if seed is not None and not _SEED.fullmatch(seed):
        raise WrongUse("--seed must be 64 hex digits")
    if target is not None and _format(target) not in FORMATS:
        raise WrongUse(f"{target} does not end in .trf, .csv or .json")
    if source.is_dir():
        raise WrongUse(f"{source} is an archive, whose next round is drawn by its server")
    sheet = load(source).sheet
    if sheet.over and rounds is None:
        more = "; --rounds plans more" if sheet.rounds else ""
        raise WrongUse(
            f"{source}: the tournament is over after round {len(sheet.history.rounds)}{more}"
        )
    if sheet.unheeded and not anyway:
        raise WrongUse(
            f"{source} has records {', '.join(sheet.unheeded)}, which would bind this round and"
            " are not heeded; --anyway pairs without them"
        )
    seed = seed.lower() if seed else secrets.token_hex(32)
    away = frozenset(entrant_named(sheet, name) for name in absent)
    fixed = tuple((entrant_named(sheet, one), entrant_named(sheet, two)) for one, two in by_hand)
    ask = ask_for(sheet, away, fixed, bytes.fromhex(seed))
    seats = seats or seats_of(sheet)
    name = system or (sheet.system if sheet.system in all_systems() else _usual(seats))
    asked = {
        "--accelerated": accelerated,
        "--legs": legs,
        "--reach": reach,
        "--divisions": divisions,
    }
    if name in all_systems():
        check_followed(asked, (name,))
    plan = _with_options(plan_of(sheet, name, _rounds(sheet, name, rounds), seats), asked)
    paired = with_round(sheet, draw(sheet, plan, ask), ask, away)
    if target is not None:
        put(target, write(Loaded(paired, places(paired)), _format(target)), force)
    _say(paired, seed, output)
    if target is not None and output == "table":
        say(f"written to {target}")


def _rounds(sheet: Sheet, system: str, asked: int | None) -> int:
    """How many are planned. A file that does not say has this one at least."""
    planned = asked or sheet.rounds
    own = sheet.plan is not None and sheet.plan.system == system
    return planned if planned or own else len(sheet.history.rounds) + 1


def _with_options(plan: Plan, asked: Mapping[str, Any]) -> Plan:
    """The plan with what was asked for instead. Divisions are then filled by the order."""
    given = {name.removeprefix("--"): value for name, value in asked.items() if value is not None}
    if "divisions" in given:
        given["assigned"] = ()
    return replace(plan, **given)


def _format(path: Path) -> str:
    return path.suffix.removeprefix(".").lower()


def _usual(seats: int) -> str:
    return "swiss" if seats == 2 else "swiss-tables"


def _say(sheet: Sheet, seed: str, output: str) -> None:
    """The newest round."""
    drawn = sheet.history.rounds[-1]
    total = scores(sheet.history)
    # What the round's own byes bring is not what anybody came with.
    for bye in drawn.byes:
        total[bye.entrant] -= bye.units
    point = sheet.history.point

    def both(entrants: Sequence[Entrant]) -> tuple[str, str]:
        names = " - ".join(sheet.names[entrant] for entrant in entrants)
        return names, " - ".join(shown(total[entrant], point) for entrant in entrants)

    lines = [(table.name, *both(table.entrants)) for table in drawn.tables]
    lines += [(f"{bye.kind} bye", *both((bye.entrant,))) for bye in drawn.byes]
    if output == "csv":
        say_csv(("table", "players", "points"), lines)
    elif output == "json":
        say_json(
            {
                "title": sheet.title,
                "round": drawn.number,
                "seed": seed,
                "tables": [
                    {
                        "table": table.name,
                        "players": [sheet.names[entrant] for entrant in table.entrants],
                    }
                    for table in drawn.tables
                ],
                "byes": [
                    {
                        "player": sheet.names[bye.entrant],
                        "kind": bye.kind,
                        "points": bye.units / point,
                    }
                    for bye in drawn.byes
                ],
            }
        )
    else:
        say_title(f"{sheet.title or 'Tournament'}: round {drawn.number}, seed {seed}")
        say_table(
            ("table", "players, first seat first", "points so far"),
            [[printable(cell) for cell in line] for line in lines],
        )
