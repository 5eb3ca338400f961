"""Reading an archive to look at it: what its files say, taken at their word.

Only what is needed to show something is required of a file. Whether it is true is for
``verify``, and so is whether the log's leaves could follow each other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message

from aboveboard_client.archives.archive_folder import no_archive
from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import BODY_LIMIT, Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.match.transcript import RECORD_LIMIT, split
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.tournament.matches import matches_of
from aboveboard_referee.verify.archive import LEAVES, match_file

T = TypeVar("T", bound=Message)

_LATE_ENTRY = type_of("late-entry")


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    attempt: int
    close: pb.MatchClose


class Reading:
    """The log and the transcripts of a tournament as messages.

    Every method raises ``WrongUse`` for a file that cannot be read as what it should be.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        if LEAVES not in files:
            raise WrongUse(no_archive(files))
        self._leaves = records(LEAVES, files[LEAVES], LEAF_LIMIT)
        self.manifest = body_of(
            LEAVES, self._leaves[0], "tournament-manifest", pb.TournamentManifest
        )
        self.names = tuple(entry.name for entry in self._entries())
        self._rounds = tuple(self._all("pairings", pb.Pairings))

    @property
    def rounds(self) -> range:
        """The numbers of the rounds that are there, from 1."""
        return range(1, len(self._rounds) + 1)

    def close(self) -> pb.TournamentClose | None:
        """The end of the tournament with its table, or ``None`` if it has not ended."""
        return next(self._all("tournament-close", pb.TournamentClose, LEAF_LIMIT), None)

    def pairings(self, number: int) -> pb.Pairings:
        if number not in self.rounds:
            raise WrongUse(f"there is no round {number}; there are {len(self.rounds)}")
        return self._rounds[number - 1]

    def name(self, entrant: int) -> str:
        return self.names[entrant] if entrant < len(self.names) else f"entrant {entrant}"

    def last_attempt(self, match: str) -> int:
        """The number of the attempt at ``match`` that counts; 0 if there is none."""
        attempt = 0
        while match_file(match, attempt + 1) in self._files:
            attempt += 1
        return attempt

    def result(self, match: str) -> Result | None:
        """How the match ended, or ``None`` if it is not there."""
        attempt = self.last_attempt(match)
        if attempt == 0:
            return None
        path = match_file(match, attempt)
        *_, last = records(path, self._files[path])
        return Result(attempt, body_of(path, last, "match-close", pb.MatchClose))

    def matches(self) -> Iterator[tuple[int, str]]:
        """The round and the name of each match that was planned, in order."""
        for number in self.rounds:
            pairings = self.pairings(number)
            for pairing in pairings.pairings:
                for planned in matches_of(pairings, pairing):
                    yield number, planned.match

    def round_of(self, match: str) -> int:
        """The round of a match; 0 if there is none that has it."""
        return next((number for number, name in self.matches() if name == match), 0)

    def players(self, match: str) -> tuple[str, ...]:
        """The names by seat; none where no round has the match."""
        for number in self.rounds:
            pairings = self.pairings(number)
            for pairing in pairings.pairings:
                planned = matches_of(pairings, pairing)
                for each in planned:
                    if each.match == match:
                        return tuple(self.name(entrant) for entrant in each.entrants)
                if pairing.match == match:
                    raise WrongUse(
                        f"{match} is a pairing of {len(planned)} matches, from {planned[0].match}"
                        f" to {planned[-1].match}"
                    )
        return ()

    def transcript(self, match: str) -> tuple[str, bytes]:
        """The file of the attempt that counts, and what is in it."""
        path = match_file(match, self.last_attempt(match))
        if path not in self._files:
            raise WrongUse(f"there is no match {match}; rounds name theirs: --round 1")
        return path, self._files[path]

    def _entries(self) -> Iterator[pb.Entry]:
        """In the order by which everything else names entrants: as they are in the log."""
        for leaf in self._leaves:
            if leaf.type == _LATE_ENTRY:
                late = body_of(LEAVES, leaf, "late-entry", pb.LateEntry)
                leaf = _signed(LEAVES, late.entry)
            elif leaf.type != type_of("entry"):
                continue
            yield body_of(LEAVES, leaf, "entry", pb.Entry)

    def _all(self, kind: str, message: type[T], limit: int = BODY_LIMIT) -> Iterator[T]:
        """What the leaves of a kind say, in order."""
        for leaf in self._leaves:
            if leaf.type == type_of(kind):
                yield body_of(LEAVES, leaf, kind, message, limit)


def records(path: str, data: bytes, limit: int = RECORD_LIMIT) -> list[Signed]:
    """The signed records in a file, of which there is at least one."""
    try:
        found = [parse_signed(record, limit) for record in split(data, limit)]
        if not found:
            raise Refused("no record in it")
    except Refused as error:
        raise _unreadable(path, error) from error
    return found


def body_of(path: str, signed: Signed, kind: str, message: type[T], limit: int = BODY_LIMIT) -> T:
    """What a record of that kind says. Its signatures are not looked at."""
    try:
        if signed.type != type_of(kind):
            raise Refused(f"{type_of(kind)} is expected here, not {signed.type}")
        return decode(message, signed.body, limit)
    except Refused as error:
        raise _unreadable(path, error) from error


def _signed(path: str, data: bytes) -> Signed:
    try:
        return parse_signed(data)
    except Refused as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: Refused) -> WrongUse:
    return WrongUse(f"{path} cannot be read: {error}; aboveboard verify tells more")
