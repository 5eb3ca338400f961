"""What a bot has got in the games so far, and how sure that is."""

from dataclasses import dataclass, field

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ratings.student import Interval, around
from aboveboard_referee.tournament.simulate.measures import Sample


@dataclass(frozen=True)
class Thought:
    """How long one bot thought in one game, by the clock of whoever asked it."""

    moves: int = 0
    total_ns: int = 0
    worst_ns: int = 0

    def plus(self, thought_ns: int) -> "Thought":
        """One move more."""
        worst = max(self.worst_ns, thought_ns)
        return Thought(self.moves + 1, self.total_ns + thought_ns, worst)


@dataclass
class Tally:
    """What one bot has got so far."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: int = 0
    moves: int = 0
    thought_ns: int = 0
    worst_ns: int = 0
    worst_game: int = 0  # the number of the game in which that was; 0: none yet
    first_lost: int = 0  # the number of the first game that it lost; 0: none yet
    _squares: int = 0
    _shares: Sample = field(default_factory=Sample)

    @property
    def games(self) -> int:
        """Those that were played to an end, and counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for each win, half a one for each draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> Interval:
        """What its points a game lie within, by Wilson's interval. Needs a game."""
        estimate = self._shares.share()
        return Interval(estimate.low, estimate.high)

    @property
    def mean_score(self) -> float:
        """The game's own score, a game. Needs a game."""
        return self.score / self.games

    @property
    def score_interval(self) -> Interval:
        """What that mean lies within, by Student's t. Without ends after a single game."""
        games, mean = self.games, self.mean_score
        spread = max(0.0, self._squares - games * mean**2) / max(1, games - 1)
        return around(mean, spread / games, games - 1)

    @property
    def milliseconds_a_move(self) -> float:
        return self.thought_ns / max(1, self.moves) / 1e6

    @property
    def worst_milliseconds(self) -> float:
        """The longest that it thought for a move."""
        return self.worst_ns / 1e6

    def count(self, number: int, result: pb.SeatResult, thought: Thought) -> None:
        """The game of this number."""
        self.wins += result.half_points == 2
        self.draws += result.half_points == 1
        self.losses += result.half_points == 0
        if result.half_points == 0 and not self.first_lost:
            self.first_lost = number
        self.score += result.score
        self._squares += result.score**2
        self._shares.add(result.half_points / 2)
        self.moves += thought.moves
        self.thought_ns += thought.total_ns
        if thought.worst_ns > self.worst_ns:
            self.worst_ns, self.worst_game = thought.worst_ns, number
