"""The mode that switches defences off lets nothing pass but an attack that went through."""

import pytest

pytest_plugins = "pytester"

FILE = """
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row("{name}", "bot", Outcome.REFUSED, (Defence(*{defence}),))

def test_it():
    script = STANDS["move"]()
    script.send(0, b"")
    must_go_out(script, 0, 17)
"""

RECEIVE = "match.referee:Referee.receive"
CASES = {
    "it goes through": ((RECEIVE, "fold.was_accepted(data)", "not data"), "yes (1)"),
    "another check": (("match.fold:Fold.take", "signed.type != EVENT"), "no: passes"),
    "it crashes": ((RECEIVE, "verdict.rule", "no_such_name"), "no: fails, but by NameError"),
    "stopped otherwise": ((RECEIVE, "verdict.reason", "18"), "no: fails, but by Deviation"),
    "no such check": ((RECEIVE, "fold.was_rejected(data)"), "no: fails, but by NoSuchDefence"),
    "not one check": ((RECEIVE, "fold"), "no: fails, but by NoSuchDefence"),
}


def test_a_test_must_fail_because_the_attack_went_through(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests.attacks.conftest import *")
    files = {
        name.replace(" ", "_"): FILE.format(name=name, defence=defence)
        for name, (defence, _) in CASES.items()
    }
    pytester.makepyfile(**{f"test_{name}": text for name, text in files.items()})
    result = pytester.runpytest_inprocess("--defences-off", "-p", "no:xdist")
    result.assert_outcomes(passed=1, failed=len(CASES) - 1)
    assert result.ret == 1
    for name, (_, verdict) in CASES.items():
        result.stdout.fnmatch_lines_random([f"{name} *test fails without it: {verdict}*"])
