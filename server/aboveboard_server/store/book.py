"""A tournament as a fold over its stored events: the one truth of a server.

Topics and kinds of events:

    log                   the leaves of the public log, of the kind that the leaf has
    checkpoint            shown: the log's signed notes as they were shown
    match/<id>/<attempt>  record: exact Signed bytes
    tournament            told, without a body: the bots that were there heard of the end
    spent                 token: the SHA-256 digest of an entry token, stored with the entry

A match's opening and close are a record and a leaf, which are stored together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.match.result import is_void
from aboveboard_referee.tournament.form import has_form
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches, matches_of
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_referee.tournament.results import Result, due
from aboveboard_server.store.database import Stored
from aboveboard_server.store.ends import Out, out_in

LOG = "log"
CHECKPOINT = "checkpoint"
MATCH = "match/"
TOURNAMENT = "tournament"
SPENT = "spent"

TYPE_AT = 2
"""A Signed begins with its type, behind a tag and a length of one byte each."""

_OPEN = type_of("match-open").encode()
_CLOSE = type_of("match-close").encode()


def match_topic(match: str, attempt: int) -> str:
    """The topic of an attempt's records."""
    return f"{MATCH}{match}/{attempt}"


@lru_cache(maxsize=1024)
def attempt_of(topic: str) -> tuple[str, int]:
    """Inverse of ``match_topic``."""
    _, match, attempt = topic.split("/")
    return match, int(attempt)


def is_open(record: bytes) -> bool:
    """Whether a record is a match's opening."""
    return record.startswith(_OPEN, TYPE_AT)


def is_close(record: bytes) -> bool:
    """Whether a record is a match's close."""
    return record.startswith(_CLOSE, TYPE_AT)


@dataclass
class Book:
    """What has happened in a tournament. ``apply`` takes each stored event, in order.

    What the log says is the ledger's to know. Whether an attempt that ended counts, only
    its records say.
    """

    ledger: Ledger = field(default_factory=Ledger)
    leaves: list[bytes] = field(default_factory=list)
    note: bytes = b""  # the checkpoint that was shown last
    again: set[str] = field(default_factory=set)  # matches of which another attempt must follow
    told: bool = False  # whether nobody waits to hear of the close any more
    spent: set[bytes] = field(default_factory=set)  # digests of tokens that let somebody in
    unlogged: list[bytes] = field(default_factory=list)  # records whose leaves are missing
    # Why seats went out, or the service ended it, by attempt; for whoever tells their owners.
    outs: dict[tuple[str, int], list[Out]] = field(default_factory=dict)
    _latest: dict[str, bytes] = field(default_factory=dict)  # the last event of open matches

    def apply_all(self, events: Iterable[Stored]) -> "Book":
        for event in events:
            self.apply(event.topic, event.kind, event.body)
        return self

    def apply(self, topic: str, kind: str, body: bytes) -> None:
        """Take a stored event. Raises ``Illegal`` for a leaf that cannot be where it is."""
        if topic == LOG:
            self.ledger.apply(body)
            self.leaves.append(body)
        elif topic == CHECKPOINT:
            self.note = body
        elif topic.startswith(MATCH):
            self.record(*attempt_of(topic), [body])
        elif (topic, kind) == (TOURNAMENT, "told"):
            self.told = True
        elif topic == SPENT:
            self.spent.add(body)
        else:
            raise AssertionError(f"an event {kind} of {topic}")

    def record(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        """Take records of an attempt that were stored together, in order."""
        for body in records:
            # Most records are events; only the ends of a match are looked into.
            if is_close(body):
                self._take_close(match, attempt, body)
                continue
            self._latest[match] = body
            if is_open(body):
                self.again.discard(match)
                if self.ledger.attempts.newest(match) < attempt:
                    self.unlogged.append(body)
            elif (out := out_in(body)) is not None:
                self.outs.setdefault((match, attempt), []).append(out)

    def _take_close(self, match: str, attempt: int, body: bytes) -> None:
        close = decode(pb.MatchClose, parse_signed(body).body)
        last = self._latest.pop(match)
        if attempt < MOST_ATTEMPTS and is_void(close.reason, _after_entropy(last)):
            self.again.add(match)
        attempts = self.ledger.attempts.of(match)
        if len(attempts) < attempt or attempts[attempt - 1].close is None:
            self.unlogged.append(body)

    def result(self, match: str) -> pb.MatchClose | None:
        """The close that counts for a match, if there is one yet."""
        attempts = self.ledger.attempts.of(match)
        if match in self.again or not attempts:
            return None
        return attempts[-1].close

    def outcome(self, match: str) -> Result | None:
        """A match's result as it stands, rulings included, once no attempt must follow."""
        return None if match in self.again else self.ledger.result(match)

    def owed(self, pairings: pb.Pairings, pairing: pb.Pairing) -> list[PlannedMatch]:
        """The matches of a pairing that are to be played now; none once it is decided.

        One that was begun is played to its end, whatever a ruling has decided meanwhile.
        """
        planned = matches_of(pairings, pairing)
        if has_form(self.ledger.manifest):
            wanted = due(planned, self.outcome, self.ledger.manifest.form.early_stop)
        else:
            wanted = tuple(match for match in planned if self.outcome(match.match) is None)
        return [match for match in planned if match in wanted or self._begun(match.match)]

    def _begun(self, match: str) -> bool:
        return self.ledger.attempts.newest(match) > 0 and self.result(match) is None

    def closed_attempts(self) -> list[tuple[str, int]]:
        """Every attempt that has ended, by match and number."""
        return [
            (attempt.match, attempt.attempt)
            for pairings in self.ledger.rounds
            for match in all_matches(pairings)
            for attempt in self.ledger.attempts.of(match.match)
            if attempt.close is not None
        ]


def _after_entropy(event: bytes) -> bool:
    """Whether entropy had been asked for before this event of a match: the first shuffle began.

    The opening itself, where nothing followed it, comes before.
    """
    return not is_open(event) and decode(pb.Event, parse_signed(event).body).shuffle > 0
