"""The bots that come along pass everything, and everything really comes about."""

import json

import pytest

from aboveboard_client.checking.cases import all_cases
from aboveboard_referee.games import registry
from tests.fakes.command_line import Run


@pytest.mark.slow
@pytest.mark.parametrize("family", [family.name for family in registry.families()])
@pytest.mark.parametrize("bot", ["house", "random"])
def test_a_bot_that_comes_along_passes_and_meets_every_moment(
    bot: str, family: str, run: Run
) -> None:
    ran = run("check", bot, "--game", family, "--move-time", "60s", "--json")
    report = json.loads(ran.out)
    assert [case["case"] for case in report["cases"] if case["status"] != "ok"] == []
    assert ran.code == 0
    assert [row for row in report["moments"] if not row["met"]] == []
    cases = all_cases([name for name in registry.names() if name.split(":")[0] == family])
    assert [case["case"] for case in report["cases"]] == [case.name for case in cases]
