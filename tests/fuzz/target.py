"""A target of fuzzing: one reader of foreign bytes, and what may come of it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import pytest

from aboveboard_client.errors import AboveboardError
from aboveboard_referee.fairplay.keys import SIGNATURE_BYTES, BadSignature, PublicKey
from aboveboard_referee.game_record.record import BadRecord
from aboveboard_referee.tournament.interchange.sheet import Unreadable
from aboveboard_referee.tournament.ledger.illegal import Illegal
from tests.fuzz.mutate import any_bytes

Mutate = Callable[[bytes, Random], bytes]
"""Makes another input of one."""

LINE = 1000
"""Most characters of what an error says: a hostile input must not flood a log."""


@dataclass(frozen=True)
class Target:
    """One reader. ``read`` returns or raises one of ``declared``, whatever it is given.

    ``seeds`` are good inputs of every kind. ``mutate`` knows their structure.
    ``believing`` lets every signature count, so that what stands behind one is reached.
    """

    name: str
    read: Callable[[bytes], object]
    declared: tuple[type[Exception], ...]
    seeds: Callable[[], Iterable[bytes]]
    mutate: Mutate = any_bytes
    believing: bool = False

    def run(self, data: bytes) -> Exception | None:
        """Read ``data``; the declared error that it raised, if it did. Others come through."""
        try:
            with believing_signatures(self.believing):
                self.read(data)
        except self.declared as error:
            said = str(error)
            assert len(said) <= LINE, f"{len(said)} characters are said: {said[:200]!r}"
            # The command line prints these as they are, and a terminal obeys.
            if isinstance(error, AboveboardError | Illegal | Unreadable | BadRecord):
                assert said.isprintable(), f"no line for a person: {said[:200]!r}"
            return error
        return None


@contextmanager
def believing_signatures(believing: bool = True) -> Iterator[None]:
    """Within this, every signature of the right size is a good one."""
    if not believing:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PublicKey, "verify", _believe)
        yield


def _believe(key: PublicKey, signature: bytes, message: bytes) -> None:
    if len(signature) != SIGNATURE_BYTES:
        raise BadSignature("a signature of another size")
