"""The end of a check as tables for people, and as JSON."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from aboveboard_client.checking.explain import board, legal_texts, repeat_command
from aboveboard_client.checking.moments import told
from aboveboard_client.checking.result import FAILED, NOT_TRIED, OK, WARNED, Failure, Result
from aboveboard_client.checking.run import HANGS, Check
from aboveboard_client.terminal.output import printable, say, say_table
from aboveboard_referee.counted import counted

SLOW_PART = 0.1
"""The part of the time for one move that a bot may take on average before that is told."""


def say_summary(check: Check) -> None:
    """Games, moments, and what else there is to know."""
    _say_games(check)
    say("")
    _say_moments(check)
    for line in warnings(check):
        say(f"warning: {printable(line, limit=500)}")
    if not all(result.tried for result in check.results):
        say(
            f"the bot ran out of time in {HANGS} cases, so the rest was not tried; "
            "--move-time allows it more or less"
        )
    if check.passed:
        tried = counted(len(check.results), "case")
        say(f"passed: {tried}, {check.mean_s * 1000:.1f} ms a move", "green")


def warnings(check: Check) -> list[str]:
    """What is no failure, and may become one."""
    found = [f"{r.case}: {text}" for r in check.results for text in r.warnings]
    flooded = [result for result in check.results if result.flooded]
    if flooded:
        most = max(flooded, key=lambda result: result.written)
        found.append(
            f"wrote more than 1 MiB in {counted(len(flooded), 'case')}, "
            f"{most.written / (1 << 20):.1f} MiB in {most.case}: that costs time and fills logs"
        )
    if check.mean_s > check.move_s * SLOW_PART:
        found.append(
            f"{check.mean_s:.2f} s a move on average: a tournament's clock may allow less for "
            "a whole match than for its moves one by one"
        )
    return found


def as_json(check: Check, move_time: str | None) -> Mapping[str, Any]:
    """All of it; documented in docs/check.md."""
    return {
        "bot": check.spec,
        "passed": check.passed,
        "move_time_s": check.move_s,
        "mean_s": check.mean_s,
        "warnings": warnings(check),
        "moments": [
            {"game": game, "moment": moment, "met": met, "told": told(moment, _family(game))}
            for (game, moment), met in _moments(check).items()
        ],
        "cases": [
            {
                "case": result.case,
                "status": result.status,
                "questions": result.questions,
                "mean_s": result.mean_s,
                "longest_s": result.longest_s,
                "warnings": result.warnings,
                "written_bytes": result.written,
                "failure": _failure(result.failure),
                "repeat": repeat_command(check.spec, result.case, move_time),
            }
            for result in check.results
        ],
    }


def _failure(failure: Failure | None) -> Mapping[str, Any] | None:
    if failure is None:
        return None
    turn = failure.turn
    return {
        "kind": failure.kind,
        "what": failure.what,
        "situation": failure.situation,
        "seat": None if turn is None else turn.seat,
        "position": [] if turn is None else board(turn),
        "legal": [] if turn is None else legal_texts(turn),
        "sent": failure.sent,
        "took_s": failure.took_s,
        "allowed_s": failure.allowed_s,
        "output": failure.output,
        "traceback": failure.trace,
    }


def _say_games(check: Check) -> None:
    by_game: dict[str, list[Result]] = {}
    for result in check.results:
        by_game.setdefault(result.game, []).append(result)
    rows = []
    for game, results in by_game.items():
        count = Counter(result.status for result in results)
        questions = sum(result.questions for result in results)
        thought = sum(result.thought_s for result in results)
        longest = max(result.longest_s for result in results)
        rows.append(
            (
                game,
                *(str(count[status]) for status in (OK, WARNED, FAILED, NOT_TRIED)),
                str(questions),
                f"{1000 * thought / max(1, questions):.1f}",
                f"{1000 * longest:.0f}",
            )
        )
    header = ("game", OK, WARNED, FAILED, NOT_TRIED, "moves", "ms a move", "longest ms")
    say_table(header, rows, right=header[1:])


def _say_moments(check: Check) -> None:
    rows = [
        (game, moment, str(met), f"the bot {told(moment, _family(game))}")
        for (game, moment), met in _moments(check).items()
    ]
    if rows:
        say_table(("game", "moment", "met", "what it is"), rows, right=("met",))


def _moments(check: Check) -> Mapping[tuple[str, str], int]:
    """How often each moment was met, by family; also those that were not."""
    met: dict[tuple[str, str], int] = {}
    for result in check.results:
        family = _family(result.game)
        met.setdefault((family, result.case.rpartition("/")[2]), 0)
        for moment, times in result.met.items():
            met[family, moment] = met.get((family, moment), 0) + times
    return dict(sorted(met.items()))


def _family(game: str) -> str:
    return game.split(":")[0]
