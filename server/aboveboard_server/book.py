"""A tournament as a fold over its stored events: the one truth of a server.

Topics and kinds of events, whose bodies are exact Signed bytes:

    tournament            manifest, entry, entries-closed, pairings, close, and `told` (without
                          a body): the bots that were there have heard of the end
    match/<id>/<attempt>  record
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.match.result import is_void
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_referee.tournament.record import Played, Round
from aboveboard_server.database import Stored

TOURNAMENT = "tournament"
MATCH = "match/"
CLOSE_TYPE = type_of("match-close")
_CLOSE = CLOSE_TYPE.encode()


def match_topic(match: str, attempt: int) -> str:
    """The topic of an attempt's records."""
    return f"{MATCH}{match}/{attempt}"


def attempt_of(topic: str) -> tuple[str, int]:
    """Inverse of ``match_topic``."""
    _, match, attempt = topic.split("/")
    return match, int(attempt)


@dataclass
class Book:
    """What has happened in a tournament. ``apply`` takes each stored event, in order."""

    manifest: pb.TournamentManifest | None = None
    tournament: bytes = b""
    signed_manifest: bytes = b""
    entries: list[pb.Entry] = field(default_factory=list)
    signed_entries: list[Signed] = field(default_factory=list)
    closed: bytes = b""  # the Signed EntriesClosed
    rounds: list[pb.Pairings] = field(default_factory=list)
    signed_rounds: list[bytes] = field(default_factory=list)
    attempts: dict[str, int] = field(default_factory=dict)  # newest attempt of each match
    again: set[str] = field(default_factory=set)  # matches of which another attempt must follow
    closes: dict[tuple[str, int], pb.MatchClose] = field(default_factory=dict)
    close: bytes = b""  # the Signed TournamentClose
    told: bool = False  # whether nobody waits to hear of the close any more
    _latest: dict[str, bytes] = field(default_factory=dict)  # the last event of open matches

    def apply_all(self, events: Iterable[Stored]) -> "Book":
        for event in events:
            self.apply(event.topic, event.kind, event.body)
        return self

    def apply(self, topic: str, kind: str, body: bytes) -> None:
        if topic != TOURNAMENT:
            self.record(*attempt_of(topic), [body])
            return
        match kind:
            case "manifest":
                signed = parse_signed(body)
                self.signed_manifest = body
                self.manifest = decode(pb.TournamentManifest, signed.body)
                self.tournament = tournament_id(signed.body)
            case "entry":
                signed = parse_signed(body)
                self.signed_entries.append(signed)
                self.entries.append(decode(pb.Entry, signed.body))
            case "entries-closed":
                self.closed = body
            case "pairings":
                self.signed_rounds.append(body)
                self.rounds.append(decode(pb.Pairings, parse_signed(body).body))
            case "close":
                self.close = body
            case "told":
                self.told = True
            case _:
                raise AssertionError(f"an event of kind {kind}")

    def record(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        """Take records of an attempt that were stored together, in order."""
        if attempt > self.attempts.get(match, 0):
            self.attempts[match] = attempt
            self.again.discard(match)
        for body in records:
            # Most records are events; only a close is looked into.
            if _CLOSE not in body[:64]:
                self._latest[match] = body
            else:
                self._take_close(match, attempt, body)

    def _take_close(self, match: str, attempt: int, body: bytes) -> None:
        close = decode(pb.MatchClose, parse_signed(body).body)
        self.closes[match, attempt] = close
        last = self._latest.pop(match)
        if attempt < MOST_ATTEMPTS and is_void(close.reason, _after_entropy(last)):
            self.again.add(match)

    @property
    def keys(self) -> list[bytes]:
        """Entry keys in Entry order."""
        return [entry.key for entry in self.entries]

    @property
    def names(self) -> list[str]:
        return [entry.name for entry in self.entries]

    def result(self, match: str) -> pb.MatchClose | None:
        """The close that counts for a match, if there is one yet."""
        if match in self.again:
            return None
        return self.closes.get((match, self.attempts.get(match, 0)))

    def played(self) -> list[Round]:
        """All rounds so far with the results there are."""
        rounds = []
        for pairings in self.rounds:
            matches = []
            for match in all_matches(pairings):
                close = self.result(match.match)
                points = tuple(seat.half_points for seat in close.seats) if close else None
                matches.append(Played(match.match, match.entrants, points))
            rounds.append(Round(pairings.round, tuple(matches), tuple(pairings.byes)))
        return rounds


def _after_entropy(event: bytes) -> bool:
    """Whether entropy had been asked for before this event of a match: the first shuffle began."""
    return decode(pb.Event, parse_signed(event).body).shuffle > 0
