"""One witness's answers: each decided by what it last co-signed, and kept before it is given."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TypeVar

import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.journal_file import InThread
from aboveboard_client.witness.exchange import BODY_LIMIT, Said
from aboveboard_client.witness.state import REMEDY, StateFolder
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.checkpoint import open_checkpoint
from aboveboard_referee.log.note import ED25519, BadNote, NoteKey
from aboveboard_referee.log.witness import (
    SIZE_TEXT,
    AddCheckpoint,
    BadRequest,
    Refusal,
    WitnessState,
    decide,
    parse_add_checkpoint,
)

T = TypeVar("T")

TURN_SECONDS = 5.0
"""How long a request waits for those before it that are about the same log."""


@dataclass
class _Log:
    """A log that this witness follows. Whoever decides about it holds ``turn``."""

    key: NoteKey
    state: WitnessState
    turn: trio.Lock = field(default_factory=trio.Lock)


class Cosigner:
    """Answers add-checkpoint requests about the logs of given keys.

    Requests about one log are answered one after the other, so that no two are decided
    by the same state. Raises ``WrongUse`` for a state that is damaged or another log's.
    """

    def __init__(
        self,
        name: str,
        key: PrivateKey,
        logs: Sequence[NoteKey],
        folder: StateFolder,
        *,
        now_s: Callable[[], int],
        granted: Callable[[str, int], None],
        contradicted: Callable[[str, str], None],
        run: InThread = trio.to_thread.run_sync,
    ) -> None:
        """``now_s`` is the time in seconds since the Unix epoch. ``granted`` hears of every
        newly co-signed checkpoint, its origin and size, just before the answer leaves;
        ``contradicted`` of every one that the log has signed and that does not follow from
        the last, its origin and why."""
        self._name = name
        self._key = key
        self._folder = folder
        self._now_s = now_s
        self._granted = granted
        self._contradicted = contradicted
        self._run = run
        self._logs: dict[str, _Log] = {}
        for log in logs:
            if log.name in self._logs:
                raise WrongUse(f"the log {log.name} is named twice")
            self._logs[log.name] = _Log(log, _kept(folder, log))

    async def answer(self, body: bytes) -> Said:
        """The answer to a request; what a co-signature in it vouches for is kept already.

        Raises ``OutsideFailure`` if it cannot be kept. Then nothing was co-signed, and the
        witness should end: what its disk holds is not known any more.
        """
        if len(body) > BODY_LIMIT:
            return Said(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            request = parse_add_checkpoint(body)
        except BadRequest as error:
            return Said(HTTPStatus.BAD_REQUEST, f"{error}\n".encode())
        log = self._logs.get(request.open()[1].origin)
        if log is None:
            return Said(HTTPStatus.NOT_FOUND, b"this witness does not follow that log\n")
        with trio.move_on_after(TURN_SECONDS) as patience:
            await log.turn.acquire()
        if patience.cancelled_caught:
            return Said(HTTPStatus.SERVICE_UNAVAILABLE)
        try:
            return await self._decide(log, request)
        finally:
            log.turn.release()

    async def _decide(self, log: _Log, request: AddCheckpoint) -> Said:
        origin, state = log.key.name, log.state
        decision = decide(request, state, log.key, self._key, self._name, self._now_s())
        if isinstance(decision, Refusal):
            if _contradicts(decision):
                why = decision.body.decode().strip()
                if decision.status == HTTPStatus.CONFLICT and state.note:
                    keep = partial(self._folder.keep_fork, origin, state.note, request.note)
                    why += f"; both checkpoints are kept in {await self._write(keep)}"
                self._contradicted(origin, why)
            return Said(decision.status, decision.body, decision.content_type)
        new = decision.new_state
        if (new.size, new.root) != (state.size, state.root):
            await self._write(partial(self._folder.keep, origin, new.note))
            log.state = new
            self._granted(origin, new.size)
        return Said(HTTPStatus.OK, decision.line)

    async def _write(self, write: Callable[[], T]) -> T:
        try:
            written: T = await self._run(write)
        except OSError as error:
            problem = f"the witness's state cannot be written: {error.strerror or error}"
            raise OutsideFailure(problem) from error
        return written


def _contradicts(refusal: Refusal) -> bool:
    """Whether the refused checkpoint had the log's signature and is of another history.

    One that only begins at another size is refused with that size, which proves nothing.
    """
    if refusal.status == HTTPStatus.CONFLICT:
        return refusal.content_type != SIZE_TEXT
    return refusal.status == HTTPStatus.UNPROCESSABLE_ENTITY


def _kept(folder: StateFolder, log: NoteKey) -> WitnessState:
    """What was last co-signed of a log. Raises ``WrongUse``."""
    if log.type != ED25519:
        raise WrongUse(f"the key of {log.name} is a witness's, not a log's")
    note = folder.head(log.name)
    if note is None:
        return WitnessState()
    try:
        checkpoint = open_checkpoint(note, log.name, log.key)
    except BadNote as error:
        raise WrongUse(
            f"{folder.path(log.name)} is not what this log's key has signed ({error}): {REMEDY}"
        ) from None
    return WitnessState(checkpoint.size, checkpoint.root, note)
