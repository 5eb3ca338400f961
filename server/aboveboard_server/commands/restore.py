"""``aboveboard restore``: a state folder from a backup."""

from pathlib import Path

import click

from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable
from aboveboard_referee.counted import counted
from aboveboard_server.operations.backup import BESIDE, restore_backup


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.argument("state", metavar="STATE", type=click.Path(path_type=Path))
def restore(file: Path, state: Path) -> None:
    """Put the backup FILE back as the folder STATE, which must not be there yet.

    Every hash is checked first. The server that is started on it signs nothing until every
    bot that was there has come back and shown that it saw no more than the backup holds.
    """
    manifest = restore_backup(file, state)
    click.echo(
        f"{state}: as it was at {printable(manifest.made, 40)}, with"
        f" {counted(manifest.leaves, 'leaf')} of the log; what was written is there,"
        f" {counted(len(manifest.files), 'file')}"
    )
    beside = [each.path for each in manifest.files if each.path.startswith(f"{BESIDE}/")]
    if beside:
        click.echo(f"lay outside of the state folder, and are in {state / BESIDE} now:")
        for path in beside:
            click.echo(f"  {path.removeprefix(f'{BESIDE}/')}")
        click.echo("they are not yet back in their places: copy each to where it was")
    if manifest.under_way:
        click.echo(f"under way were {printable(', '.join(manifest.under_way), 200)}")
    click.echo(f"go on with: {command_line('serve', 'FILE.toml')}")
