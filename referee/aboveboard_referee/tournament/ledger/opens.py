"""The attempts at matches: exactly one close for each opening, and one after the other."""

from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.result import SERVICE
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_referee.tournament.results import Result, result_of


@dataclass(slots=True)
class Attempt:
    """One attempt at a match, as its leaves say."""

    match: str
    attempt: int
    opened: int  # leaf of its opening
    head0: bytes
    referee: bytes
    closed: int = 0  # leaf of its close; 0: none yet
    close: pb.MatchClose | None = None
    result: Result | None = None  # what the close says
    failures: tuple[int, ...] = ()  # by seat: in how many matches in a row it failed, to this one


class Attempts:
    """All attempts so far."""

    def __init__(self) -> None:
        self._by_match: dict[str, list[Attempt]] = {}
        self._under_way: dict[bytes, Attempt] = {}  # by head_0
        self.ended: list[Attempt] = []  # in the order of their closes

    def of(self, match: str) -> list[Attempt]:
        """The attempts at a match, in order."""
        return self._by_match.get(match, [])

    def newest(self, match: str) -> int:
        """The number of the newest attempt; 0 if there is none."""
        return len(self.of(match))

    def newest_close(self, match: str) -> pb.MatchClose | None:
        """The close of the newest attempt, once it has one."""
        attempts = self.of(match)
        return attempts[-1].close if attempts else None

    def result(self, match: str) -> Result | None:
        """The result of the newest attempt, once it is closed."""
        attempts = self.of(match)
        return attempts[-1].result if attempts else None

    def half_points(self, match: str) -> tuple[int, ...] | None:
        """Those by seat of the newest attempt, once it is closed."""
        result = self.result(match)
        return None if result is None else result.half_points

    def why_not(self, match: str, attempt: int) -> tuple[str, str] | None:
        """What speaks against opening this attempt now: expected and found, or ``None``."""
        earlier = self.of(match)
        if attempt != len(earlier) + 1 or attempt > MOST_ATTEMPTS:
            return f"attempt {len(earlier) + 1} of {match}", f"attempt {attempt}"
        if earlier and earlier[-1].close is None:
            return f"a close of attempt {attempt - 1} first", f"attempt {attempt}"
        if earlier and earlier[-1].close is not None and earlier[-1].close.reason not in SERVICE:
            return "no attempt after one that counts", f"attempt {attempt} of {match}"
        return None

    def add(self, attempt: Attempt) -> None:
        """Take an attempt that ``why_not`` has nothing against."""
        self._by_match.setdefault(attempt.match, []).append(attempt)
        self._under_way[attempt.head0] = attempt

    def open_under(self, head0: bytes) -> Attempt | None:
        """The attempt with this opening that has no close yet."""
        return self._under_way.get(head0)

    def end(self, attempt: Attempt, leaf: int, close: pb.MatchClose) -> None:
        """Take the one close of an attempt."""
        del self._under_way[attempt.head0]
        attempt.closed, attempt.close, attempt.result = leaf, close, result_of(close)
        self.ended.append(attempt)

    @property
    def under_way(self) -> list[Attempt]:
        """The attempts that have no close yet."""
        return list(self._under_way.values())
