"""docs/archive.md has every kind of leaf, effect of a ruling, step and file that the code has."""

import re
from pathlib import Path

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.ledger import KINDS
from aboveboard_referee.tournament.standings.tie_breaks import shown
from aboveboard_referee.verify.archive import LOG_FILES, MATCHES, STANDINGS, standings_header
from aboveboard_referee.verify.report import Check
from aboveboard_referee.verify.walk import CHECKS

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "archive.md").read_text("utf-8")
FORMAT = (DOCS / "format.md").read_text("utf-8")


def rows_below(page: str, header: str) -> list[list[str]]:
    """The cells of the one table with this first line, line by line."""
    assert page.count(f"\n{header}\n") == 1, header
    table = page[page.index(f"\n{header}\n") :].strip().partition("\n\n")[0]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines()[2:]]


def names_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_page_says_of_every_kind_of_leaf_what_makes_it_legal() -> None:
    rows = rows_below(PAGE, "| kind | signed by | what must be so, and what follows |")
    kinds = [kind for row in rows for kind in names_in(row[0])]
    assert sorted(kinds) == sorted(KINDS)


def test_the_page_says_of_every_effect_of_a_ruling_what_makes_it_legal() -> None:
    rows = rows_below(PAGE, "| effect | what must be so | what follows |")
    effects = [effect for row in rows for effect in names_in(row[0])]
    assert effects == [field.name for field in pb.Ruling.DESCRIPTOR.oneofs_by_name["effect"].fields]


def test_the_page_has_every_step_with_the_leaves_that_it_judges() -> None:
    rows = rows_below(PAGE, "| step | what it holds |")
    assert [row[0] for row in rows] == [_step(check) for check in Check]
    judged = {kind: row[0] for row in rows for kind in names_in(row[1]) if kind in KINDS}
    assert judged == {kind: _step(check) for kind, check in CHECKS.items()}
    assert judged.keys() == KINDS


def _step(check: Check) -> str:
    return f"{check.value} {check.name.lower()}"


def test_the_page_has_every_file_of_an_archive() -> None:
    rows = rows_below(PAGE, "| file | content | vouched for by |")
    files = [name for row in rows for name in names_in(row[0])]
    assert files == [*LOG_FILES, f"{MATCHES}<match>.<attempt>.records", STANDINGS]


def test_the_format_keeps_every_kind_of_leaf_in_the_log() -> None:
    rows = rows_below(FORMAT, "| type | body | signed by | made | kept |")
    kept = {row[0].split("/")[1] for row in rows if row[4].startswith("log")}
    assert kept == KINDS


def test_the_format_has_the_columns_of_the_table_for_people() -> None:
    rows = rows_below(FORMAT, "| column | what | |")
    columns = [column for row in rows for column in names_in(row[0])]
    league = pb.TournamentManifest(form=pb.Form(divisions=[pb.Division()]))
    assert tuple(columns[:-1]) == standings_header(league)
    assert columns[-1] == "wins"  # the one tie-break that has its column anyway


def test_the_format_writes_numbers_as_the_table_for_people_does() -> None:
    examples = re.search(r"if nothing is behind it: `(\S+)`, `(\S+)`, `(\S+)`", FORMAT)
    assert examples is not None
    assert examples.groups() == (shown(6, 2), shown(5, 2), shown(1, 6))
    assert shown(1, 2000) == "0.001"  # upwards from the middle
