"""A report on a match that was lost or came to nothing, as text for its bot's owner."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable

_COLUMNS = (
    ("asked", "asked", 1),
    ("wait", "wait_us", 1000),
    ("think", "think_us", 1000),
    ("network", "network_us", 1000),
    ("referee", "referee_us", 1000),
    ("charged", "charged_us", 1000),
    ("left", "left_us", 1000),
)


def heading(report: Mapping[str, Any]) -> str:
    """The first line of a report: the match, and how it ended."""
    again = f", attempt {report['attempt']}" if report["attempt"] > 1 else ""
    game = f" ({report['game']})" if report.get("game") else ""
    referee = report.get("referee", {})
    result = report.get("result") or "no word of this bot's own process"
    reason = report.get("reason") or referee.get("reason", "")
    scores = " - ".join(map(str, report.get("scores", [])))
    ending = " ".join(filter(None, (result, scores, reason and f"({reason})")))
    return printable(f"{report['match']}{again}, seat {report['seat']}{game}: {ending}", 300)


def report_text(report: Mapping[str, Any]) -> str:
    """All of a report, in lines. What others wrote is made harmless to a terminal."""
    return "\n".join(_lines(report)) + "\n"


def can_be_told(report: Any) -> bool:
    """Whether it has all that the text of a report is made of."""
    try:
        report_text(report)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return True


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield heading(report)
    if report.get("trouble"):
        yield f"left: {printable(report['trouble'], 500)}"
    yield from _referee(report.get("referee"))
    question = report.get("question")
    if question is not None:
        yield from _question(question)
    end = report.get("end") or []
    if end and (question is None or end != question["position"]):
        yield from _block("at the end", end)
    if report.get("output"):
        yield from _block("what the bot wrote last", report["output"].splitlines())
    if report.get("times"):
        yield from _times(report["times"])
    yield ""
    again = command_line("replay", "ARCHIVE", report["match"], "--seat", report["seat"])
    yield f"see it again: {again}"


def _referee(said: Mapping[str, Any] | None) -> Iterator[str]:
    if said is None:
        yield "the referee's side: not told yet"
        return
    parts = [said["reason"]]
    if said["phase"]:
        parts.append(f"{said['phase']} was owed since event {said['asked']}")
    if said["elapsed_us"]:
        parts.append(f"for {said['elapsed_us'] / 1e6:.3f} s")
    if said["text"] and said["text"] != said["reason"]:
        parts.append(said["text"])
    yield f"the referee's side: {printable(', '.join(parts), 700)}"
    limit = said["suspended_after"]
    if said["failed_in_a_row"]:
        plural = "es" if said["failed_in_a_row"] > 1 else ""
        rule = f"; {limit} in a row suspend a bot" if limit else ""
        yield f"the bot failed in {said['failed_in_a_row']} match{plural} in a row now{rule}"


def _question(question: Mapping[str, Any]) -> Iterator[str]:
    yield from _block("asked last", question["position"])
    # With the cards in words, which reports of earlier versions do not have.
    legal = question.get("legal_words", question["legal"])
    answer = question.get("answer_words", question["answer"])
    count = question["legal_count"]
    more = f", and {count - len(legal)} more" if count > len(legal) else ""
    yield ""
    yield f"legal: {printable(', '.join(legal), 4000)}{more}"
    took = f"after {question['thought_us'] / 1e6:.3f} s of {question['left_us'] / 1e6:.3f} s"
    if question["thinking"]:
        yield f"answer: none {took}: it was still thinking"
    elif question["failure"]:
        yield f"answer: none {took}: the bot {printable(question['failure'], 500)}"
    else:
        yield f"answer: {printable(answer)} {took}"
    if question["traceback"]:
        yield from _block("traceback", question["traceback"].splitlines())


def _block(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"{title}:"
    for line in lines:
        yield f"  {printable(line, 500)}".rstrip()


def _times(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield "times in ms; wait is the referee's measure, think the bot's own, network the rest of it:"
    table = [[name for name, _, _ in _COLUMNS] + ["phase", "answer"]]
    for row in rows:
        cells = [_cell(row[key], unit) for _, key, unit in _COLUMNS]
        table.append([*cells, row["phase"], row["answer"]])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        numbers = [f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)][:-2]
        yield (
            "  " + "  ".join([*numbers, f"{line[-2]:<{widths[-2]}}", printable(line[-1])]).rstrip()
        )


def _cell(number: int | None, unit: int) -> str:
    if number is None:
        return "-"
    return f"{number / unit:.1f}" if unit > 1 else str(number)
