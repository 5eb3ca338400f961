"""docs/interchange.md has every record, column, key and code that files have, and no others."""

import csv
import io
import json
import re
from pathlib import Path
from random import Random
from typing import Any

from aboveboard_referee.tournament.history import BYE_KINDS
from aboveboard_referee.tournament.interchange.csv_write import COLUMNS, write_csv
from aboveboard_referee.tournament.interchange.json_file import write_json
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_remarks import REMARKS
from aboveboard_referee.tournament.interchange.trf_words import TIE_BREAKS
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from tests.fakes.sheets import random_sheet, ranks_of

TEXT = (Path(__file__).parents[4] / "docs" / "interchange.md").read_text()
SHEETS = [random_sheet(Random(number)) for number in range(60)]


def section(heading: str) -> str:
    return TEXT.split(f"\n{heading}\n")[1].split("\n## ")[0]


def words(text: str, column: int) -> set[str]:
    """What stands between backquotes in a column of the tables there."""
    cells = [line.split("|")[column] for line in text.splitlines() if line.startswith("|")]
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def keys(value: Any) -> set[str]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {*(value if isinstance(value, dict) else ()), *(k for v in inner for k in keys(v))}


def test_every_key_of_json_is_there() -> None:
    text = section("## JSON")
    written = {key for sheet in SHEETS for key in keys(json.loads(write_json(sheet)))}
    assert words(text, 1) | words(text, 2) == written


def test_every_record_and_column_of_csv_is_there() -> None:
    text = section("## CSV")
    rows = [row for sheet in SHEETS for row in csv.DictReader(io.StringIO(write_csv(sheet)))]
    assert words(text, 1) == {row["record"] for row in rows}
    assert set(COLUMNS) <= set(re.findall(r"`([^`]+)`", text))
    assert set(BYE_KINDS) <= set(re.findall(r"`([^`]+)`", text))


def test_every_record_of_trf_is_there() -> None:
    documented = set(
        re.findall(r"^\| ((?:\w{3}, )*\w{3}|###) ", section("## TRF: what is written"), re.M)
    )
    records = {record for cell in documented for record in cell.split(", ")}
    lines = [line for s in SHEETS for line in write_trf(s, ranks_of(s)).splitlines()]
    assert {line[:3] for line in lines} <= records | {"###"}


def test_every_code_of_a_tie_break_is_there() -> None:
    pairs = re.findall(r"`([a-z0-9-]+)` \| ([A-Z0-9/]+) ", section("## TRF: what is written"))
    assert dict(pairs) == dict(TIE_BREAKS)


def test_every_remark_is_there_with_its_keys() -> None:
    shown = re.findall(r"^\| `(\{.*\})` \|", TEXT, re.M)
    found = {}
    for each in shown:
        kind, *others = json.loads(each.replace(", …", ""))
        found[kind] = set(others)
    assert found == {kind: set(others) for kind, others in REMARKS.items()}


def test_the_codes_of_results_mean_what_it_says() -> None:
    """A file of one round with every result, typed in from the page."""
    names = ["won", "lost", "drawn", "drew", "absent", "other", "pairing", "full", "half", "zero"]
    cells = ["   2 w 1", "   1 b 0", "   4 w =", "   3 b =", "   6 w -", "   5 b +"]
    cells += ["0000 - U", "0000 - F", "0000 - H", "0000 - Z"]
    points = ["1.0", "0.0", "0.5", "0.5", "0.0", "1.0", "1.0", "1.0", "0.5", "0.0"]
    text = "".join(
        f"001 {number:>4}      {name:<66}{own:>4}       {cell}\n"
        for number, (name, own, cell) in enumerate(zip(names, points, cells, strict=True), 1)
    )
    (drawn,) = read_trf(text).history.rounds
    assert [table.units for table in drawn.tables] == [(2, 0), (1, 1), (0, 2)]
    assert [table.forfeits for table in drawn.tables] == [frozenset(), frozenset(), {4}]
    assert [(bye.kind, bye.units) for bye in drawn.byes] == [
        ("pairing", 2),
        ("requested", 2),
        ("requested", 1),
        ("requested", 0),
    ]
