"""A tournament in a file, for the commands that read one."""

from pathlib import Path

import pytest

from aboveboard_referee.tournament.interchange.trf_write import write_trf
from tests.fakes.sheets import ranks_of, small_sheet


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament after three rounds of five, as TRF."""
    path = tmp_path / "cup.trf"
    sheet = small_sheet()
    path.write_text(write_trf(sheet, ranks_of(sheet, sheet.tie_breaks)))
    return path
