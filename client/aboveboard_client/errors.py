"""The errors that end a command: each is one line for a person and one exit code.

::

    AboveboardError
    ├── VerdictAgainst    1   what was checked does not hold
    ├── WrongUse          2   a person must change a command, a file or a name
    └── OutsideFailure    3   a connection, a disk: the same command may work later

Anything else that comes through is a mistake of ours and is shown with its traceback.
"""

from typing import ClassVar


class AboveboardError(Exception):
    """Base of all that a command fails with on purpose; ``str()`` is the line."""

    exit_code: ClassVar[int]


class VerdictAgainst(AboveboardError):
    """Everything could be checked, and something does not hold."""

    exit_code = 1


class WrongUse(AboveboardError):
    """What was asked for cannot be done as it stands, however often it is tried."""

    exit_code = 2


class OutsideFailure(AboveboardError):
    """Something outside this program failed: a connection, a disk, the other side."""

    exit_code = 3
