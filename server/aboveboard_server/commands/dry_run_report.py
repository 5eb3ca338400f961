"""What ``aboveboard serve --dry-run`` prints of a plan."""

from collections.abc import Iterator

from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import table_lines
from aboveboard_referee.counted import counted
from aboveboard_server.beforehand import begins
from aboveboard_server.config import Config
from aboveboard_server.dry_run import QUESTION_SECONDS, DryRun


def plan_lines(config: Config, plan: DryRun, now_us: int) -> Iterator[str]:
    """The plan for a person to read, as of a time in microseconds since the Unix epoch."""
    yield f"{config.title}: {config.system}, {counted(plan.entrants, 'entrant')}" + (
        "" if config.entrants else " as an example; --entrants says how many"
    )
    header = ("round", "tables", "byes", "matches", "expected", "at most", "games")
    rows = [
        (
            str(each.number),
            str(each.tables),
            str(each.byes),
            str(each.matches),
            _minutes(each.expected),
            _minutes(each.most),
            ", ".join(dict.fromkeys(each.games)),
        )
        for each in plan.rounds
    ]
    yield from table_lines(header, rows, right=header[:-1])
    every = "every round" if plan.goes_on else "in all"
    yield (
        f"{every} {counted(plan.matches, 'match')}, about {_minutes(plan.expected)} with bots that"
        f" take {QUESTION_SECONDS:g} s a question, and {_minutes(plan.most)} at the most"
    )
    if plan.goes_on:
        yield f"it goes on until you end it: {command_line('end')}"
    yield from _setting(config, now_us)


def _setting(config: Config, now_us: int) -> Iterator[str]:
    yield begins(config, command_line("start"), now_us)
    yield f"listens on {config.listen}, keeps everything in {config.state}"
    yield f"plays at most {counted(config.matches_at_once, 'match')} at once"


def _minutes(seconds: float) -> str:
    if seconds < 3600:
        return f"{max(0.1, seconds / 60):.1f} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes:02} min"
