"""The subcommands that this package brings to ``aboveboard``, one a file."""

from collections.abc import Sequence

import click

from aboveboard_client.commands.bye import bye
from aboveboard_client.commands.check import check
from aboveboard_client.commands.come_back import come_back
from aboveboard_client.commands.explain import explain
from aboveboard_client.commands.export import export
from aboveboard_client.commands.init import init
from aboveboard_client.commands.join import join
from aboveboard_client.commands.key import key
from aboveboard_client.commands.log import show_log
from aboveboard_client.commands.pair import pair
from aboveboard_client.commands.play import play
from aboveboard_client.commands.ratings import ratings
from aboveboard_client.commands.replay import replay
from aboveboard_client.commands.report import report
from aboveboard_client.commands.score import score
from aboveboard_client.commands.season import season
from aboveboard_client.commands.show import show
from aboveboard_client.commands.simulate import simulate
from aboveboard_client.commands.standings import standings
from aboveboard_client.commands.verify import verify
from aboveboard_client.commands.withdraw import withdraw
from aboveboard_client.commands.witness import witness

COMMANDS: Sequence[click.Command] = (
    bye,
    check,
    come_back,
    explain,
    export,
    init,
    join,
    key,
    pair,
    play,
    ratings,
    replay,
    report,
    score,
    season,
    show,
    show_log,
    simulate,
    standings,
    verify,
    withdraw,
    witness,
)
"""Found by the entry point ``aboveboard.commands``."""
