"""The oracle shares nothing with the product but the page that both were written from."""

import ast
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BESIDE_THE_PRODUCT = {"agreement"}
"""Reads by both, for the tests; no part of the oracle imports it."""
MODULES = [
    path
    for path in sorted(HERE.glob("*.py"))
    if not path.stem.startswith("test_") and path.stem not in BESIDE_THE_PRODUCT
]
ALLOWED = {f"tests.oracle.{path.stem}" for path in MODULES}


def imported(path: Path) -> set[str]:
    """The modules that a file imports, from tests.oracle with their whole names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert node.level == 0
            if module == "tests.oracle":
                found.update(f"{module}.{alias.name}" for alias in node.names)
            else:
                found.add(module)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_part_of_the_oracle_imports_the_standard_library_and_other_parts(path: Path) -> None:
    for module in imported(path):
        assert module in ALLOWED or module.partition(".")[0] in sys.stdlib_module_names, module
