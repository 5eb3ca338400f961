"""What a bot raised, told to its author."""

import traceback
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


def _is_ours(trace: TracebackType) -> bool:
    return str(trace.tb_frame.f_globals.get("__name__", "")).startswith(OURS)
