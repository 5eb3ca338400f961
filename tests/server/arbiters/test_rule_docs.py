"""What the pages for arbiters and leagues have people type is understood, word for word."""

import re
import shlex
from pathlib import Path

import click
import pytest

from aboveboard_client.cli import aboveboard
from aboveboard_server.config import load_config

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("arbiter.md", "league.md", "pairing.md")
NAMES = {"$AT": "127.0.0.1:1", "$KEY": "organiser.key"}


def commands(page: str) -> list[str]:
    """Every command on a page, whole where it goes on in the next line."""
    text = re.sub(r"\\\n +", " ", (DOCS / page).read_text())
    shown = re.findall(r"^    (?:\$ )?(aboveboard .+?)(?:    .*)?$", text, re.M)
    return shown + re.findall(r"`(aboveboard [^`]*\$AT[^`]*)`", text)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_on_a_page_is_one_that_there_is(page: str) -> None:
    found = commands(page)
    assert len(found) >= 2
    for line in found:
        words = [NAMES.get(word, word) for word in shlex.split(line, comments=True)[1:]]
        command = aboveboard.get_command(click.Context(aboveboard), words[0])
        assert command is not None, line
        command.make_context(words[0], words[1:])


def test_the_first_season_of_the_page_on_leagues_is_a_tournament_file(tmp_path: Path) -> None:
    first, *_ = re.findall(r"```toml\n(.+?)```", (DOCS / "league.md").read_text(), re.S)
    file = tmp_path / "season-1.toml"
    file.write_text(first)
    config = load_config(file)
    assert (config.system, config.form.legs, config.form.season) == ("league", 2, 1)
    assert [division.size for division in config.form.divisions] == [4, 4]


def test_the_tables_of_the_page_for_arbiters_go_into_a_tournament_file(tmp_path: Path) -> None:
    review, rest = re.findall(r"```toml\n(.+?)```", (DOCS / "arbiter.md").read_text(), re.S)
    file = tmp_path / "evening.toml"
    file.write_text(f'games = ["cribbage"]\nrounds = 6\n{review}{rest}')
    config = load_config(file)
    assert config.review_us == 300_000_000
    form = config.form
    assert (form.late_until, form.late_half_points, form.half_byes, form.byes_until) == (3, 0, 1, 5)
