"""docs/threat-model.md lists the attacks that are tests, and says of them what the tests show."""

import re
from importlib import import_module
from pathlib import Path

from tests.fakes.attack_rows import Outcome, Row

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "threat-model.md"
OTHERS = {"test_threat_model", "test_defences_off"}
WEIGHING = "must_convict|must_convict_log|must_prove|must_blame|weigh"
FILES = {path.stem: path for path in HERE.glob("test_*.py") if path.stem not in OTHERS}


def rows() -> list[list[str]]:
    """The cells of each line of the page's tables that names a test."""
    lines = [line for line in PAGE.read_text().splitlines() if "../tests/attacks/" in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def name_of(attack: str) -> str:
    """The file's name for an attack."""
    return "test_" + re.sub(r"[ -]", "_", attack.lower().replace("'", ""))


def row_of(name: str) -> Row:
    row = import_module(f"tests.attacks.{name}").ROW
    assert isinstance(row, Row)
    return row


def test_every_attack_has_one_row_that_links_its_test() -> None:
    links = [row[-1] for row in rows()]
    assert sorted(links) == sorted(f"[test](../tests/attacks/{name}.py)" for name in FILES)


def test_each_file_is_named_after_its_attack() -> None:
    assert {name: name_of(row_of(name).attack) for name in FILES} == {name: name for name in FILES}


def test_a_row_says_who_does_it_and_what_comes_of_it_as_its_test_does() -> None:
    for attack, by, outcome, *_ in rows():
        row = row_of(name_of(attack))
        assert (attack, by, outcome) == (row.attack, row.by, row.outcome)


def test_a_row_names_the_code_that_its_test_switches_off() -> None:
    for attack, _, _, defence, *_ in rows():
        assert tuple(re.findall(r"`([\w.]+:[\w.]+)`", defence)) == row_of(name_of(attack)).where


def test_an_attack_is_proved_exactly_where_its_test_weighs_evidence_against_somebody() -> None:
    for name, path in FILES.items():
        weighs = re.search(rf"\b({WEIGHING})\(", path.read_text()) is not None
        assert weighs == (row_of(name).outcome is Outcome.PROVED), name
