"""A tournament as JSON: everything, exactly."""

import json
from collections.abc import Iterable
from typing import Any

from aboveboard_referee.tournament.history import Bye, History, Round, Table
from aboveboard_referee.tournament.interchange.plan_file import (
    NUMBERS,
    VALUES,
    plan_with,
    values_of,
)
from aboveboard_referee.tournament.interchange.sheet import (
    TEXT_LIMIT,
    Sheet,
    Unreadable,
    check_sheet,
)
from aboveboard_referee.tournament.interchange.values import Value, parse_json
from aboveboard_referee.tournament.systems.plan import Plan

FORMAT = "aboveboard tournament"
VERSION = 1


def write_json(sheet: Sheet) -> str:
    """The file's text, in ASCII, ended by a line feed; docs/interchange.md has the keys.

    Entrants are named by their index in Entry order, from 0.
    """
    check_sheet(sheet)
    history = sheet.history
    rank = {entrant: rank for rank, entrant in enumerate(history.order, 1)}
    ratings = sheet.ratings or (None,) * history.entrants
    values: dict[str, str] = {
        "format": _one(FORMAT),
        "version": _one(VERSION),
        "title": _one(sheet.title),
        "start": _one(sheet.start),
        "end": _one(sheet.end),
        "system": _one(sheet.system),
        "rounds_planned": _one(sheet.rounds),
        "tie_breaks": _one(sheet.tie_breaks),
        "point": _one(history.point),
        "plan": _one(_plan(sheet)),
        "over": _one(sheet.over),
        "entrants": _lines(
            {
                "name": sheet.names[entrant],
                "initial_rank": rank[entrant],
                "rating": ratings[entrant],
                "house": entrant in sheet.house,
                "left": entrant in sheet.left,
                "disqualified": entrant in sheet.disqualified,
            }
            for entrant in range(history.entrants)
        ),
        "rounds": _list(_round(drawn) for drawn in history.rounds),
        "byes_to_come": _lines(map(_bye, sheet.coming)),
        "tables_to_come": _one(sheet.fixed),
        "unheeded": _one(sheet.unheeded),
    }
    return "{\n" + ",\n".join(f'"{key}": {value}' for key, value in values.items()) + "\n}\n"


def _one(value: object) -> str:
    return json.dumps(value)


def _lines(values: Iterable[object]) -> str:
    """A list with each value on a line of its own."""
    return _list(map(_one, values))


def _list(texts: Iterable[str]) -> str:
    lines = ",\n".join(texts)
    return f"[\n{lines}\n]" if lines else "[]"


def _plan(sheet: Sheet) -> dict[str, Any] | None:
    plan = sheet.plan
    if plan is None:
        return None
    assigned = plan.assigned or (None,) * len(plan.divisions)
    divisions = zip(sheet.divisions, plan.divisions, assigned, strict=True)
    return {
        **values_of(plan),
        "field": list(plan.field),
        "divisions": [
            {"name": name, "size": size, "members": members} for name, size, members in divisions
        ],
    }


def _round(drawn: Round) -> str:
    tables, byes = _lines(map(_table, drawn.tables)), _lines(map(_bye, drawn.byes))
    return f'{{"tables": {tables}, "byes": {byes}}}'


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "entrants": list(table.entrants),
        "units": None if table.units is None else list(table.units),
        "wins": list(table.wins),
        "forfeits": sorted(table.forfeits),
        "matches": [list(seats) for seats in table.seatings],
        "by_hand": table.by_hand,
    }


def _bye(bye: Bye) -> dict[str, Any]:
    return {"entrant": bye.entrant, "kind": bye.kind, "units": bye.units}


def read_json(text: str) -> Sheet:
    """What such a file says. Raises Unreadable naming the line or the key."""
    if len(text) > TEXT_LIMIT:
        raise Unreadable("", f"more than {TEXT_LIMIT >> 20} MiB")
    top = Value("", parse_json("", text)).fields(
        "format",
        "version",
        "title",
        "start",
        "end",
        "system",
        "rounds_planned",
        "tie_breaks",
        "point",
        "plan",
        "over",
        "entrants",
        "rounds",
        "byes_to_come",
        "tables_to_come",
        "unheeded",
    )
    format_, version, title, start, end, system, planned, breaks, point, plan, over, *rest = top
    entrants, rounds, coming, fixed, unheeded = rest
    if format_.text() != FORMAT:
        raise format_.wrong(f'"{FORMAT}"')
    if version.number() != VERSION:
        raise version.wrong(str(VERSION))
    who = [
        each.fields("name", "initial_rank", "rating", "house", "left", "disqualified")
        for each in entrants.all()
    ]
    ranks = [rank.number() for _, rank, *_ in who]
    ratings = tuple(None if rating.null else rating.number() for _, _, rating, *_ in who)
    found, divisions = _read_plan(plan, system.text(), planned.number(), point.number())
    sheet = Sheet(
        title=title.text(),
        history=History(
            entrants=len(who),
            point=point.number(),
            order=tuple(sorted(range(len(who)), key=lambda entrant: ranks[entrant])),
            rounds=tuple(_read_round(i, each) for i, each in enumerate(rounds.all(), 1)),
        ),
        names=tuple(name.text() for name, *_ in who),
        ratings=ratings if any(rating is not None for rating in ratings) else (),
        house=frozenset(i for i, (*_, house, _, _) in enumerate(who) if house.truth()),
        start=start.text(),
        end=end.text(),
        system=system.text(),
        rounds=planned.number(),
        tie_breaks=tuple(each.text() for each in breaks.all()),
        left=frozenset(i for i, (*_, left, _) in enumerate(who) if left.truth()),
        coming=tuple(map(_read_bye, coming.all())),
        unheeded=tuple(each.text() for each in unheeded.all()),
        plan=found,
        divisions=divisions,
        disqualified=frozenset(i for i, (*_, out) in enumerate(who) if out.truth()),
        fixed=tuple(each.numbers() for each in fixed.all()),
        over=over.truth(),
    )
    if sorted(ranks) != list(range(1, len(who) + 1)):
        raise entrants.wrong("every initial_rank from 1 once")
    try:
        check_sheet(sheet)
    except ValueError as error:
        raise Unreadable("", str(error)) from None
    return sheet


def _read_plan(
    value: Value, system: str, rounds: int, point: int
) -> tuple[Plan | None, tuple[str, ...]]:
    """The plan and the names of its divisions."""
    if value.null:
        return None, ()
    *values, field, divisions = value.fields(*VALUES, "field", "divisions")
    by_name = dict(zip(VALUES, values, strict=True))
    names, sizes, members = [], [], []
    for each in divisions.all():
        name, size, who = each.fields("name", "size", "members")
        names.append(name.text())
        sizes.append(size.number())
        members.append(() if who.null else who.numbers())
    plan = plan_with(
        system,
        rounds,
        point,
        {name: by_name[name].number() for name in NUMBERS},
        by_name["sizes"].numbers(),
        by_name["final_reset"].truth(),
        tuple(sizes),
        field.numbers(),
        tuple(members),
    )
    return plan, tuple(names)


def _read_round(number: int, value: Value) -> Round:
    tables, byes = value.fields("tables", "byes")
    return Round(number, tuple(map(_read_table, tables.all())), tuple(map(_read_bye, byes.all())))


def _read_table(value: Value) -> Table:
    name, entrants, units, wins, forfeits, matches, by_hand = value.fields(
        "name", "entrants", "units", "wins", "forfeits", "matches", "by_hand"
    )
    return Table(
        name=name.text(),
        entrants=entrants.numbers(),
        units=None if units.null else units.numbers(),
        wins=wins.numbers(),
        forfeits=frozenset(forfeits.numbers()),
        seatings=tuple(seats.numbers() for seats in matches.all()),
        by_hand=by_hand.truth(),
    )


def _read_bye(value: Value) -> Bye:
    entrant, kind, units = value.fields("entrant", "kind", "units")
    return Bye(entrant.number(), kind.text(), units.number())
