"""docs/format.md has every type, message, field and enum value that the oracle reads."""

import re
from pathlib import Path

from tests.oracle.messages import ENUMS, MESSAGES, TYPES

PAGE = (Path(__file__).parents[2] / "docs" / "format.md").read_text("utf-8")
HEADER = re.compile(r"\|\s*№\s*\|\s*field\s*\|\s*type\s*\|")
ROW = re.compile(r"\|\s*(\d+)\s*\|\s*`(\w+)`\s*\|\s*([\w\[\]]+)\s*\|")
NAMED = re.compile(r"^#+ (\w+)$|\*\*(\w+)\*\*|`(\w+)`")


def tables() -> dict[str, list[tuple[int, str, str]]]:
    """The rows of each table of fields, by the new message that was named last before it."""
    found: dict[str, list[tuple[int, str, str]]] = {}
    named, table = "", None
    for line in PAGE.splitlines():
        if HEADER.match(line):
            assert named not in found, f"there are two tables of {named}"
            table = found[named] = []
        elif table is not None and (row := ROW.match(line)):
            table.append((int(row[1]), row[2], row[3]))
        elif not line.startswith("|"):
            table = None
            names = ["".join(groups) for groups in NAMED.findall(line)]
            new = [name for name in names if name in MESSAGES and name not in found]
            named = new[-1] if new else named
    return found


def test_the_page_has_the_fields_of_every_message_and_of_no_other() -> None:
    written = {
        name: [
            (number, field.name, field.type + ("[]" if field.repeated else ""))
            for number, field in message.fields.items()
        ]
        for name, message in MESSAGES.items()
        if message.fields
    }
    assert tables() == written


def test_the_page_has_every_type_and_the_message_that_its_body_is() -> None:
    rows = re.findall(r"^\| `(aboveboard/[a-z-]+/v1)` \| (\w+) \|", PAGE, re.MULTILINE)
    assert dict(rows) == TYPES


def test_the_page_has_every_value_of_every_enum() -> None:
    for name, values in ENUMS.items():
        if name == "EndReason":
            section = PAGE[PAGE.index("`EndReason`, a closed list") :].partition("\n\n16 to")[0]
            found = re.findall(r"^\| (\d+) \|", section, re.MULTILINE)
        else:
            listed = re.search(rf"`{name}` is (0 unspecified[^.]*)\.", PAGE)
            assert listed is not None, name
            found = re.findall(r"\d+", listed[1])
        assert {int(number) for number in found} == values, name
