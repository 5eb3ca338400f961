"""The server's part of the one command."""

import click

from aboveboard_server.commands.backup import backup
from aboveboard_server.commands.demo import demo
from aboveboard_server.commands.restore import restore
from aboveboard_server.commands.rule import end, pause, resume, rule
from aboveboard_server.commands.serve import serve
from aboveboard_server.commands.start import start
from aboveboard_server.commands.token import token

COMMANDS: tuple[click.Command, ...] = (
    backup,
    demo,
    end,
    pause,
    restore,
    resume,
    rule,
    serve,
    start,
    token,
)
