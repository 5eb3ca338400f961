"""The sequential test: published values, another way to compute it, and its error rates."""

from math import log, sqrt
from random import Random

import pytest

from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial, score
from aboveboard_referee.tournament.ratings.sprt import (
    LOGISTIC,
    NORMALIZED,
    Sprt,
    Verdict,
    log_likelihood_ratio,
)

VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "scale", "llr"),
    [
        # The tests of fastchess (app/tests/sprt_test.cpp), where won and lost pairs of
        # 1 point and drawn ones are apart.
        ((365, 16618, 36029 + 200, 16974, 390), 0, 2, NORMALIZED, 2.25),
        ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, NORMALIZED, 3.01),
        ((0, 0, 0, 0, 5550), 0, 5, NORMALIZED, 111.82),
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, LOGISTIC, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, LOGISTIC, -4.98),
    ],
)
def test_published_ratios_are_met(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float, scale: str, llr: float
) -> None:
    found = log_likelihood_ratio(Pentanomial(counts), elo0, elo1, scale)
    assert found == pytest.approx(llr, rel=0.01)


def best_by_search(counts: tuple[int, ...], wanted: float, *, normalized: bool) -> float:
    """The largest log-likelihood of any distribution that fits, by trying smaller and smaller
    steps. Two probabilities follow from the sum and from the mean, three are searched.
    """
    seen = [n or 1e-3 for n in counts]

    def fitting(a: float, b: float, c: float) -> float:
        """Likelihood with p1 = a, p2 = b, p3 = c; p0 and p4 are what is left."""
        mean = wanted
        if normalized:
            # The mean that is `wanted` deviations over ½, by halving.
            low, high = 0.0, 1.0
            for _ in range(40):
                mean = (low + high) / 2
                p4 = mean - 0.25 * a - 0.5 * b - 0.75 * c
                square = p4 + a / 16 + b / 4 + 9 * c / 16 - mean**2
                if mean - 0.5 < wanted * sqrt(max(square, 0)):
                    low = mean
                else:
                    high = mean
        p4 = mean - 0.25 * a - 0.5 * b - 0.75 * c
        p0 = 1 - a - b - c - p4
        p = (p0, a, b, c, p4)
        if min(p) <= 0:
            return float("-inf")
        return sum(n * log(q) for n, q in zip(seen, p, strict=True))

    start = sum(n for n in seen)
    place = [n / start for n in seen[1:4]]
    if fitting(*place) == float("-inf"):
        place = [0.2, 0.2, 0.2]
    best, width = fitting(*place), 0.1
    while width > 1e-6:
        tries = [
            [place[i] + d * width * (i == axis) - d2 * width * (i == other) for i in range(3)]
            for axis in range(3)
            for other in range(3)
            for d in (-1, 0, 1)
            for d2 in (-1, 0, 1)
        ]
        found = max(tries, key=lambda each: fitting(*each))
        if fitting(*found) > best:
            best, place = fitting(*found), found
        else:
            width /= 2
    return best


@pytest.mark.parametrize("counts", [(3, 5, 20, 9, 4), (10, 2, 8, 3, 14), (1, 0, 6, 1, 2)])
def test_the_ratio_is_that_of_the_best_that_a_search_finds(
    counts: tuple[int, int, int, int, int],
) -> None:
    pairs = Pentanomial(counts)
    by_search = [best_by_search(counts, score(elo), normalized=False) for elo in (0, 40)]
    found = log_likelihood_ratio(pairs, 0, 40, LOGISTIC)
    assert found == pytest.approx(by_search[1] - by_search[0], abs=1e-3)
    in_deviations = [sqrt(2) * elo * log(10) / 800 for elo in (0, 40)]
    by_search = [best_by_search(counts, t, normalized=True) for t in in_deviations]
    found = log_likelihood_ratio(pairs, 0, 40, NORMALIZED)
    assert found == pytest.approx(by_search[1] - by_search[0], abs=1e-3)


@pytest.mark.parametrize(("scale", "most"), [(LOGISTIC, 1000), (NORMALIZED, 200)])
def test_the_ratio_is_a_number_at_the_ends_of_what_is_allowed(scale: str, most: float) -> None:
    random = Random(5)
    for _ in range(200):
        a, b, c, d, e = (random.choice([0, 0, 1, 7, 300, 100_000]) for _ in range(5))
        found = log_likelihood_ratio(Pentanomial((a, b, c, d, e)), -most, most, scale)
        assert abs(found) < 1e9


def test_swapping_bots_and_hypotheses_turns_the_ratio_round() -> None:
    found = log_likelihood_ratio(Pentanomial((1, 5, 9, 7, 3)), -5, 20, LOGISTIC)
    turned = log_likelihood_ratio(Pentanomial((3, 7, 9, 5, 1)), -20, 5, LOGISTIC)
    assert found == pytest.approx(-turned)


def test_a_test_ends_once_and_takes_no_pair_after() -> None:
    sprt = Sprt(0, 100)
    while sprt.verdict is Verdict.RUNNING:
        sprt.add(4)
    assert sprt.verdict is Verdict.H1
    assert sprt.llr >= sprt.bounds[1]
    assert sprt.pairs.counts == (0, 0, 0, 0, sprt.pairs.pairs)
    with pytest.raises(ValueError, match="has ended"):
        sprt.add(4)


def test_losing_pairs_come_to_h0() -> None:
    sprt = Sprt(0, 100)
    while sprt.verdict is Verdict.RUNNING:
        sprt.add(0)
    assert sprt.verdict is Verdict.H0
    assert sprt.llr <= sprt.bounds[0]


def test_bounds_are_walds() -> None:
    assert Sprt(0, 5, 0.05, 0.1).bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ((5, 5), "less than elo1"),
        ((5, 0), "less than elo1"),
        ((0, 2000), "within ±1000"),
        ((0, float("nan")), "less than elo1"),
        ((0, 5, 0, 0.05), "alpha and beta"),
        ((0, 5, 0.05, 0.5), "alpha and beta"),
        ((0, 5, 0.05, 0.05, "bayesian"), "one of logistic, normalized"),
        ((0, 300, 0.05, 0.05, NORMALIZED), "within ±200"),
    ],
)
def test_a_test_that_cannot_be_is_refused(values: tuple[float, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Sprt(*values)  # type: ignore[arg-type]  # wrong on purpose


def weights_at(elo: float) -> list[float]:
    """Pairs of won and lost games by a bot so much better, over decks that make one win each
    likelier than it would be by themselves.
    """
    won = score(elo)
    return [(1 - won) ** 2 - 0.05, 0.0, 2 * won * (1 - won) + 0.1, 0.0, won**2 - 0.05]


def on_scale(elo: float, scale: str) -> float:
    """The difference of the bots in ``weights_at`` as a scale measures it."""
    if scale == LOGISTIC:
        return elo
    mean = score(elo)
    square = sum(p * (v - mean) ** 2 for p, v in zip(weights_at(elo), VALUES, strict=True))
    return 800 / log(10) * (mean - 0.5) / sqrt(2 * square)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [LOGISTIC, NORMALIZED])
@pytest.mark.parametrize(("elo", "wrong"), [(0, Verdict.H1), (80, Verdict.H0)])
def test_errors_are_no_more_frequent_than_was_asked(scale: str, elo: float, wrong: Verdict) -> None:
    random, tests, errors = Random(11), 400, 0
    for _ in range(tests):
        sprt = Sprt(0, on_scale(80, scale), 0.05, 0.05, scale)
        while sprt.verdict is Verdict.RUNNING:
            sprt.add(random.choices(range(5), weights_at(elo))[0])
        errors += sprt.verdict is wrong
    # 0.05, and three standard errors of so many tests more.
    assert errors / tests < 0.05 + 3 * sqrt(0.05 * 0.95 / tests)
