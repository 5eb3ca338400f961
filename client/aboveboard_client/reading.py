"""Reading an archive to look at it: what its files say, taken at their word.

Only what is needed to show something is required of a file. Whether it is true is for
``verify``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import Message

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.archive import CLOSE, ENTRIES, MANIFEST, match_file, round_file

T = TypeVar("T", bound=Message)


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    attempt: int
    close: pb.MatchClose


class Reading:
    """The files of a tournament as messages. Every method raises ``WrongUse`` for a file
    that cannot be read as what it should be.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self.manifest = self._body(MANIFEST, "tournament-manifest", pb.TournamentManifest)
        self.names = tuple(entry.name for entry in self._entries())

    @property
    def rounds(self) -> range:
        """The numbers of the rounds that are there, from 1."""
        number = 1
        while round_file(number) in self._files:
            number += 1
        return range(1, number)

    def close(self) -> pb.TournamentClose | None:
        """The end of the tournament with its table, or ``None`` if it has not ended."""
        if CLOSE not in self._files:
            return None
        return self._body(CLOSE, "tournament-close", pb.TournamentClose)

    def pairings(self, number: int) -> pb.Pairings:
        if number not in self.rounds:
            raise WrongUse(f"there is no round {number}; there are {len(self.rounds)}")
        return self._body(round_file(number), "pairings", pb.Pairings)

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

    def transcript(self, match: str) -> tuple[str, bytes]:
        """The file of the attempt that counts, and what is in it."""
        path = match_file(match, self.last_attempt(match))
        if path not in self._files:
            raise WrongUse(f"there is no match {match}; rounds name theirs: --round 1")
        return path, self._files[path]

    def _entries(self) -> Iterator[pb.Entry]:
        if ENTRIES not in self._files:
            return
        for signed in records(ENTRIES, self._files[ENTRIES]):
            if signed.type == type_of("entry"):
                yield body_of(ENTRIES, signed, "entry", pb.Entry)

    def _body(self, path: str, kind: str, message: type[T]) -> T:
        if path not in self._files:
            raise WrongUse(f"there is no {path}: not an archive")
        try:
            signed = parse_signed(self._files[path])
        except Refused as error:
            raise _unreadable(path, error) from error
        return body_of(path, signed, kind, message)


def records(path: str, data: bytes) -> list[Signed]:
    """The signed records in a file, of which there is at least one."""
    try:
        found = [parse_signed(record) for record in split(data)]
        if not found:
            raise Refused("no record in it")
    except Refused as error:
        raise _unreadable(path, error) from error
    return found


def body_of(path: str, signed: Signed, kind: str, message: type[T]) -> T:
    """What a record of that kind says. Its signatures are not looked at."""
    try:
        if signed.type != type_of(kind):
            raise Refused(f"{type_of(kind)} is expected here, not {signed.type}")
        return decode(message, signed.body)
    except Refused as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: Refused) -> WrongUse:
    return WrongUse(f"{path} cannot be read: {error}; aboveboard verify tells more")
