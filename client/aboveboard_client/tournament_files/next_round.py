"""One round more of a tournament that came from a file."""

from dataclasses import replace

from aboveboard_client.errors import WrongUse
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.history import ABSENT_BYE, Ask, Bye, Drawn, Entrant, Round, Table
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.systems.plan import Plan


def ask_for(
    sheet: Sheet,
    away: frozenset[Entrant],
    by_hand: tuple[tuple[Entrant, Entrant], ...],
    seed: bytes,
) -> Ask:
    """The round that comes next; ``WrongUse`` if the one before is not over.

    Tables that the file itself has by hand are made as far as their entrants are there.
    """
    for drawn in sheet.history.rounds:
        for table in drawn.tables:
            if not table.decided:
                raise WrongUse(f"round {drawn.number} is not over: {table.name} has no result")
    out = away | sheet.left | {bye.entrant for bye in sheet.coming}
    present = tuple(entrant for entrant in sheet.history.order if entrant not in out)
    fixed = (*(table for table in sheet.fixed if set(table) <= set(present)), *by_hand)
    seen: set[Entrant] = set()
    for entrant in (entrant for table in fixed for entrant in table):
        if entrant in seen:
            raise WrongUse(f"{sheet.names[entrant]} has two places by hand")
        if entrant in out:
            raise WrongUse(f"{sheet.names[entrant]} has a place by hand and is away")
        seen.add(entrant)
    return Ask(len(sheet.history.rounds) + 1, present, seed, fixed)


def draw(sheet: Sheet, plan: Plan, ask: Ask) -> Drawn:
    """What the plan's system makes of it; ``WrongUse`` if that is nothing."""
    system = all_systems().get(plan.system)
    if system is None:
        raise WrongUse(
            f"there is no system {plan.system[:40]!r}; there are {', '.join(all_systems())}"
        )
    if (wrong := system.wrong(plan)) is not None:
        said = "" if plan.divisions or plan.system != "league" else "; --divisions says them"
        raise WrongUse(f"{plan.system} cannot have {wrong}{said}")
    try:
        found = system.draw(plan, sheet.history, ask)
    except ValueError as error:
        raise WrongUse(f"{plan.system} cannot go on from there: {error}") from None
    if found is None:
        raise WrongUse(f"there is no round {ask.number}: {_why_none(plan, ask)}")
    return found


def _why_none(plan: Plan, ask: Ask) -> str:
    if plan.rounds and ask.number > plan.rounds:
        return f"{plan.rounds} are planned; --rounds plans more"
    if len(ask.present) < 2:
        return f"{len(ask.present) or 'none'} of the entrants can play in it"
    return f"by its system, {plan.system}, the tournament is over"


def with_round(sheet: Sheet, drawn: Drawn, ask: Ask, away: frozenset[Entrant]) -> Sheet:
    """The tournament with one round more, of which nothing is decided."""
    tables = tuple(
        Table(
            f"r{ask.number}-b{board}",
            entrants,
            None,
            seatings=(entrants,),
            by_hand=entrants in ask.by_hand,
        )
        for board, entrants in enumerate(drawn.tables, 1)
    )
    asked = {bye.entrant for bye in sheet.coming}
    missing = [Bye(entrant, ABSENT_BYE, 0) for entrant in sorted(away - asked - sheet.left)]
    byes = (*drawn.byes, *sheet.coming, *missing)
    rounds = (*sheet.history.rounds, Round(ask.number, tables, byes))
    history = replace(sheet.history, rounds=rounds)
    return replace(sheet, history=history, coming=(), fixed=(), over=False)
