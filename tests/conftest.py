"""What the whole suite has: its options, and the command line as a function."""

import pytest

from aboveboard_client import cli
from tests.fakes.command_line import Ran, Run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write the golden files anew instead of holding the product against them",
    )


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_it(*args: object) -> Ran:
        capsys.readouterr()
        code = cli.run([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run_it
