"""Reading the files of tests/vectors."""

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


@cache
def load(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))
