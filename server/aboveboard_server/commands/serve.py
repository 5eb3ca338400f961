"""``aboveboard serve``: run a tournament."""

import sys
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from aboveboard_client.commands.verify import verify
from aboveboard_protos import bridge
from aboveboard_server import service
from aboveboard_server.config import EXAMPLE, load_config
from aboveboard_server.keys import server_keys
from aboveboard_server.progress import LiveProgress, PlainProgress


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--verify/--no-verify", "verified", default=True, help="Verify the archive.")
@click.option("--example", is_flag=True, help="Print a tournament file with every key explained.")
@click.option("--tls", is_flag=True, help="Encrypt connections, as [tls] on = true in FILE does.")
@click.pass_context
def serve(ctx: click.Context, file: Path | None, verified: bool, example: bool, tls: bool) -> int:
    """Run the tournament that FILE.toml describes, to its verified archive.

    Bots come with `aboveboard join`. The tournament begins when as many have entered as
    the file wants, at the time that it names, or at the organiser's word. Everything is
    kept in the state folder: stopped and started again, the tournament goes on.
    """
    if example:
        click.echo(EXAMPLE, nl=False)
        return 0
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    config = load_config(file)
    if tls:
        config = replace(config, tls=replace(config.tls, on=True))
    console = Console()
    try:
        if console.is_terminal:
            with LiveProgress(console) as live:
                archive = bridge.run(lambda: service.serve(config, live))
        else:
            # Whoever reads a pipe wants each line when it is written.
            sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
            archive = bridge.run(lambda: service.serve(config, PlainProgress()))
    except bridge.Interrupted as error:
        again = f"aboveboard serve {file}{' --tls' if tls else ''}"
        click.echo(f"stopped; go on with: {again}", err=True)
        return 128 + error.signal
    click.echo(f"\narchive: {archive}")
    organiser = server_keys(config).organiser.public.raw.hex()
    if not verified:
        click.echo(f"verify it with: aboveboard verify {archive} --organiser {organiser}")
        return 0
    ctx.invoke(verify, archive=archive, organiser=organiser, as_json=False, jobs=None)
    return 0
