"""Reports on matches that were lost or came to nothing, kept for a bot's owner.

::

    reports/r2-b1.1.txt     to be read
    reports/r2-b1.1.json    the same for programs

What the bot's own process saw and what the referee says come apart, in either order and from
different processes; whatever is there is put together.
"""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import trio

from aboveboard_client.state.best_effort import BestEffort
from aboveboard_client.state.journal_file import InThread
from aboveboard_client.state.replacing import replace_file
from aboveboard_client.terminal.report_text import can_be_told, report_text
from aboveboard_referee.match.terms import MATCH_ID

KEPT = 200
"""Most matches that have a report; the oldest go first."""

KEPT_BYTES = 16 << 20
"""Most bytes of all of them."""

ONE_BYTES = 1 << 20
"""Most bytes of one that is read."""

_MODE = 0o600


class ReportFolder:
    """The reports in a folder, which is made when the first one is kept."""

    def __init__(
        self,
        folder: Path,
        run: InThread = trio.to_thread.run_sync,
        most: int = KEPT,
        most_bytes: int = KEPT_BYTES,
    ) -> None:
        self.folder = folder
        self.disk = BestEffort(f"no report can be written to {folder}", run)
        self._most = most
        self._most_bytes = most_bytes

    async def keep(self, part: Mapping[str, Any]) -> Path | None:
        """Put a part of a report with what is there of it; where its text is.

        A disk that fails costs the report and nothing else: ``disk`` tells it once.
        """
        if MATCH_ID.fullmatch(part["match"]) is None:
            return None  # it would be somebody else's choice of a file's name
        return await self.disk.write(partial(self._keep, part))

    def _keep(self, part: Mapping[str, Any]) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.folder / f"{part['match']}.{part['attempt']}.json"
        before = read_report(path) or {}
        if before.get("tournament") != part["tournament"]:
            before = {}
        whole = {**before, **part}
        replace_file(path, (json.dumps(whole, indent=1) + "\n").encode(), _MODE)
        text = path.with_suffix(".txt")
        replace_file(text, report_text(whole).encode(), _MODE)
        self._forget(path)
        return text

    def _forget(self, newest: Path) -> None:
        """Let the oldest go until the others are few and small enough."""
        found = []
        for path in self.folder.glob("*.json"):
            pair = [each for each in (path, path.with_suffix(".txt")) if each.exists()]
            size = sum(each.stat().st_size for each in pair)
            found.append((path == newest, path.stat().st_mtime_ns, path.name, size, pair))
        found.sort(reverse=True)
        total = 0
        for place, (*_, size, pair) in enumerate(found):
            total += size
            if place >= self._most or (total > self._most_bytes and place):
                for each in pair:
                    each.unlink()


def read_report(path: Path) -> dict[str, Any] | None:
    """A report as it was kept; ``None`` where there is none or it is damaged.

    Raises ``OSError`` where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(ONE_BYTES + 1)
    except FileNotFoundError:
        return None
    try:
        report = json.loads(data) if len(data) <= ONE_BYTES else None
    except (ValueError, RecursionError):
        return None
    return report if can_be_told(report) else None
