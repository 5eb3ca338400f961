"""The plan of a tournament before it begins."""

from pathlib import Path

import pytest

from aboveboard_server.commands.dry_run_report import plan_lines
from aboveboard_server.config import load_config
from aboveboard_server.dry_run import DryRun, dry_run
from tests.fakes.robots import NOW


def planned(folder: Path, text: str) -> DryRun:
    file = folder / "cup.toml"
    file.write_text(f'games = ["nebraska:family", "allegra"]\n{text}\n')
    config = load_config(file)
    plan = dry_run(config)
    assert all("\n" not in line for line in plan_lines(config, plan, NOW))
    return plan


@pytest.mark.parametrize(
    ("text", "tables", "matches"),
    [
        ("rounds = 3\nentrants = 8", [4, 4, 4], [4, 4, 4]),
        ("rounds = 3\nentrants = 7", [3, 3, 3], [3, 3, 3]),
        ('rounds = 2\nentrants = 6\norder = "each"', [3, 3], [12, 12]),
        ('system = "round-robin"\nentrants = 4', [2, 2, 2], [2, 2, 2]),
        ('system = "knockout"\nentrants = 5\n[pairing]\ngames = 2', [1, 2, 1], [2, 4, 2]),
        ("rounds = 1\nseats = 4\nentrants = 8", [2], [2]),
        ('system = "ladder"', [4], [4]),
        (
            """system = "league"
            [league]
            divisions = [{ name = "A", size = 4 }, { name = "B", size = 6 }]""",
            [5, 5, 5, 3, 3],
            [5, 5, 5, 3, 3],
        ),
    ],
)
def test_rounds_and_matches_are_those_that_the_system_draws(
    text: str, tables: list[int], matches: list[int], tmp_path: Path
) -> None:
    plan = planned(tmp_path, text)
    assert [each.tables for each in plan.rounds] == tables
    assert [each.matches for each in plan.rounds] == matches
    assert plan.goes_on == ("ladder" in text)


def test_fewer_matches_at_once_take_longer(tmp_path: Path) -> None:
    many = planned(tmp_path, "rounds = 1\nentrants = 16\nmatches_at_once = 8")
    few = planned(tmp_path, "rounds = 1\nentrants = 16\nmatches_at_once = 2")
    assert few.expected > 3 * many.expected
    assert few.most > 3 * many.most


def test_no_plan_takes_less_at_most_than_is_expected(tmp_path: Path) -> None:
    plan = planned(tmp_path, "rounds = 2\nentrants = 4")
    assert all(0 < each.expected < each.most for each in plan.rounds)


def test_the_clock_bounds_what_a_match_can_take(tmp_path: Path) -> None:
    wide = planned(tmp_path, 'rounds = 1\nentrants = 4\n[clock]\nmatch = "10m"')
    narrow = planned(tmp_path, 'rounds = 1\nentrants = 4\n[clock]\nmatch = "1m"')
    assert wide.most - narrow.most == pytest.approx(2 * 9 * 60)
