"""The subcommands that this package brings to ``aboveboard``, one a file."""

from collections.abc import Sequence

import click

COMMANDS: Sequence[click.Command] = ()
"""Found by the entry point ``aboveboard.commands``."""
