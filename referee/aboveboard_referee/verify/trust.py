"""Whose keys somebody trusts who verifies an archive: all that does not come out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.note import COSIGNATURE, NoteKey


@dataclass(frozen=True)
class Trust:
    """What the verifier knows beforehand; whatever is left out is taken from the archive.

    ``organiser`` is the organiser's key or the long-term key that certified it. ``log`` is
    the key of the tournament's log under its name. Of the ``witnesses`` at least ``needed``
    must have co-signed the log. Each of the ``entrants`` must have entered under its name
    with this key, or with one that this key certified. Raises ValueError for witnesses
    that are not each another, or more needed than there are.
    """

    organiser: PublicKey | None = None
    log: NoteKey | None = None
    witnesses: tuple[NoteKey, ...] = ()
    needed: int = 0
    entrants: Mapping[str, PublicKey] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A witness that is listed twice must not count for two, and the log not for one.
        names = {witness.name for witness in self.witnesses}
        keys = {witness.key for witness in self.witnesses}
        if self.log is not None:
            keys.discard(self.log.key)
        if not len(names) == len(keys) == len(self.witnesses):
            raise ValueError("each witness has a name and a key of its own")
        if any(witness.type != COSIGNATURE for witness in self.witnesses):
            raise ValueError("a witness's key is of the type for co-signatures")
        if not 0 <= self.needed <= len(self.witnesses):
            raise ValueError(f"{self.needed} of {len(self.witnesses)} witnesses cannot be needed")


NOBODY_TRUSTED = Trust()
"""Trusts nobody: the archive is held against itself alone."""
