"""Tournaments by chance, with names and all that files hold besides a history."""

from random import Random

from aboveboard_referee.tournament.history import ABSENT_BYE, REQUESTED_BYE, Bye, History
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.histories import random_history

TIE_BREAKS = ("buchholz-cut1", "buchholz", "sonneborn-berger", "wins")

LATE_WORD = "a name of far more than the thirty-three columns"


def sheet_of(history: History, **others: object) -> Sheet:
    """A sheet about a history, with names that say who it is."""
    values: dict[str, object] = {
        "title": "Cup",
        "history": history,
        "names": tuple(f"bot-{entrant}" for entrant in range(history.entrants)),
        **others,
    }
    return Sheet(**values)  # type: ignore[arg-type]  # fields by their names


def random_sheet(chance: Random, *, seats: int = 2, point: int | None = None) -> Sheet:
    """Anything that can be written to a file; as TRF too, if it has two seats and is simple."""
    entrants = chance.randint(seats, 24)
    history, playing = random_history(
        chance,
        entrants,
        chance.randint(0, 8),
        seats=seats,
        point=point,
        forfeits=0.2,
        late=chance.choice((0.0, 0.2)),
    )
    left = frozenset(range(entrants)) - frozenset(playing)
    asked = sorted(entrant for entrant in playing if chance.random() < 0.1)
    coming = tuple(
        Bye(entrant, chance.choice((REQUESTED_BYE, ABSENT_BYE)), chance.choice((0, history.point)))
        for entrant in asked
    )
    names = [
        chance.choice((f"bot-{e}", f"Böt, Nr. {e}", f"{e} {LATE_WORD}")) for e in range(entrants)
    ]
    ratings = tuple(chance.choice((None, 1, 1500 + e, 31000)) for e in range(entrants))
    rated = any(rating is not None for rating in ratings)
    system, rounds = chance.choice(("", "swiss", "round-robin", "ladder")), chance.choice((0, 9))
    plan = random_plan(chance, history, system, rounds) if chance.random() < 0.5 else None
    free = [entrant for entrant in playing if entrant not in asked]
    return sheet_of(
        history,
        title=chance.choice(("Autumn Cup", "Šachový turnaj", "")),
        names=tuple(names),
        ratings=ratings if rated and chance.random() < 0.5 else (),
        house=frozenset(e for e in range(entrants) if chance.random() < 0.1),
        start=chance.choice(("", "2026-11-30")),
        end=chance.choice(("", "2026-12-01")),
        system=system,
        rounds=rounds,
        tie_breaks=chance.choice(((), TIE_BREAKS, ("median-buchholz", "our own"))),
        left=left,
        coming=coming,
        unheeded=chance.choice(((), ("250", "260"))),
        plan=plan,
        divisions=tuple(f"Divísion {i}" for i in range(len(plan.divisions))) if plan else (),
        disqualified=frozenset(e for e in left if chance.random() < 0.5),
        fixed=(tuple(free[:seats]),) if len(free) >= seats and chance.random() < 0.2 else (),
        over=chance.random() < 0.2,
    )


def random_plan(chance: Random, history: History, system: str, rounds: int) -> Plan:
    """Any plan that a file can have, whether or not a system could follow it."""
    everybody = list(range(history.entrants))
    chance.shuffle(everybody)
    sizes = chance.choice(((), (history.entrants,), (2, history.entrants)))
    cut = chance.randint(0, history.entrants)
    members = (tuple(everybody[:cut]), tuple(everybody[cut:]))
    return Plan(
        system=system,
        rounds=rounds,
        seats=chance.choice((2, 4)),
        sizes=chance.choice(((2,), (2, 3, 4), (3, 7))),
        point=history.point,
        bye=chance.choice((0, history.point)),
        legs=chance.choice((1, 3)),
        accelerated=chance.choice((0, 2)),
        divisions=sizes,
        final_reset=chance.random() < 0.5,
        field=tuple(everybody[: chance.randint(0, history.entrants)]),
        assigned=members if len(sizes) == 2 and chance.random() < 0.5 else (),
        reach=chance.choice((1, 5)),
    )


def ranks_of(sheet: Sheet, tie_breaks: tuple[str, ...] = ()) -> list[int]:
    """Places in the table, by entrant."""
    ranks = [0] * sheet.history.entrants
    for row in table(sheet.history, tie_breaks):
        ranks[row.entrant] = row.rank
    return ranks


def small_sheet(rounds: int = 3, entrants: int = 8) -> Sheet:
    """A Swiss tournament after some rounds of five, in which nobody was ever away."""
    history, _ = random_history(
        Random(4), entrants, rounds, byes=0.0, forfeits=0.0, withdrawals=0.0, by_score=True
    )
    return sheet_of(history, system="swiss", rounds=5, tie_breaks=("buchholz", "wins"))
