"""What ``aboveboard simulate`` prints."""

from collections.abc import Sequence

from aboveboard_client.terminal.output import printable, say, say_csv, say_json, say_table
from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.simulate.measures import Estimate, Summary
from aboveboard_referee.tournament.simulate.playing import Setting

HEADER = (
    "system",
    "rounds",
    "runs",
    "best_wins",
    "best_wins_low",
    "best_wins_high",
    "rank_of_best",
    "rank_of_best_low",
    "rank_of_best_high",
    "kendall_tau",
    "kendall_tau_low",
    "kendall_tau_high",
    "rounds_played",
    "matches",
)
"""Columns for spreadsheets, and keys for programs."""


def say_summaries(
    settings: Sequence[Setting],
    summaries: Sequence[Summary],
    entrants: int,
    seed: str,
    output: str,
) -> None:
    """Print what many tournaments of each form came to."""
    rows = [_row(setting, summary) for setting, summary in zip(settings, summaries, strict=True)]
    if output == "csv":
        say_csv(HEADER, rows)
    elif output == "json":
        results = [dict(zip(HEADER, row, strict=True)) for row in rows]
        say_json({"entrants": entrants, "seed": seed, "results": results})
    else:
        runs = summaries[0].runs
        made = counted(runs, "run")
        say(f"{entrants} entrants, {made}, seed {printable(seed)}", style="bold")
        header = ("system", "rounds", "best wins", "rank of best", "tau", "matches")
        say_table(
            header,
            [
                (
                    setting.system.name,
                    f"{summary.rounds.mean().mean:.4g}",
                    _percent(summary.best_wins.share()),
                    _interval(summary.rank_of_best.mean(), 2),
                    _interval(summary.tau.mean(), 3),
                    f"{summary.matches.mean().mean:.6g}",
                )
                for setting, summary in zip(settings, summaries, strict=True)
            ],
            right=header[1:],
        )


def _row(setting: Setting, summary: Summary) -> list[str | int | float | None]:
    estimates = (summary.best_wins.share(), summary.rank_of_best.mean(), summary.tau.mean())
    return [
        setting.system.name,
        setting.plan.rounds or None,
        summary.runs,
        *(round(bound, 6) for each in estimates for bound in (each.mean, each.low, each.high)),
        round(summary.rounds.mean().mean, 6),
        round(summary.matches.mean().mean, 6),
    ]


def _percent(share: Estimate) -> str:
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def _interval(mean: Estimate, decimals: int) -> str:
    return f"{mean.mean:.{decimals}f} ({mean.low:.{decimals}f} to {mean.high:.{decimals}f})"
