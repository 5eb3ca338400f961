"""Each attack's tests run twice: with the product as it is, and without the attack's defence."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.fakes.attack_rows import Row, WentThrough

DEFENDED, DEFENCELESS = "defended", "defenceless"
VERDICT = "without its defence"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--defences-off",
        action="store_true",
        help="only with each attack's defence switched off, with a table of what comes of it",
    )


def _only_off(config: pytest.Config) -> bool:
    return bool(config.getoption("--defences-off", False))


@pytest.fixture(autouse=True)
def mode(request: pytest.FixtureRequest) -> str:
    """Whether the product is as it is, or lacks the defence that the file's row names."""
    return str(getattr(request, "param", DEFENDED))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if hasattr(metafunc.module, "ROW"):
        modes = [DEFENCELESS] if _only_off(metafunc.config) else [DEFENDED, DEFENCELESS]
        metafunc.parametrize("mode", modes, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _only_off(config):
        items[:] = [item for item in items if _row(item) is not None]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    row = _row(pyfuncitem)
    if row is None or pyfuncitem.callspec.params["mode"] == DEFENDED:
        return (yield)
    verdict = "passes"
    try:
        with row.without():
            yield
    except WentThrough:
        verdict = "fails"
        return True
    except BaseException as error:
        verdict = f"fails, but by {type(error).__name__}"
        raise
    finally:
        pyfuncitem.user_properties.append((VERDICT, (row.attack, ", ".join(row.where), verdict)))
    pytest.fail(f"passes without its defence: {', '.join(row.where)}")


def _row(item: pytest.Item) -> Row | None:
    return getattr(item.getparent(pytest.Module).obj, "ROW", None)  # type: ignore[union-attr]  # every test here is of a module


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if not _only_off(config):
        return
    rows: dict[tuple[str, str], list[str]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties if report.when == "call" else ():
            if name == VERDICT:
                attack, where, verdict = value
                rows.setdefault((attack, where), []).append(verdict)
    terminalreporter.section("attacks without their defence")
    for (attack, where), verdicts in sorted(rows.items()):
        wrong = sorted({verdict for verdict in verdicts if verdict != "fails"})
        fails = f"no: {'; '.join(wrong)}" if wrong else f"yes ({len(verdicts)})"
        terminalreporter.write_line(f"{attack:<45} test fails without it: {fails:<10} {where}")
