"""What the pages tell people to type is there, and what they link to."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from aboveboard_client.cli import aboveboard

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*/*.md")]
)


def commands(text: str) -> Iterator[str]:
    """Lines that are to be typed, those that go on put together."""
    lines = iter(text.replace("\\\n", " ").splitlines())
    for line in lines:
        found = re.match(r"(?:    |\$ |)(?:\.venv/bin/|\.\./)*(aboveboard [a-z].*)$", line)
        if found and (line.startswith((" ", "$")) or _fenced(text, line)):
            yield found[1]


def _fenced(text: str, line: str) -> bool:
    before = text[: text.index(line)]
    return before.count("```") % 2 == 1


def of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_on_a_page_is_there_with_its_options(page: Path) -> None:
    if page.name == "commands.md":
        return  # made from the commands
    for line in commands(of(page)):
        words = line.partition(" #")[0].split()[1:]
        command: click.Command = aboveboard
        context = click.Context(aboveboard, info_name="aboveboard")
        while isinstance(command, click.Group) and words:
            found = command.get_command(context, words[0])
            assert found is not None, f"{page.name}: {line}"
            command, words = found, words[1:]
        known = {
            name
            for parameter in command.params
            if isinstance(parameter, click.Option)
            for name in (*parameter.opts, *parameter.secondary_opts)
        }
        for word in words:
            if word.startswith("-") and len(word) > 1:
                assert word.partition("=")[0] in {*known, "--help"}, f"{page.name}: {line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", of(page)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, heading = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: {target}"
        if heading and path.suffix == ".md":
            assert heading in _headings(path), f"{page.name}: {target}"


def _headings(page: Path) -> set[str]:
    """The anchors that a page's headings have where it is shown."""
    found = re.findall(r"^#+ (.+)$", of(page), re.M)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in found}


@pytest.mark.parametrize(("command", "extra"), [("ratings", "ratings"), ("witness --http", "http")])
def test_a_page_that_has_a_command_typed_says_what_else_that_needs(
    command: str, extra: str
) -> None:
    for page in PAGES:
        typed = [line for line in commands(of(page)) if f"aboveboard {command}" in line]
        if typed and page.name != "commands.md":
            assert re.search(rf"pip install .*\[{extra}\]", of(page)), page.name
