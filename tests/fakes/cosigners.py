"""Witnesses of a tournament in memory, late or silent as they are told to be."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from aboveboard_client.witness.ask import WitnessAddress
from aboveboard_client.witness.exchange import Said, Silent
from aboveboard_referee.log.checkpoint import Checkpoint
from aboveboard_referee.log.cosignature import cosign
from aboveboard_referee.log.note import COSIGNATURE, NoteKey
from aboveboard_referee.log.proofs import check_consistency
from aboveboard_referee.log.witness import parse_add_checkpoint
from tests.fakes.keys import key

NOW_S = 1_800_000_000


@dataclass
class Witness:
    """Co-signs what only grows. ``delay`` says how long it takes for a log of some size."""

    name: str
    delay: Callable[[int], float] = lambda _: 0.0
    fails: Callable[[int], bool] = lambda _: False
    seen: Checkpoint | None = None
    asked: list[int] = field(default_factory=list)

    @property
    def key(self) -> NoteKey:
        return NoteKey(f"witness.example/{self.name}", COSIGNATURE, key(self.name).public)

    @property
    def address(self) -> WitnessAddress:
        return WitnessAddress.parse(f"grpc://{self.name}.example:7879", self.key.vkey())

    async def answer(self, body: bytes) -> Said:
        request = parse_add_checkpoint(body)
        note, shown = request.open()
        self.asked.append(shown.size)
        await trio.sleep(self.delay(shown.size))
        if self.fails(shown.size):
            raise Silent("the connection was refused")
        known = self.seen.size if self.seen else 0
        if request.old_size != known:
            return Said(409, f"{known}\n".encode())
        if self.seen is not None:
            check_consistency(known, self.seen.root, shown.size, shown.root, request.proof)
        self.seen = shown
        return Said(200, cosign(note.text, key(self.name), self.key.name, NOW_S).line().encode())
