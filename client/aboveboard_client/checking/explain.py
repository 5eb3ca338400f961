"""A failure told to the bot's author: what was asked, what came back, how to see it again."""

from collections.abc import Iterator

from aboveboard_client.checking.result import Failure, Result
from aboveboard_client.terminal.boards import move_words, position
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable
from aboveboard_referee.counted import counted
from aboveboard_referee.match.player import Turn

LEGAL_SHOWN = 12
"""Legal moves that are listed; further ones are counted."""

OUTPUT_LINES = 20
"""Lines of the bot's output that are shown, the last ones."""

LINE_WIDTH = 200
INDENT = "    "


def explain(result: Result, repeat: str) -> list[str]:
    """The lines that tell of a case that failed; ``repeat`` is the command that repeats it."""
    failure = result.failure
    assert failure is not None
    return [
        f"FAILED {result.case}: the bot {failure.what}",
        *_body(failure),
        f"  repeat it: {repeat}",
    ]


def repeat_command(spec: str, case: str, move_time: str | None) -> str:
    """The command that tries one case again."""
    limit = [] if move_time is None else ["--move-time", move_time]
    return command_line("check", spec, "--only", case, *limit)


def legal_texts(turn: Turn) -> list[str]:
    return [turn.game.encode(move) for move in turn.legal]


def board(turn: Turn) -> list[str]:
    """The position as the bot's seat sees it."""
    names = [f"seat {seat}" for seat in range(turn.state.seats)]
    names[turn.seat] = "your bot"
    return list(position(turn.game, turn.state, names))


def _body(failure: Failure) -> Iterator[str]:
    turn = failure.turn
    if turn is not None:
        yield f"  the position, which seat {turn.seat} was asked in:"
        yield from (INDENT + line for line in board(turn))
        if failure.situation:
            yield f"  {failure.situation}"
        words = [move_words(turn.game, turn.state, turn.seat, move) for move in turn.legal]
        yield f"  legal: {_listed(words)}"
        if failure.sent:
            yield f"  sent:  {printable(failure.sent)}"
        yield f"  took {failure.took_s:.2f} s of the {failure.allowed_s:g} s allowed"
    if failure.trace:
        yield "  it raised:"
        yield from _block(failure.trace)
    if failure.output.strip():
        yield "  it wrote:"
        yield from _block(failure.output)
    else:
        yield "  it wrote nothing"


def _listed(texts: list[str]) -> str:
    shown = ", ".join(texts[:LEGAL_SHOWN])
    more = len(texts) - LEGAL_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _block(text: str) -> Iterator[str]:
    lines = text.rstrip("\n").split("\n")
    if len(lines) > OUTPUT_LINES:
        yield f"{INDENT}[{counted(len(lines) - OUTPUT_LINES, 'line')} before]"
    for line in lines[-OUTPUT_LINES:]:
        yield INDENT + printable(line.rstrip("\r").expandtabs(4), LINE_WIDTH)
