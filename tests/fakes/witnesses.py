"""A log whose organiser shows two histories, witnesses of it, and what got out of them."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aboveboard_client.witness.cosigner import Cosigner
from aboveboard_client.witness.exchange import Said
from aboveboard_client.witness.state import Disk, state_folder
from aboveboard_referee.log.checkpoint import (
    Checkpoint,
    log_origin,
    parse_checkpoint,
    sign_checkpoint,
)
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import (
    COSIGNATURE,
    ED25519,
    BadNote,
    Note,
    NoteKey,
    parse_note,
    parse_signature_lines,
)
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.log.witness import AddCheckpoint, parse_known_size
from tests.fakes.keys import key, secret

COMMON = 5
"""Leaves that both histories of a ``ForkedLog`` have."""

NOW_S = 1_790_000_000

WITNESS = key("witness")
WITNESS_NAME = "tests.example/witness"
WITNESS_KEY = NoteKey(WITNESS_NAME, COSIGNATURE, WITNESS.public)


class ForkedLog:
    """A log with the histories "a" and "b", which part after ``COMMON`` leaves."""

    def __init__(self, name: str = "log", size: int = 40) -> None:
        self.private = key(f"{name} key")
        self.origin = log_origin(secret(name))
        self.key = NoteKey(self.origin, ED25519, self.private.public)
        self.trees = {history: Tree(_leaves(history, size)) for history in "ab"}

    def note(self, history: str, size: int) -> bytes:
        root = self.trees[history].root(size)
        return sign_checkpoint(Checkpoint(self.origin, size, root), self.private)

    def request(self, history: str, old: int, size: int) -> bytes:
        """An add-checkpoint body; where ``old`` is the greater one, without a proof."""
        proof = self.trees[history].consistency(old, size) if old <= size else []
        return AddCheckpoint(old, tuple(proof), self.note(history, size)).to_bytes()


def _leaves(history: str, size: int) -> Iterable[bytes]:
    for number in range(size):
        yield leaf_hash(f"{number}{history if number >= COMMON else ''}".encode())


Ask = Callable[[bytes], Awaitable[Said]]


@dataclass
class World:
    """All co-signatures of one log that ever left the witness."""

    log: ForkedLog
    cosigned: list[Checkpoint] = field(default_factory=list)

    async def offer(self, ask: Ask, history: str, size: int) -> Said:
        """Ask for a co-signature as a log would: again from the size that it is told."""
        said = await self.ask(ask, history, 0, size)
        if said.status != 409:
            return said
        try:
            told = parse_known_size(said.body)
        except BadNote:
            return said
        return said if told > size else await self.ask(ask, history, told, size)

    async def ask(self, ask: Ask, history: str, old: int, size: int) -> Said:
        said = await ask(self.log.request(history, old, size))
        if said.status == 200:
            self.got(self.log.note(history, size), said.body)
        return said

    def got(self, note: bytes, lines: bytes) -> None:
        """A note's co-signature came; it must be one."""
        text = parse_note(note).text
        answered = Note(text, parse_signature_lines(lines)).to_bytes()
        assert list(check_cosignatures(answered, [WITNESS_KEY])) == [WITNESS_NAME]
        self.cosigned.append(parse_checkpoint(text))

    @property
    def forked(self) -> bool:
        """Whether there is no single history that all of them are of."""
        return not any(
            all(tree.root(seen.size) == seen.root for seen in self.cosigned)
            for tree in self.log.trees.values()
        )


async def at_once(function: Callable[[], Any]) -> Any:
    """Run what would wait for a disk here and now."""
    return function()


class Running:
    """A witness with its state folder open, as a process has it; a context manager."""

    def __init__(self, folder: Path, *logs: ForkedLog, disk: Disk | None = None, **more: Any):
        self.folder = folder
        self.granted: list[tuple[str, int]] = []
        self.contradicted: list[str] = []
        self._logs = logs
        self._disk = disk or Unsynced()
        self._more = more
        self._open = ExitStack()

    def __enter__(self) -> Self:
        state = state_folder(self.folder, WITNESS_KEY.vkey(), self._disk)
        with ExitStack() as opening:
            folder, _ = opening.enter_context(state)
            arguments: dict[str, Any] = {
                "now_s": lambda: NOW_S,
                "granted": lambda origin, size: self.granted.append((origin, size)),
                "contradicted": lambda _, why: self.contradicted.append(why),
                "run": at_once,
            }
            keys = [log.key for log in self._logs]
            self.cosigner = Cosigner(
                WITNESS_NAME, WITNESS, keys, folder, **{**arguments, **self._more}
            )
            self._open = opening.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()

    @property
    def ask(self) -> Ask:
        return self.cosigner.answer


class Killed(BaseException):
    """The process ends here, as by kill -9: nothing of it runs any more."""


class Unsynced(Disk):
    """The real disk without waiting for it: enough where processes end and the machine does not."""

    def sync(self, descriptor: int) -> None:
        pass

    def sync_folder(self, folder: Path) -> None:
        pass


class Stopping(Unsynced):
    """A disk under a process that is killed before step number ``stop_at``.

    A head is longer than one write takes. ``steps`` names the steps that were taken.
    """

    def __init__(self, stop_at: int | None = None) -> None:
        self.stop_at = stop_at
        self.steps: list[str] = []

    def step(self, name: str) -> None:
        if len(self.steps) == self.stop_at:
            raise Killed(name)
        self.steps.append(name)

    def create(self, path: Path) -> int:
        self.step("create")
        return super().create(path)

    def write(self, descriptor: int, data: bytes) -> int:
        self.step("write")
        return super().write(descriptor, data[:300])

    def sync(self, descriptor: int) -> None:
        self.step("sync")
        super().sync(descriptor)

    def close(self, descriptor: int) -> None:
        # What a killed process had open is closed for it.
        super().close(descriptor)
        self.step("close")

    def rename(self, old: Path, new: Path) -> None:
        self.step("rename")
        super().rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        self.step("sync folder")
        super().sync_folder(folder)


def copy_folder(folder: Path, to: Path) -> Path:
    """The files of a state folder, byte for byte."""
    to.mkdir()
    for path in folder.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to
