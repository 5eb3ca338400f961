"""The README's way from an empty folder to a tournament, exactly as it stands there."""

import re
from pathlib import Path

import pytest

from tests.fakes.processes import Ended, Processes

ROOT = Path(__file__).parents[2]
SECTION = "## A bot in two minutes"
WORDS = ("pip install", "init", "play", "check", "serve", "join")


def commands() -> list[str]:
    """The lines to be typed of that section."""
    _, _, rest = (ROOT / "README.md").read_text().partition(f"{SECTION}\n")
    section, _, _ = rest.partition("\n## ")
    prose, code = [], False
    for line in section.splitlines():
        if line.startswith("```"):
            code = not code
        elif not code:
            prose.append(line)
    return [line.strip() for line in prose if re.match(r"    \S", line)]


def test_the_way_to_a_first_tournament_is_six_commands() -> None:
    for command, word in zip(commands(), WORDS, strict=True):
        assert f"{word} " in command


@pytest.mark.slow
def test_a_new_user_comes_from_an_empty_folder_to_a_verified_tournament(tmp_path: Path) -> None:
    """Everything is as a user has it, the first command included, which needs an index or
    wheels to install from. `aboveboard` beside the folder is this repository.
    """
    (tmp_path / "aboveboard").symlink_to(ROOT)
    folder = tmp_path / "empty"
    folder.mkdir()
    install, init, play, check, serve, join = commands()
    with Processes(folder) as processes:

        def typed(command: str) -> Ended:
            ended = processes.program("sh", "-c", command).end(None)
            assert ended.code == 0, f"{command}: {ended}"
            return ended

        typed(install)
        assert typed(init).err == ""
        played = typed(play)
        assert re.search(r"^mybot gets [01]\.\d{3} points a game \(", played.out, re.MULTILINE)
        assert typed(played.out.splitlines()[-1]).out.count("deal 1: ") == 1
        assert typed(check).out.splitlines()[-1].startswith("passed: ")

        server = processes.program("sh", "-c", serve)
        server.line("listening on ")
        joined = typed(join)
        assert re.search(r"^rank [1-4] of 4 with ", joined.out, re.MULTILINE), str(joined)
        served = server.end()
        assert served.code == 0, str(served)
        assert served.out.splitlines()[-1] == "verdict: good, everything agrees"
        typed(".venv/bin/aboveboard verify mybot-tournament/archive")
