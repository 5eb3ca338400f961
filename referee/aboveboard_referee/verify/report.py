"""What a verification counted and what it found wrong."""

from dataclasses import dataclass, field
from enum import IntEnum


class Check(IntEnum):
    """The numbered steps by which a tournament's archive is checked.

    Within MATCHES each match has numbered steps of its own, ``match.deviation.Step``.
    """

    MANIFEST = 1  # who organises, which games, which referees
    FILES = 2  # every file is there, unaltered, and no other
    ENTRIES = 3  # each entry signed by its own key, and the list closed
    PAIRINGS = 4  # each round's, recomputed from what was known before it
    MATCHES = 5  # each match, from its opening to its close
    STANDINGS = 6  # the table, recomputed from the results


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be. ``str()`` is a line for a person."""

    step: str  # e.g. "5.7 (match, move)"
    place: str  # a file of the archive, with the record or event where there is one
    expected: str
    found: str
    blame: str

    def __str__(self) -> str:
        return (
            f"step {self.step}: {self.place}: expected {self.expected}; "
            f"found {self.found}; at fault: {self.blame}"
        )


@dataclass
class Counts:
    """How much was recomputed."""

    entries: int = 0
    rounds: int = 0
    pairings: int = 0
    matches: int = 0
    events: int = 0
    answers: int = 0
    signatures: int = 0
    decks: int = 0
    faces: int = 0
    files: int = 0

    def add(self, other: "Counts") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Report:
    """The outcome: good if and only if there are no findings."""

    title: str = ""
    tournament: bytes = b""
    organiser_key: bytes = b""
    organiser_given: bool = False  # whether the caller named the key, or the archive did
    referee_keys: tuple[bytes, ...] = ()
    names: tuple[str, ...] = ()  # of entrants, in Entry order
    entry_keys: tuple[bytes, ...] = ()
    counts: Counts = field(default_factory=Counts)
    findings: list[Finding] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not self.findings

    def find(
        self, check: Check, place: str, expected: str, found: str, blame: str = "organiser"
    ) -> None:
        """Record a finding."""
        self.findings.append(
            Finding(f"{check.value} ({check.name.lower()})", place, expected, found, blame)
        )


class Broken(Exception):
    """What follows hangs on what was just found to be wrong; its finding is recorded."""
