"""``aboveboard backup``: a copy of all that a server needs to go on, while it runs."""

from pathlib import Path

import click

from aboveboard_referee.counted import counted
from aboveboard_server.config import Config, load_config
from aboveboard_server.operations.backup import take_backup


@click.command()
@click.argument("state", metavar="STATE", type=click.Path(path_type=Path, exists=True))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
def backup(state: Path, file: Path) -> None:
    """Copy all that a tournament's server needs to go on into FILE, while it runs or not.

    STATE is its state folder, or the tournament's .toml file: then what that names outside
    of the folder is in the backup too. FILE holds the organiser's, the referee's and the log's
    private keys: whoever has it can sign in their names. It is made readable by you alone,
    and read again before it takes the place of an older one.

    What happens after a backup is not in it, and a tournament cannot go on from one of which
    bots have seen more. So take one as often as you are ready to lose what came since.
    """
    if state.is_file():
        config = load_config(state)
        taken = take_backup(config.state, file, _beside(config), config.server_log.file)
    else:
        taken = take_backup(state, file, log="server.log")
    manifest = taken.manifest
    click.echo(
        f"{file}: {taken.size / 1000:,.0f} kB, {counted(len(manifest.files), 'file')},"
        f" {counted(manifest.leaves, 'leaf')} of the log, read again and whole"
    )
    for name in taken.left_out:
        click.echo(f"left out, as no backup can hold it: {name}")
    if manifest.under_way:
        click.echo(
            f"matches under way: {len(manifest.under_way)}; one can go on from this copy only if"
            " nothing is served after it (docs/operating.md)"
        )
    click.echo("it holds private keys: keep it as you keep those")


def _beside(config: Config) -> list[Path]:
    """What the tournament's file names outside of the state folder, and itself."""
    named = [
        config.path,
        config.organiser_key,
        config.referee_key,
        config.log_key,
        config.organiser_certificate,
        config.tls.certificate,
        config.tls.key,
        config.entry_tokens,
    ]
    state = config.state.resolve()
    return [path for path in named if path and not path.resolve().is_relative_to(state)]
