"""``aboveboard score allegra``."""

from typing import cast

import click

from aboveboard_client.commands.score_options import as_json
from aboveboard_client.errors import WrongUse
from aboveboard_client.scoring.allegra import (
    FEWEST,
    MOST,
    beyond_the_deck,
    score_table,
    typed_grid,
)
from aboveboard_client.terminal.output import say, say_json, say_table, stderr
from aboveboard_referee.games import registry
from aboveboard_referee.games.allegra import AllegraRules


@click.command("allegra", context_settings={"ignore_unknown_options": True})
@click.argument("grids", nargs=-1, required=True, metavar="GRID...")
@click.option(
    "--trigger", type=click.IntRange(min=0), help="The seat that ended the round, from 0."
)
@as_json
def score_allegra(grids: tuple[str, ...], trigger: int | None, json_: bool) -> None:
    """Score a table of Allegra: a GRID for each seat, by seat.

    A grid is three rows with / between them, of four cells each: a value, # for a card face
    down or #3 where it is known, . for a gap. A seat's area is its grid and the rightmost
    column of the next seat's. Equal cards in lines are removed; then sums are told of what
    lies open and, where every card is known, of all cards turned.

    \b
    Example:
      aboveboard score allegra "1 2 . 3/4 5 6 3/# # 0 3" "7 7 7 1/. . 2 2/5 #4 3 0"
    """
    if not FEWEST <= len(grids) <= MOST:
        raise WrongUse(
            f"a table has {FEWEST} to {MOST} grids, not {len(grids)}: areas share a column"
        )
    if trigger is not None and trigger >= len(grids):
        raise WrongUse(f"there is no seat {trigger}; there are {len(grids)}, from 0")
    table = [typed_grid(seat, grid) for seat, grid in enumerate(grids)]
    rules = cast("AllegraRules", registry.game("allegra").rules)
    for line in beyond_the_deck(rules, table):
        stderr().print(line, style="yellow")
    found = score_table(rules, table, trigger)
    seats = [
        {
            "open": found.open[seat],
            "turned": None if found.turned is None else found.turned[seat],
            "final": None if found.final is None else found.final[seat],
            "score": None if found.scores is None else found.scores[seat],
        }
        for seat in range(len(grids))
    ]
    removed, at_end = map(str, found.removed), map(str, found.removed_at_end)
    if json_:
        values = {"removed": list(removed), "removed_at_end": list(at_end), "seats": seats}
        say_json({**values, "trigger": trigger})
        return
    gone = " ".join(removed)
    say(f"removed in lines: {gone or 'none'}")
    if found.final is not None:
        say(f"removed once all are turned: {' '.join(at_end) or 'none'}")
    rows = [
        (f"seat {number}", *("-" if value is None else str(value) for value in seat.values()))
        for number, seat in enumerate(seats)
    ]
    header = ("area of", "open", "all turned", "lines removed", "score")
    say_table(header, rows, set(header[1:]))
    if found.final is None:
        say("a card face down is not known, so only what lies open can be summed")
