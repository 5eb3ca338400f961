"""What a verification counted, what it found wrong, and what everybody should know."""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

ALTERED = "whoever altered the archive"
"""The blame for what is not as it was signed or listed: anybody can have done it."""

ORGANISER = "organiser"

LOG_KEY = "the log's key"
"""The blame for what the log's key alone has signed."""

ANOTHER = "whoever made the archive, unless you meant another one"
"""The blame where the archive is not of the keys that the reader named."""

NOBODY = "nobody by this alone"
"""Where something is missing or claimed, and no signature says by whose doing."""


class Check(IntEnum):
    """The numbered steps by which a tournament's archive is checked.

    Within MATCHES each match has numbered steps of its own, ``match.deviation.Step``.
    """

    LOG = 1  # the tree over the leaves, its checkpoints and their witnesses
    MANIFEST = 2  # who organises, which games, which referees
    ENTRIES = 3  # who takes part, and which keys speak for them
    PAIRINGS = 4  # each round's draw and pairings, recomputed from what was known before
    MATCHES = 5  # each attempt, from its opening to its close
    STANDINGS = 6  # the tables, recomputed from the results
    WORDS = 7  # rulings and objections
    FILES = 8  # every file is there, unaltered, and no other
    RECEIPTS = 9  # what somebody kept of it beforehand


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be. ``str()`` is a line for a person."""

    step: str  # e.g. "5.7 (match, move)"
    place: str  # a file of the archive, with the leaf or event where there is one
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
    leaves: int = 0
    checkpoints: int = 0

    def add(self, other: "Counts") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something out of the ordinary that is in order all the same, for people to know."""

    leaf: int  # of the log, which says it or whose match it is about
    kind: str  # of the leaf, e.g. "ruling"
    text: str


class Weight(StrEnum):
    """What the records say of an objection."""

    BORNE_OUT = "borne out by the records"
    CONTRADICTED = "contradicted by the records"
    UNDECIDED = "cannot be decided from the records"


@dataclass(frozen=True, slots=True)
class Objected:
    """An objection of the log, weighed. It changes no verdict by itself."""

    leaf: int
    match: str
    attempt: int
    seat: int
    step: str  # of a match's, by its name where it has one
    sequence: int
    expected: str
    found: str
    weight: Weight

    @property
    def place(self) -> str:
        return f"{self.match}, attempt {self.attempt}, event {self.sequence}"


@dataclass
class Report:
    """The outcome: good if and only if there are no findings."""

    title: str = ""
    tournament: bytes = b""
    organiser_key: bytes = b""
    organiser_owner: bytes = b""  # the long-term key that certified it; empty: none
    organiser_given: bool = False  # whether the caller named one of these, or the archive did
    log_key: bytes = b""
    log_given: bool = False
    referee_keys: tuple[bytes, ...] = ()
    names: tuple[str, ...] = ()  # of entrants, in Entry order
    entry_keys: tuple[bytes, ...] = ()  # what each entered with
    house: tuple[bool, ...] = ()  # which entrants are the organiser's own
    witnesses: dict[str, int] = field(default_factory=dict)  # those that co-signed, with seconds
    witnesses_needed: int = 0
    unsigned_closes: int = 0  # seats that did not sign a match's close; its record stands
    counts: Counts = field(default_factory=Counts)
    notices: list[Notice] = field(default_factory=list)
    objections: list[Objected] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not self.findings

    def find(
        self, check: Check, place: str, expected: str, found: str, blame: str = ORGANISER
    ) -> None:
        """Record a finding."""
        self.findings.append(
            Finding(f"{check.value} ({check.name.lower()})", place, expected, found, blame)
        )


class Broken(Exception):
    """What follows hangs on what was just found to be wrong; its finding is recorded."""
