"""A tournament as a file holds it, whichever format the file has."""

from dataclasses import dataclass

from aboveboard_referee.one_line import one_line
from aboveboard_referee.tournament.history import (
    BYE_KINDS,
    MOST_SEATS,
    Bye,
    Entrant,
    History,
    check_history,
    check_places,
)
from aboveboard_referee.tournament.interchange.plan_file import check_plan
from aboveboard_referee.tournament.systems.plan import Plan

TEXT_LIMIT = 64 * 1024 * 1024
"""Characters of the longest file that is read."""

MOST_ENTRANTS = 100_000
MOST_ROUNDS = 1_000
MOST_MATCHES = 1_000
"""Matches of a table."""

NAME_LIMIT = 200
"""Characters of a name, a title or a word."""

MOST_UNITS = 1_000_000
"""Units of a point, and the greatest rating."""


class Unreadable(ValueError):
    """A file that is none. ``str()`` is one line: where it breaks off, and why."""

    def __init__(self, where: str, what: str) -> None:
        said = f"{where}: {what}" if where else what
        # Whatever a file has in it may be repeated here, and a terminal obeys.
        super().__init__(one_line(said, 400))


class Inexpressible(ValueError):
    """A tournament that a format has no words for. ``str()`` is one line that says what."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A tournament to be written down, or what was read of one.

    ``start`` and ``end`` are dates as 2026-11-30, empty where none is known. ``rounds`` is
    how many are planned, 0 if nobody said. ``names`` and ``ratings`` are by entrant, a
    rating from 1, None for who has none. ``house`` are the bots of the organiser's own.
    ``tie_breaks`` are names of ``standings``, the first before the others. ``left`` are
    those who play no more, ``coming`` the byes that are granted for the next round already.
    ``unheeded`` are the records of a file that a pairing would have to follow and that
    cannot be: accelerations, forbidden pairs.

    ``plan`` is the organiser's, of the same system, rounds and point; None where nobody said.
    ``divisions`` are the names of its divisions. ``disqualified`` are last in the table;
    ``fixed`` are the next round's tables that the organiser has made by hand. ``over`` says
    that no round follows, whatever the plan allows.
    """

    title: str
    history: History
    names: tuple[str, ...]
    ratings: tuple[int | None, ...] = ()
    house: frozenset[Entrant] = frozenset()
    start: str = ""
    end: str = ""
    system: str = ""
    rounds: int = 0
    tie_breaks: tuple[str, ...] = ()
    left: frozenset[Entrant] = frozenset()
    coming: tuple[Bye, ...] = ()
    unheeded: tuple[str, ...] = ()
    plan: Plan | None = None
    divisions: tuple[str, ...] = ()
    disqualified: frozenset[Entrant] = frozenset()
    fixed: tuple[tuple[Entrant, ...], ...] = ()
    over: bool = False


def check_sheet(sheet: Sheet) -> None:
    """Refuse what no file may hold. Raises ValueError saying what, in one line."""
    history, entrants = sheet.history, sheet.history.entrants
    if not 0 <= entrants <= MOST_ENTRANTS:
        raise ValueError(f"{entrants} entrants; {MOST_ENTRANTS} at most")
    if not 1 <= history.point <= MOST_UNITS:
        raise ValueError(f"a point of {history.point} units")
    if history.point % 2:
        raise ValueError(f"a point of {history.point} units, of which there is no half")
    if not 0 <= sheet.rounds <= MOST_ROUNDS or len(history.rounds) > MOST_ROUNDS:
        raise ValueError(f"more than {MOST_ROUNDS} rounds")
    assert len(sheet.names) == entrants, "each entrant has a name"
    assert len(sheet.ratings) in (0, entrants), "each entrant has a rating or None"
    for name, rating in zip(sheet.names, sheet.ratings, strict=False):
        if rating is not None and not 1 <= rating <= MOST_UNITS:
            raise ValueError(
                f"a rating is a whole number from 1 to {MOST_UNITS}; {name[:40]!r} has {rating}"
            )
    for text in (sheet.title, sheet.system, *sheet.tie_breaks, *sheet.names, *sheet.divisions):
        check_text(text)
    for date in (sheet.start, sheet.end):
        if date:
            check_date(date)
    flagged = sheet.house | sheet.left | sheet.disqualified
    assert flagged <= frozenset(range(entrants)), "only entrants have flags"
    check_places("byes to come", [bye.entrant for bye in sheet.coming], entrants)
    check_places("tables to come", [one for table in sheet.fixed for one in table], entrants)
    for table in sheet.fixed:
        if not 2 <= len(table) <= MOST_SEATS:
            raise ValueError(f"a table to come has 2 to {MOST_SEATS} entrants, not {len(table)}")
    for bye in sheet.coming:
        if bye.kind not in BYE_KINDS or not 0 <= bye.units <= history.point:
            raise ValueError(f"a bye to come of kind {bye.kind} worth {bye.units}")
    _check_plan(sheet)
    check_history(history)
    _check_tables(history)


def _check_plan(sheet: Sheet) -> None:
    plan = sheet.plan
    assert len(sheet.divisions) == (len(plan.divisions) if plan else 0), "each has a name"
    if plan is not None:
        told = (sheet.system, sheet.rounds, sheet.history.point)
        assert (plan.system, plan.rounds, plan.point) == told, "a sheet's plan is its own"
        check_plan(plan, sheet.history.entrants)


def _check_tables(history: History) -> None:
    """What ``check_history`` leaves open, because no pairing hangs on it."""
    for drawn in history.rounds:
        names = [table.name for table in drawn.tables]
        if len(set(names)) < len(names):
            raise ValueError(f"round {drawn.number}: two tables of one name")
        for table in drawn.tables:
            where = f"round {drawn.number}: {table.name}"
            check_text(table.name)
            if len(table.seatings) > MOST_MATCHES:
                raise ValueError(f"{where} has more than {MOST_MATCHES} matches")
            if any(sorted(seats) != sorted(table.entrants) for seats in table.seatings):
                raise ValueError(f"{where} has a match of others than its entrants")
            if table.wins and (
                len(table.wins) != len(table.entrants)
                or not all(0 <= wins <= MOST_MATCHES for wins in table.wins)
            ):
                raise ValueError(f"{where} cannot have wins {table.wins}")
            if not table.forfeits <= set(table.entrants):
                raise ValueError(f"{where} has a forfeit of somebody else")


def check_text(text: str) -> None:
    """Refuse text that is no single printable line of a reasonable length."""
    if len(text) > NAME_LIMIT or not text.isprintable():
        raise ValueError(f"{text[:40]!r} is not one line of at most {NAME_LIMIT} characters")


def check_date(text: str) -> None:
    """Refuse what is no day written as 2026-11-30."""
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(map(is_number, parts)):
        raise ValueError(f"{text[:40]!r} is no date like 2026-11-30")
    year, month, day = map(int, parts)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not (1 <= month <= 12 and 1 <= day <= longest[month - 1]):
        raise ValueError(f"{text} is no day of the calendar")


def is_number(text: str) -> bool:
    """Whether it is one to nine digits: ``int`` alone takes other scripts', too, and signs."""
    return 1 <= len(text) <= 9 and text.isascii() and text.isdigit()
