"""Asking witnesses to co-sign a log's checkpoints: all at once, and trusting none of them.

A witness can keep silent or talk nonsense. That costs its co-signature and never more
than a deadline; whoever needs so many of them counts what came.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.output import printable
from aboveboard_client.witness.exchange import Said, Silent
from aboveboard_client.witness.post import Post, check_http, post_to, split_url
from aboveboard_referee.counted import counted
from aboveboard_referee.log.checkpoint import parse_checkpoint
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import (
    COSIGNATURE,
    BadNote,
    Note,
    NoteKey,
    parse_note,
    parse_signature_lines,
    parse_vkey,
)
from aboveboard_referee.log.witness import AddCheckpoint, parse_known_size

PATIENCE_SECONDS = 2.0
"""How long all of one checkpoint's witnesses have to answer."""

Proof = Callable[[int, int], Sequence[bytes]]
"""The consistency proof from a smaller size to a greater one."""


@dataclass(frozen=True, slots=True)
class WitnessAddress:
    """Where a witness is asked, and the key that its co-signatures are checked with."""

    url: str
    key: NoteKey

    @classmethod
    def parse(cls, url: str, vkey: str) -> "WitnessAddress":
        """From ``grpc://host:port`` or ``http[s]://host[:port][/prefix]``, and a witness's vkey.

        Raises ``WrongUse``.
        """
        try:
            key = parse_vkey(vkey)
        except BadNote as error:
            raise WrongUse(f"{vkey[:200]!r} is no witness's key: {error}") from None
        if key.type != COSIGNATURE:
            raise WrongUse(f"the key of {key.name} is a log's, not a witness's")
        if split_url(url).scheme != "grpc":
            check_http()
        return cls(url, key)


class Witnesses:
    """The witnesses of one log, and what they are known to have seen of it."""

    def __init__(
        self,
        witnesses: Sequence[WitnessAddress],
        *,
        failed: Callable[[WitnessAddress, str], None],
        patience: float = PATIENCE_SECONDS,
        post: Post = post_to,
    ) -> None:
        """``failed`` hears of each witness that gave no co-signature, and why."""
        self._witnesses = tuple(witnesses)
        self._failed = failed
        self._patience = patience
        self._post = post
        self._seen = dict.fromkeys(self._witnesses, 0)

    async def cosignatures(self, note: bytes, proof: Proof) -> list[bytes]:
        """The lines by which witnesses co-sign a checkpoint, each one checked.

        At the latest after ``patience`` seconds, with what has come until then. ``proof``
        gives the consistency proof between any two sizes up to the checkpoint's.
        """
        size = parse_checkpoint(parse_note(note).text).size
        lines: dict[WitnessAddress, bytes] = {}

        async def ask(witness: WitnessAddress) -> None:
            why = "it does not answer"
            with trio.move_on_after(self._patience):
                try:
                    lines[witness] = await self._ask(witness, note, size, proof)
                    return
                except Silent as error:
                    why = str(error)
            self._failed(witness, why)

        async with trio.open_nursery() as nursery:
            for witness in self._witnesses:
                nursery.start_soon(ask, witness)
        return [lines[witness] for witness in self._witnesses if witness in lines]

    async def _ask(self, witness: WitnessAddress, note: bytes, size: int, proof: Proof) -> bytes:
        """One witness's line. Raises ``Silent``."""
        old = min(self._seen[witness], size)
        said = await self._post(witness.url, _request(old, note, size, proof))
        if (told := _size_told(said)) is not None:
            _judge_told(told, old, size)
            self._seen[witness] = told
            said = await self._post(witness.url, _request(told, note, size, proof))
        if said.status != HTTPStatus.OK:
            raise _refusal(said)
        line = _own_line(said.body, note, witness.key)
        self._seen[witness] = max(self._seen[witness], size)
        return line


async def size_seen(witness: WitnessAddress, note: bytes, post: Post = post_to) -> int:
    """How many leaves of a checkpoint's log a witness has co-signed.

    It is its word alone, and none that it was asked for anything new. Raises ``Silent``.
    """
    size = parse_checkpoint(parse_note(note).text).size
    said = await post(witness.url, AddCheckpoint(size, (), note).to_bytes())
    if said.status == HTTPStatus.OK:
        return size
    if (told := _size_told(said)) is None:
        raise _refusal(said)
    return told


def _refusal(said: Said) -> Silent:
    words = printable(said.body.decode(errors="replace").strip())
    return Silent(f"it refuses with {said.status}: {words}")


def _request(old: int, note: bytes, size: int, proof: Proof) -> bytes:
    path = proof(old, size) if 0 < old < size else ()
    return AddCheckpoint(old, tuple(path), note).to_bytes()


def _size_told(said: Said) -> int | None:
    """The size that the witness knows, if it refuses with that."""
    if said.status != HTTPStatus.CONFLICT:
        return None
    try:
        return parse_known_size(said.body)
    except BadNote:
        return None


def _judge_told(told: int, asked: int, size: int) -> None:
    """Raise ``Silent`` where asking again, from the size that was told, is of no use."""
    if told > size:
        leaves = counted(told, "leaf")
        raise Silent(f"it has co-signed {leaves} of this log, and this one has {size}")
    if told == asked:
        raise Silent(f"it knows {counted(told, 'leaf')}, is asked from there, and refuses")


def _own_line(answer: bytes, note: bytes, key: NoteKey) -> bytes:
    """The line of an answer that is this witness's, if it holds. Raises ``Silent``."""
    try:
        opened = parse_note(note)
        answered = Note(opened.text, parse_signature_lines(answer))
        if not check_cosignatures(answered.to_bytes(), (key,)):
            raise Silent("its answer has no co-signature by the key that is known")
    except BadNote as error:
        raise Silent(f"its answer does not hold: {error}") from None
    return key.signatures_in(answered)[0].line().encode()
