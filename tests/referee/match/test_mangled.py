"""Whatever comes in, a referee never stumbles, and whoever follows one blames somebody."""

from functools import cache
from random import Random

import pytest

from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.result import BOT
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited, follow
from tests.fakes.keys import key
from tests.fakes.mangling import mangle
from tests.fakes.scripted import Script, Setup

REFEREE = key("a referee")


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize("seed", range(8))
def test_a_mangled_answer_is_good_or_ends_the_match_for_its_seat(stand: str, seed: int) -> None:
    random = Random(f"{stand} {seed}")
    script = STANDS[stand]()
    seat = seed % 2
    data = script.honest(seat)
    for _ in range(random.choice((1, 1, 2))):
        data = edited(data, lambda a: mangle(a, random), own_key(script, seat))
    if random.random() < 0.3:
        place = random.randrange(len(data))
        data = data[:place] + random.randbytes(1) + data[place + 1 :]
    script.send(seat, data)
    assert not script.refusals
    assert set(script.referee.fold.outs) <= {seat}
    assert set(script.referee.fold.outs.values()) <= BOT
    follow(script.records)


@cache
def records(game: str) -> tuple[bytes, ...]:
    script = Script(Setup(game)).until(lambda s: len(s.records) > 30)
    return tuple(script.records)


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family", "allegra"])
def test_a_mangled_record_is_followed_or_is_a_deviation(game: str) -> None:
    random = Random(game)
    blamed: list[str] = []
    for _ in range(60):
        place = random.randrange(len(records(game)))
        forged = edited(records(game)[place], lambda m: mangle(m, random), REFEREE)
        try:
            follow((*records(game)[:place], forged, *records(game)[place + 1 :]))
        except Deviation as deviation:
            blamed.append(deviation.blame)
    assert len(blamed) > 30
    assert set(blamed) == {"referee"}


@pytest.mark.parametrize("size", [0, 1, 40, 4_096, 20_000])
def test_noise_is_malformed_and_no_more(size: int) -> None:
    for seed in range(5):
        script = STANDS["move"]()
        noise = Random(seed).randbytes(size)
        script.send(0, noise)
        assert list(script.referee.fold.outs) == [0]
        with pytest.raises(Deviation):
            Setup().player(0).take((noise,))
