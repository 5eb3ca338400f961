"""The log's witnesses: who co-signed, who is asked again, and what of it is told."""

from collections.abc import Callable, Sequence

import trio

from aboveboard_client.witness.ask import Proof, WitnessAddress, Witnesses
from aboveboard_referee.log.note import parse_note


class Roll:
    """Keeps which witnesses co-sign; ``tell`` gets a line where that changes."""

    def __init__(
        self, witnesses: Sequence[WitnessAddress], tell: Callable[[str], None], patience: float
    ) -> None:
        """``patience`` is how many seconds each of them has to answer."""
        # Each by itself, so that only those are asked again that are missing.
        self._asked = {
            witness: Witnesses([witness], failed=self._failed, patience=patience)
            for witness in witnesses
        }
        self._tell = tell
        self._last: dict[WitnessAddress, str] = {}

    def missing(self, note: bytes) -> list[str]:
        """The names of the witnesses of which the note has no line."""
        return [witness.key.name for witness in self._absent(note)]

    async def cosign(self, note: bytes, proof: Proof) -> list[bytes]:
        """Ask the witnesses that are missing, all at once; the lines that come in time."""
        absent = self._absent(note)
        lines: dict[WitnessAddress, list[bytes]] = {}

        async def ask(witness: WitnessAddress) -> None:
            lines[witness] = await self._asked[witness].cosignatures(note, proof)
            if lines[witness]:
                self._say(witness, "co-signs")

        async with trio.open_nursery() as nursery:
            for witness in absent:
                nursery.start_soon(ask, witness)
        return [line for witness in absent for line in lines[witness]]

    def _absent(self, note: bytes) -> list[WitnessAddress]:
        opened = parse_note(note)
        return [witness for witness in self._asked if not witness.key.signatures_in(opened)]

    def _failed(self, witness: WitnessAddress, why: str) -> None:
        self._say(witness, f"gives no co-signature: {why}")

    def _say(self, witness: WitnessAddress, text: str) -> None:
        if self._last.get(witness) != text:
            self._last[witness] = text
            self._tell(f"witness {witness.key.name} {text}")
