"""A sequential test of pairs of games: stop as soon as enough is known.

Wald's sequential probability ratio test in its generalised form: two hypotheses each fix how
much better the first bot is, and what else there is to the distribution of a pair's five scores
is whatever fits the data best under each. Van den Bergh, "A practical introduction to the
GSPRT" and "Comments on normalized Elo" (section 4.1), as chess engines are tested by.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import log, sqrt

from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial, score

LOGISTIC = "logistic"
NORMALIZED = "normalized"
SCALES = (LOGISTIC, NORMALIZED)
"""What Elo differences are differences of: the expected score, or the expected score
measured in standard deviations of a game."""

MOST_ELO = {LOGISTIC: 1000, NORMALIZED: 200}
"""How far from 0 a hypothesis can be; further away, arithmetic in floats would break down."""

_A_STANDARD_DEVIATION = 800 / log(10)  # in normalized Elo
_UNSEEN = 1e-3  # pairs of a score that never came: nothing is thought impossible
_VALUES = tuple(i / 4 for i in range(5))
_PASSES = 30  # of the iteration for normalized Elo, at most
_HALVINGS = 60


class Verdict(Enum):
    """What a test has come to."""

    RUNNING = "running"
    H0 = "H0"  # the difference is elo0, not elo1
    H1 = "H1"  # the difference is elo1, not elo0


@dataclass
class Sprt:
    """A test under way. Pairs are added until there is a verdict, which then stands.

    H0 says that the first bot is ``elo0`` better, H1 that it is ``elo1`` better. H0 is given up
    wrongly with probability ``alpha``, H1 with ``beta``. Raises ValueError where
    no such test exists.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    scale: str = LOGISTIC
    pairs: Pentanomial = field(default_factory=Pentanomial)
    llr: float = 0.0
    verdict: Verdict = Verdict.RUNNING

    def __post_init__(self) -> None:
        if self.scale not in MOST_ELO:
            raise ValueError(f"an Elo scale is one of {', '.join(SCALES)}")
        most = MOST_ELO[self.scale]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise ValueError(f"elo0 is less than elo1, and both are within ±{most}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta are more than 0 and less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def add(self, half_points: int) -> Verdict:
        """One pair more, by the first bot's half points from 0 to 4."""
        if self.verdict is not Verdict.RUNNING:
            raise ValueError("the test has ended")
        self.pairs = self.pairs.plus(half_points)
        self.llr = log_likelihood_ratio(self.pairs, self.elo0, self.elo1, self.scale)
        lower, upper = self.bounds
        if self.llr >= upper:
            self.verdict = Verdict.H1
        elif self.llr <= lower:
            self.verdict = Verdict.H0
        return self.verdict


def log_likelihood_ratio(pairs: Pentanomial, elo0: float, elo1: float, scale: str) -> float:
    """How much likelier the pairs are under H1 than under H0, as a natural logarithm."""
    counts = [n or _UNSEEN for n in pairs.counts]
    seen = [n / sum(counts) for n in counts]
    likeliest = _with_mean if scale == LOGISTIC else _with_deviations
    under0, under1 = (likeliest(seen, _place(elo, scale)) for elo in (elo0, elo1))
    return sum(n * log(p1 / p0) for n, p0, p1 in zip(counts, under0, under1, strict=True))


def _place(elo: float, scale: str) -> float:
    """What a hypothesis fixes: a mean, or how many of a pair's standard deviations it is over ½.

    A game's standard deviation is √2 times that of the mean of a pair.
    """
    return score(elo) if scale == LOGISTIC else sqrt(2) * elo / _A_STANDARD_DEVIATION


def _with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution with this mean, given how often each value was seen."""
    return _tilted(seen, [value - mean for value in _VALUES])


def _with_deviations(seen: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution whose mean is ``t`` of its own standard deviations over ½.

    What must be 0 is not linear in the probabilities. So it is made linear around the
    last answer, until the answer stays.
    """
    found = [1 / len(seen)] * len(seen)
    for _ in range(_PASSES):
        mean = sum(p * value for p, value in zip(found, _VALUES))
        sigma = sqrt(sum(p * (value - mean) ** 2 for p, value in zip(found, _VALUES)))
        # The derivative of mean - ½ - t·sigma by each probability, as a value of mean 0.
        slopes = [
            value - 0.5 - t * sigma * (1 + ((mean - value) / sigma) ** 2) / 2 for value in _VALUES
        ]
        before, found = found, _tilted(seen, slopes)
        if max(abs(new - old) for new, old in zip(found, before)) < 1e-9:
            break
    return found


def _tilted(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest distribution under which ``values`` have mean 0; some are on either side.

    It is p/(1 + x·value) for the one x that makes the mean 0 (Owen, "Empirical Likelihood").
    """
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        # Falls from +∞ to -∞ between the two ends.
        if sum(p * value / (1 + x * value) for p, value in zip(seen, values)) > 0:
            low = x
        else:
            high = x
    return [p / (1 + x * value) for p, value in zip(seen, values)]
