"""``aboveboard serve``: run a tournament."""

import sys
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from aboveboard_client.commands.verify import verify
from aboveboard_client.terminal.called_as import command_line
from aboveboard_protos import bridge
from aboveboard_server import service
from aboveboard_server.beforehand import check_files
from aboveboard_server.commands.config_flags import ConfiguredCommand, as_words, given_flags
from aboveboard_server.commands.dry_run_report import plan_lines
from aboveboard_server.config import EXAMPLE, load_config
from aboveboard_server.door.open_files import allow_open_files
from aboveboard_server.dry_run import dry_run as plan_of_all
from aboveboard_server.house import House
from aboveboard_server.keys import server_keys
from aboveboard_server.operations.restored import restored_from
from aboveboard_server.progress import LiveProgress, PlainProgress


@click.command(cls=ConfiguredCommand)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--verify/--no-verify", "verified", default=True, help="Verify the archive.")
@click.option("--example", is_flag=True, help="Print a tournament file with every key explained.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Print the whole plan (rounds, matches, expected minutes) and begin nothing.",
)
@click.option("--tls", is_flag=True, help="Encrypt connections: short for --tls-on true.")
@click.option(
    "--restored",
    is_flag=True,
    help="Your word that nothing was served since the backup was made that STATE comes from.",
)
@click.pass_context
def serve(
    ctx: click.Context,
    file: Path | None,
    verified: bool,
    example: bool,
    dry_run: bool,
    tls: bool,
    restored: bool,
) -> int:
    """Run the tournament that FILE.toml describes, to its verified archive.

    Bots come with `aboveboard join`. The tournament begins when as many have entered as
    the file wants, at the time that it names, or at the organiser's word. Everything is
    kept in the state folder: stopped and started again, the tournament goes on.

    Every key of the file can be given here instead, e.g. --clock-move 5s; a tournament that
    has begun is described as it was begun, by the same flags.
    """
    if example:
        click.echo(EXAMPLE, nl=False)
        return 0
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    flags = {**given_flags(ctx), **({"tls.on": "true"} if tls else {})}
    config = load_config(file, flags)
    if dry_run:
        check_files(config)
        for line in plan_lines(config, plan_of_all(config), service.now_us()):
            click.echo(line)
        return 0
    console = Console()
    allow_open_files()
    try:
        with House(config.house, config.state / "house") as house:
            serving = partial(
                service.serve,
                config,
                on_listening=house.begin,
                beside=house.keep,
                restored=restored,
            )
            if console.is_terminal:
                with LiveProgress(console) as live:
                    archive = bridge.run(lambda: serving(live))
            else:
                # Whoever reads a pipe wants each line when it is written.
                sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
                archive = bridge.run(lambda: serving(PlainProgress()))
    except bridge.Interrupted as error:
        words = ["serve", str(file), *as_words(flags)]
        if restored and restored_from(config.state) is not None:
            words.append("--restored")  # it has not come to need that word
        click.echo(f"stopped; go on with: {command_line(*words)}", err=True)
        return 128 + error.signal
    click.echo(f"\narchive: {archive}")
    organiser = server_keys(config).organiser.public.raw.hex()
    if not verified:
        words = ["verify", str(archive), "--organiser", organiser]
        click.echo(f"verify it with: {command_line(*words)}")
        return 0
    ctx.invoke(verify, archive=archive, organiser=organiser, as_json=False, jobs=None)
    return 0
