"""Chance from a seed: the same for everybody, and as even as it should be."""

from collections import Counter
from hashlib import shake_256

from aboveboard_referee.tournament.simulate.stream import Stream


def test_a_seed_and_label_give_the_same_bytes_however_they_are_taken() -> None:
    whole = Stream(b"seed", "a").take(4096)
    again = Stream(b"seed", "a")
    assert b"".join(again.take(512) for _ in range(8)) == whole
    assert Stream(b"seed", "b").take(16) != whole[:16]
    assert Stream(b"see", "da").take(16) != whole[:16]


def test_bytes_are_those_of_shake_256() -> None:
    assert Stream(b"seed", "a").take(4) == shake_256(b"seed\0a\0" + bytes(8)).digest(4)


def test_numbers_below_a_limit_are_equally_likely() -> None:
    stream = Stream(b"even", "")
    counts = Counter(stream.below(6) for _ in range(6000))
    assert sorted(counts) == list(range(6))
    assert all(880 < count < 1120 for count in counts.values())


def test_a_bell_has_the_spread_that_it_says() -> None:
    stream = Stream(b"bell", "")
    drawn = [stream.bell() / 65_536 for _ in range(4000)]
    assert abs(sum(drawn) / len(drawn)) < 0.06
    assert 0.93 < sum(value * value for value in drawn) / len(drawn) < 1.07


def test_every_order_of_three_is_equally_likely() -> None:
    stream = Stream(b"order", "")
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(3000):
        things = [0, 1, 2]
        stream.shuffle(things)
        counts[tuple(things)] += 1
    assert len(counts) == 6
    assert all(420 < count < 580 for count in counts.values())
