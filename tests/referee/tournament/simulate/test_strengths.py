"""Made-up matches end as often as the model says."""

from collections import Counter

import pytest

from aboveboard_referee.tournament.simulate.stream import Stream
from aboveboard_referee.tournament.simulate.strengths import (
    Model,
    pair_units,
    strengths_of,
    table_units,
)


@pytest.mark.parametrize(
    ("model", "ratings", "wins", "draws"),
    [
        (Model(), (0, 0), 0.5, 0.0),
        (Model(), (400, 0), 10 / 11, 0.0),
        (Model(draws=0.4), (0, 0), 0.3, 0.4),
        (Model(first_seat=400), (0, 400), 0.5, 0.0),
        (Model(), (100_000, -100_000), 1.0, 0.0),
        (Model(), (-100_000, 100_000), 0.0, 0.0),
    ],
)
def test_matches_of_two_end_as_often_as_ratings_say(
    model: Model, ratings: tuple[int, int], wins: float, draws: float
) -> None:
    stream = Stream(b"two", str(ratings))
    counts = Counter(pair_units(stream, model, ratings) for _ in range(4000))
    assert counts[2, 0] / 4000 == pytest.approx(wins, abs=0.03)
    assert counts[1, 1] / 4000 == pytest.approx(draws, abs=0.03)
    assert set(counts) <= {(2, 0), (1, 1), (0, 2)}


def test_first_places_at_larger_tables_go_by_strength() -> None:
    stream = Stream(b"table", "")
    counts = Counter(table_units(stream, (400, 0, 0)) for _ in range(4000))
    assert sum(count for units, count in counts.items() if units[0] == 120) / 4000 == pytest.approx(
        10 / 12, abs=0.03
    )
    assert all(sorted(units) == [0, 60, 120] for units in counts)


def test_a_table_of_one_giant_and_dwarfs_has_every_place_once() -> None:
    units = table_units(Stream(b"giant", ""), (100_000, -100_000, -100_000, -100_000))
    assert units[0] == 120
    assert sorted(units) == [0, 40, 80, 120]


def test_strengths_by_chance_spread_as_told() -> None:
    ratings = strengths_of(Stream(b"s", ""), 3000, 200)
    assert (sum(rating**2 for rating in ratings) / 3000) ** 0.5 == pytest.approx(200, rel=0.05)
    assert strengths_of(Stream(b"s", ""), 3, 0) == (0, 0, 0)
