"""What cannot stand where it does in a tournament's log."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.one_line import one_line

LINE = 400
"""Most characters of either part."""


class Illegal(Exception):
    """A leaf that no honest organiser appends: what was expected, and what was found.

    ``str()`` is one line, whatever texts of others the two parts repeat.
    """

    def __init__(
        self,
        expected: str,
        found: str,
        *,
        pairings: tuple[pb.Pairings, pb.Pairings] | None = None,
    ) -> None:
        expected, found = one_line(expected, LINE), one_line(found, LINE)
        super().__init__(f"expected {expected}; found {found}")
        self.expected = expected
        self.found = found
        self.pairings = pairings  # those that follow and those that were found, to compare
