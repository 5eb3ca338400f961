"""What ``aboveboard check`` makes of a stranger's bot in one case, as its JSON has it."""

import json
from typing import Any

from tests.fakes.command_line import Run
from tests.fakes.strange_bots import FILE

CASE = "cribbage/2/won-while-pegging"
"""One question: the bot comes to a match that ends with its answer."""


def failure_of(run: Run, bot: str, case: str = CASE, move_time: str = "10s") -> dict[str, Any]:
    """The one failure of a bot of the current folder's in one case."""
    ran = run("check", f"{FILE}:{bot}", "--only", case, "--move-time", move_time, "--json")
    assert ran.code == 1
    (tried,) = json.loads(ran.out)["cases"]
    assert tried["status"] == "failed"
    failure: dict[str, Any] = tried["failure"]
    return failure


def report_of(run: Run, bot: str, case: str = CASE) -> dict[str, Any]:
    """The whole report of such a bot that passes one case."""
    ran = run("check", f"{FILE}:{bot}", "--only", case, "--json")
    assert ran.code == 0, ran.err
    report: dict[str, Any] = json.loads(ran.out)
    return report
