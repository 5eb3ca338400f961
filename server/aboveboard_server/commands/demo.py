"""``aboveboard demo``: the commands that people use, started for them."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.terminal.called_as import command_line
from aboveboard_referee.games import registry
from aboveboard_referee.tournament.history import MOST_SEATS
from aboveboard_server.config import load_config
from aboveboard_server.config.terms import SYSTEMS

BOTS = ("house", "random")
DEMONSTRATED = tuple(system for system in SYSTEMS if system != "league")
"""All systems but the one that needs to be told its divisions."""

PATIENCE_SECONDS = 20
LISTENING = re.compile(r"listening on (\S+);")

FILE = """\
title = "Demo"
games = {games}
system = "{system}"
seats = {seats}
rounds = {rounds}
entrants = {bots}
listen = "127.0.0.1:0"
state = "."

[clock]
move = "10s"
match = "2m"
protocol = "20s"
start = "20s"
"""


@click.command()
@click.option("--bots", default=8, show_default=True, type=click.IntRange(2, 64))
@click.option("--rounds", default=6, show_default=True, type=click.IntRange(1, 50))
@click.option("--system", default="swiss", show_default=True, type=click.Choice(DEMONSTRATED))
@click.option("--seats", default=2, show_default=True, type=click.IntRange(2, MOST_SEATS))
@click.option(
    "--game",
    "games",
    multiple=True,
    help="A game of the rotation; can be given several times. Default: all of them.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Where to put the tournament; default: a new folder below runs/.",
)
def demo(
    bots: int,
    rounds: int,
    system: str,
    seats: int,
    games: tuple[str, ...],
    folder: Path | None,
) -> int:
    """Play a small tournament on this machine: a server, bots as processes, a verdict.

    It writes a tournament file and starts `aboveboard serve`, one `aboveboard join` for
    each bot and `aboveboard verify`, as you would. Everything stays in the folder.
    """
    try:
        chosen = [registry.canonical(name) for name in games] or list(registry.names())
    except registry.UnknownGame as error:
        raise WrongUse(str(error)) from error
    folder = folder or Path("runs") / time.strftime("demo-%Y%m%d-%H%M%S")
    if folder.exists():
        raise WrongUse(f"{folder} is there already; choose another folder")
    try:
        folder.mkdir(parents=True)
        file = folder / "tournament.toml"
        text = FILE.format(
            games=_toml(chosen), system=system, seats=seats, rounds=rounds, bots=bots
        )
        file.write_text(text)
        load_config(file)  # what does not go together is told before anything is started
        return _run(file, bots)
    except OSError as error:
        raise OutsideFailure(f"{folder}: {error.strerror or error}") from error


def _run(file: Path, bots: int) -> int:
    children: list[subprocess.Popen[str]] = []
    # A polite end of this process is one of its children too, as Ctrl-C is.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        click.echo(f"$ {command_line('serve', file)}")
        server = subprocess.Popen(
            _command("serve", str(file), "--no-verify"), stdout=subprocess.PIPE, text=True
        )
        children.append(server)
        assert server.stdout is not None
        for line in server.stdout:
            click.echo(line, nl=False)
            if found := LISTENING.search(line):
                for number in range(bots):
                    children.append(_join(found[1], number, file.parent))
        code = server.wait()
        for child in children[1:]:
            # They hear of the end over their connections, and go by themselves.
            child.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise OutsideFailure(f"a bot did not end: {error.cmd}") from error
    finally:
        for child in children:
            if child.poll() is None:
                child.terminate()
                child.wait()
    if code != 0:
        return code
    archive = file.parent / "archive"
    organiser = file.parent / "organiser.key"
    click.echo(f"\n$ {command_line('verify', archive, '--organiser', organiser)}")
    return subprocess.run(
        _command("verify", str(archive), "--organiser", str(organiser)), check=False
    ).returncode


def _join(address: str, number: int, folder: Path) -> "subprocess.Popen[str]":
    bot = BOTS[number % len(BOTS)]
    name = f"{bot}-{number // len(BOTS) + 1}"
    if number == 0:
        joining = command_line("join", address, bot, "--name", name, "--house")
        click.echo(f"$ {joining}   (and so on)")
    log = (folder / f"{name}.log").open("w")
    return subprocess.Popen(
        _command("join", address, bot, "--name", name, "--house"), stdout=log, stderr=log, text=True
    )


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "aboveboard_client", *words]


def _toml(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
