"""What each witness of the log does, told when it changes."""

from collections.abc import Callable, Iterable, Sequence

from aboveboard_client.witness.ask import WitnessAddress
from aboveboard_referee.log.note import parse_signature_lines


class Roll:
    """Keeps which witnesses co-sign; ``note`` gets a line where that changes."""

    def __init__(self, witnesses: Sequence[WitnessAddress], note: Callable[[str], None]) -> None:
        self._names = {witness.key.key_id: witness.key.name for witness in witnesses}
        self._note = note
        self._last: dict[str, str] = {}

    def signed(self, lines: Iterable[bytes]) -> None:
        """These lines came, each by one witness."""
        for line in lines:
            (signature,) = parse_signature_lines(line)
            self._say(self._names[signature.key_id], "co-signs")

    def failed(self, witness: WitnessAddress, why: str) -> None:
        """This witness gave no co-signature."""
        self._say(witness.key.name, f"gives no co-signature: {why}")

    def _say(self, name: str, text: str) -> None:
        if self._last.get(name) != text:
            self._last[name] = text
            self._note(f"witness {name} {text}")
