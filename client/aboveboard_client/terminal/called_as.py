"""What a person types to call this program again."""

import shlex
import shutil
import sys
from pathlib import Path

PROGRAM = "aboveboard"


def called_as() -> str:
    """``aboveboard`` where a shell finds that it is this program, else how it was called."""
    called = sys.argv[0]
    if Path(called).name != PROGRAM:
        return PROGRAM
    found = shutil.which(PROGRAM)
    return PROGRAM if found is not None and Path(found).samefile(called) else called


def command_line(*words: object) -> str:
    """A command of this program as its user can copy it into a shell here.

    What others type on machines of theirs begins with ``aboveboard`` instead.
    """
    return shlex.join([called_as(), *map(str, words)])
