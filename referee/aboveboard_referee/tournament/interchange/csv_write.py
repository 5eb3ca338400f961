"""Writing a tournament as one sheet for spreadsheets: everything, exactly, a fact a row."""

import csv
import io
from collections.abc import Iterator

from aboveboard_referee.tournament.history import Bye, Entrant, Table
from aboveboard_referee.tournament.interchange.plan_file import values_of
from aboveboard_referee.tournament.interchange.sheet import Sheet, check_sheet
from aboveboard_referee.tournament.systems.plan import Plan

COLUMNS = ("record", "round", "table", "number", "entrant", "name", "kind", "units", "wins", "text")
"""What a row can have. ``record`` says which of the others mean something."""

WORDS = ("title", "start", "end", "system", "rounds planned", "point")
"""Records that stand once, with their value as ``text``."""

FLAGS = ("house", "left", "disqualified")
"""What the ``kind`` of an entrant's row can have, in this order."""

YES, NO = "yes", "no"


def write_csv(sheet: Sheet) -> str:
    """The file's text, lines ended by a line feed; docs/interchange.md has the rows."""
    check_sheet(sheet)
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_rows(sheet))
    return file.getvalue()


def _rows(sheet: Sheet) -> Iterator[dict[str, object]]:
    history = sheet.history
    values = (sheet.title, sheet.start, sheet.end, sheet.system, sheet.rounds, history.point)
    for word, value in zip(WORDS, values, strict=True):
        yield {"record": word, "text": value}
    for name in sheet.tie_breaks:
        yield {"record": "tie-break", "text": name}
    for name in sheet.unheeded:
        yield {"record": "unheeded", "text": name}
    rank = {entrant: rank for rank, entrant in enumerate(history.order, 1)}
    ratings = sheet.ratings or (None,) * history.entrants
    for entrant, name in enumerate(sheet.names):
        flags = [
            word
            for word, those in zip(FLAGS, (sheet.house, sheet.left, sheet.disqualified))
            if entrant in those
        ]
        yield {
            "record": "entrant",
            "number": rank[entrant],
            "entrant": entrant,
            "name": name,
            "kind": " ".join(flags),
            "text": ratings[entrant],
        }
    if sheet.plan is not None:
        yield from _plan_rows(sheet, sheet.plan)
    if sheet.over:
        yield {"record": "over", "text": YES}
    for drawn in history.rounds:
        yield {"record": "round", "round": drawn.number}
        for table in drawn.tables:
            yield from _table_rows(sheet, drawn.number, table)
        for bye in drawn.byes:
            yield {**_bye_row(sheet, bye), "record": "bye", "round": drawn.number}
    for bye in sheet.coming:
        yield {**_bye_row(sheet, bye), "record": "bye to come"}
    for entrants in sheet.fixed:
        yield {"record": "table to come", "text": " ".join(map(str, entrants))}


def _plan_rows(sheet: Sheet, plan: Plan) -> Iterator[dict[str, object]]:
    for name, value in values_of(plan).items():
        text = value
        if isinstance(value, bool):
            text = YES if value else NO
        elif isinstance(value, list):
            text = " ".join(map(str, value))
        yield {"record": "plan", "kind": name, "text": text}
    for place, entrant in enumerate(plan.field, 1):
        yield {"record": "from the start", "number": place, **_who(sheet, entrant)}
    for number, (name, size) in enumerate(zip(sheet.divisions, plan.divisions, strict=True), 1):
        yield {"record": "division", "number": number, "name": name, "units": size}
        for entrant in plan.assigned[number - 1] if plan.assigned else ():
            yield {"record": "in division", "number": number, **_who(sheet, entrant)}


def _table_rows(sheet: Sheet, number: int, table: Table) -> Iterator[dict[str, object]]:
    here = {"round": number, "table": table.name}
    yield {**here, "record": "table", "kind": "by hand" if table.by_hand else ""}
    for place, entrant in enumerate(table.entrants):
        yield {
            **here,
            "record": "seat",
            "number": place,
            "entrant": entrant,
            "name": sheet.names[entrant],
            "kind": "forfeit" if entrant in table.forfeits else "",
            "units": None if table.units is None else table.units[place],
            "wins": table.wins[place] if table.wins else None,
        }
    for match, seats in enumerate(table.seatings, 1):
        yield {**here, "record": "match", "number": match, "text": " ".join(map(str, seats))}


def _bye_row(sheet: Sheet, bye: Bye) -> dict[str, object]:
    return {**_who(sheet, bye.entrant), "kind": bye.kind, "units": bye.units}


def _who(sheet: Sheet, entrant: Entrant) -> dict[str, object]:
    return {"entrant": entrant, "name": sheet.names[entrant]}
