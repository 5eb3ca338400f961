"""docs/format.md has every type, message, field and enum value that the oracle reads."""

import json
import re
from pathlib import Path

from tests.oracle import draw
from tests.oracle.envelope import seal
from tests.oracle.messages import ENUMS, MESSAGES, TYPES
from tests.oracle.primitives import ZEROS, label
from tests.oracle.vectors import load
from tests.oracle.wire import encode

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


def worked_values() -> str:
    """What the section of worked values is about, computed by the oracle, in hexadecimal."""
    given, unhex = load("fairplay.json"), bytes.fromhex
    tournament = unhex(given["tournament_id"])
    key, seed = unhex(given["public_keys"][1]), unhex(given["private_keys"][1])
    drawn = draw.pairing_seed(tournament, ZEROS, [None] * 4, 1)
    heads = [unhex(record["head"]) for record in given["heads"]]
    link = unhex(given["chains"]["values_by_k"][1][1])
    answer = {"match": heads[0], "asked": 1, "head": heads[1], "entropy": {"link": link}}
    body = encode("Answer", answer)
    rules = (
        {"name": "heels", "number": 2},
        {"name": "go"},
        {"name": "dealt", "numbers": [6, 5, 5]},
        {"name": "trigger", "text": "holder"},
    )
    values = [
        label("head"),
        drawn,
        draw.tie_hash(drawn, 0, 1),
        draw.order_hash(tournament, key),
        body,
        seal("aboveboard/answer/v1", body, seed),
        *(encode("RuleField", rule) for rule in rules),
    ]
    return json.dumps(given) + " ".join(value.hex() for value in values)


def test_the_pages_worked_values_are_the_oracles() -> None:
    section = PAGE[PAGE.index("## 26 Worked values") : PAGE.index("## 27 Evidence")]
    found = re.findall(r"\b[0-9a-f]{12,}\b", section)
    known = worked_values()
    assert len(found) > 40
    assert [value for value in found if value not in known] == []
