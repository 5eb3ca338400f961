"""What a bot wrote on standard output and standard error, of which only so much is kept."""

from aboveboard_referee.counted import counted

KEPT_BYTES = 8192
"""Of the beginning, and again of the end."""


class Output:
    """Takes all that a bot writes; memory stays the same however much that is."""

    def __init__(self) -> None:
        self.written = 0  # bytes in all
        self._first = bytearray()
        self._last = bytearray()

    def add(self, data: bytes) -> None:
        self.written += len(data)
        room = KEPT_BYTES - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        del self._last[:-KEPT_BYTES]

    @property
    def text(self) -> str:
        """The beginning and the end; between them, how much was left out."""
        left_out = self.written - len(self._first) - len(self._last)
        between = f"\n[{counted(left_out, 'byte')} left out]\n".encode() if left_out else b""
        return bytes(self._first + between + self._last).decode(errors="replace")
