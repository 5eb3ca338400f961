"""docs/commands.md, made from the command line itself.

``python -m tests.commands_page`` writes it (`make docs`), and with ``--check`` says whether it is
what the commands say of themselves (`make check`).
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from aboveboard_client.cli import SECTIONS, Commands, aboveboard

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"

WIDTH = 92

Sections = Sequence[tuple[str, Sequence[str]]]

HEAD = """\
# Every command

What each command says with `--help`. This page is made from the commands: `make docs` writes it,
and `make check` holds it against them.
"""


def page() -> str:
    """The whole page."""
    context = click.Context(aboveboard, info_name="aboveboard", **aboveboard.context_settings)
    assert isinstance(aboveboard, Commands)
    names = aboveboard.list_commands(context)
    listed = {name for _, section in SECTIONS for name in section}
    sections = [*SECTIONS, ("More", [name for name in names if name not in listed])]
    parts = [HEAD, "\n".join(_contents(sections, names)), "## aboveboard", _help(context)]
    for title, section in sections:
        found = [name for name in section if name in names]
        if found:
            parts.append(f"## {title}")
        for name in found:
            parts += _command(aboveboard.found[name], name, context)
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _contents(sections: Sections, names: Sequence[str]) -> Iterator[str]:
    for title, section in sections:
        links = [f"[{name}](#aboveboard-{name})" for name in section if name in names]
        if links:
            yield f"- {title}: {', '.join(links)}"


def _command(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f"### {context.command_path}"
    yield _help(context)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _command(found, inner, context)


def _help(context: click.Context) -> str:
    context.max_content_width = context.terminal_width = WIDTH
    text = context.command.get_help(context)
    return "```\n" + "\n".join(line.rstrip() for line in text.splitlines()) + "\n```"


def main() -> int:
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") != page():
        print("docs/commands.md is stale: run make docs")
        return 1
    print("docs/commands.md says what the commands say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
