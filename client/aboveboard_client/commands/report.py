"""``aboveboard report``: why a bot lost a match, as its process and the referee saw it."""

from pathlib import Path

import click

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.report_folder import read_report
from aboveboard_client.terminal.output import printable, say, say_json
from aboveboard_client.terminal.report_text import heading, report_text


@click.command()
@click.argument("match", metavar="[MATCH]", required=False)
@click.option(
    "--state",
    metavar="FOLDER",
    default=Path(),
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The bot's state folder: its key file's name with .state.  [default: this folder]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def report(match: str | None, state: Path, as_json: bool) -> None:
    """Show what is known of the matches that a bot lost, or that came to nothing.

    Without MATCH they are listed, the newest last; with one, such as r2-b1, its report is
    shown: how it ended, what the bot was asked and answered, what it wrote, and where the
    time went. Without --state this folder may also be one in which a single bot's state
    folder lies.
    """
    folder = _folder(state)
    try:
        found = _reports(folder, match)
        if as_json:
            say_json({"reports": [read_report(path) for path in found]})
        elif match is None:
            for path in found:
                known = read_report(path)
                say(f"{path}: damaged" if known is None else heading(known))
        else:
            known = read_report(found[-1])
            if known is None:
                raise OutsideFailure(f"{found[-1]} is damaged")
            say(report_text(known).rstrip())
    except OSError as error:
        raise OutsideFailure(f"{folder} cannot be read: {error.strerror}") from error


def _folder(state: Path) -> Path:
    """Where the reports are. Raises ``WrongUse``."""
    inner = (
        [state / "reports"] if (state / "reports").is_dir() else [*state.glob("*.state/reports")]
    )
    if len(inner) == 1:
        return inner[0]
    if inner:
        names = ", ".join(sorted(path.parent.name for path in inner))
        raise WrongUse(f"several bots' state folders are here; choose one with --state: {names}")
    raise WrongUse(
        f"there are no reports in {state}: they lie in the state folder of a bot that lost"
    )


def _reports(folder: Path, match: str | None) -> list[Path]:
    """The reports that are asked for, the oldest first. Raises ``WrongUse``, ``OSError``."""
    paths = [
        path
        for path in folder.glob("*.json")
        if match in (None, path.stem, path.stem.rpartition(".")[0])
    ]
    if not paths:
        which = "" if match is None else f" of {printable(match, 40)}"
        raise WrongUse(f"there is no report{which} in {folder}")
    return sorted(paths, key=lambda path: (path.stat().st_mtime_ns, path.name))
