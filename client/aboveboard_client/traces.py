"""What a bot raised, told to its author."""

import traceback
from pathlib import Path
from types import TracebackType

OURS = ("aboveboard_client.", "trio.", "outcome.")


def trace_of(error: BaseException) -> str:
    """The traceback of what a bot raised, from its own code on.

    The frames of whoever asked it are left out, and so is what it was raised from there.
    """
    trace = error.__traceback__
    start = trace and trace.tb_next
    while start is not None and _is_ours(start):
        start = start.tb_next
    # A bot that comes along is ours altogether.
    return "".join(
        traceback.format_exception(type(error), error, start or (trace and trace.tb_next))
    )


def trace_line(error: BaseException) -> str:
    """A stranger's exception as one line, with the place in their code where it was raised."""
    text = " ".join(str(error).split())
    line = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return line if isinstance(error, SyntaxError) else line + _place_of(error)  # it has its own


def _is_ours(trace: TracebackType) -> bool:
    return str(trace.tb_frame.f_globals.get("__name__", "")).startswith(OURS)


def _place_of(error: BaseException) -> str:
    """Of the innermost frame that is neither ours nor the import machinery's; or nothing."""
    ours = str(Path(__file__).parent)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(("<frozen ", ours)) and frame.name != "import_module":
            return f" ({Path(frame.filename).name}, line {frame.lineno})"
    return ""
