"""Writing a tournament as one sheet for spreadsheets: everything, exactly, a fact a row."""

import csv
import io
from collections.abc import Iterator

from aboveboard_referee.tournament.history import Bye, Table
from aboveboard_referee.tournament.interchange.sheet import Sheet, check_sheet

COLUMNS = ("record", "round", "table", "number", "entrant", "name", "kind", "units", "wins", "text")
"""What a row can have. ``record`` says which of the others mean something."""

WORDS = ("title", "start", "end", "system", "rounds planned", "point")
"""Records that stand once, with their value as ``text``."""


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
            for word, those in (("house", sheet.house), ("left", sheet.left))
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
    for drawn in history.rounds:
        yield {"record": "round", "round": drawn.number}
        for table in drawn.tables:
            yield from _table_rows(sheet, drawn.number, table)
        for bye in drawn.byes:
            yield {**_bye_row(sheet, bye), "record": "bye", "round": drawn.number}
    for bye in sheet.coming:
        yield {**_bye_row(sheet, bye), "record": "bye to come"}


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
    return {
        "entrant": bye.entrant,
        "name": sheet.names[bye.entrant],
        "kind": bye.kind,
        "units": bye.units,
    }
