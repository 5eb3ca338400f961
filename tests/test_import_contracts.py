"""The import contracts of pyproject.toml hold, and fail when they are broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = (
    "protos/aboveboard_protos",
    "referee/aboveboard_referee",
    "client/aboveboard_client",
    "server/aboveboard_server",
)


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """The contracts' verdict on a copy of the sources, found before any installed ones."""
    script = (
        "import sys\n"
        f"sys.path[:0] = {[str((folder / package).parent) for package in PACKAGES]!r}\n"
        "from importlinter.cli import lint_imports_command\n"
        "lint_imports_command(['--no-cache'])\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_sources_keep_every_contract(sources: Path) -> None:
    verdict = lint(sources)
    assert verdict.returncode == 0, verdict.stdout


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("referee/aboveboard_referee/games/step.py", "import random", "Pure packages"),
        ("referee/aboveboard_referee/match/fold.py", "import grpc", "Pure packages"),
        ("referee/aboveboard_referee/fairplay/chain.py", "import secrets", "Pure packages"),
        (
            "referee/aboveboard_referee/verify/match.py",
            "from aboveboard_referee.host import frames",
            "Inside the referee",
        ),
        ("client/aboveboard_client/bot.py", "import aboveboard_server", "Arrows"),
        ("server/aboveboard_server/lobby.py", "import asyncio", "asyncio and grpc"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(
    sources: Path, file: str, line: str, broken: str
) -> None:
    path = sources / file
    path.write_text(f"{path.read_text()}\n{line}\n")
    verdict = lint(sources)
    assert verdict.returncode != 0
    failed = [text for text in verdict.stdout.splitlines() if "BROKEN" in text]
    assert any(text.startswith(broken) for text in failed), verdict.stdout
