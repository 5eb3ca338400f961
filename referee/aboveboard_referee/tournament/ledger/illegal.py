"""What cannot stand where it does in a tournament's log."""

from aboveboard_protos.v1 import bodies_pb2 as pb

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
        expected, found = _line(expected), _line(found)
        super().__init__(f"expected {expected}; found {found}")
        self.expected = expected
        self.found = found
        self.pairings = pairings  # those that follow and those that were found, to compare


def _line(text: str) -> str:
    text = text if len(text) <= LINE else text[: LINE - 1] + "…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
