"""A stranger's bots are in the current folder."""

from pathlib import Path

import pytest


@pytest.fixture
def bots(bots: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that has them."""
    monkeypatch.chdir(bots.parent)
    return bots
