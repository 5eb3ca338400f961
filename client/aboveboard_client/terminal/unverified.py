"""What is said beside all that is shown of an archive as its files have it."""

from pathlib import Path

from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import stderr


def say_unverified(archive: Path) -> None:
    """A line on standard error, with the command that verifies it."""
    line = f"not verified; to verify it: {command_line('verify', archive)}"
    stderr().print(line, style="yellow")
