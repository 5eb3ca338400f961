"""Whatever happens to connections and processes, all agree, and the match verifies."""

from collections.abc import Callable
from random import Random

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.match.result import BOT
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.scripted import Script, Setup, graceful

GRACE = 20_000_000
QUICK = [("cribbage", 2), ("cribbage", 3), ("nebraska:family", 3), ("allegra", 3)]
TABLES = [(name, seats) for name in registry.names() for seats in registry.game(name).seats]

Trouble = Callable[[Script, int, Random], object]
TROUBLES: dict[str, Trouble] = {
    "lost": lambda script, seat, _: script.lost(seat),
    "back": lambda script, seat, random: script.came_back(seat, random.randrange(GRACE // 3)),
    "back late": lambda script, seat, _: script.came_back(seat, GRACE + 1),
    "stays away": lambda script, seat, random: script.stayed_away(
        seat, random.randrange(2 * GRACE)
    ),
    "a new bot": lambda script, seat, _: script.rejoin(seat),
    "a new referee": lambda script, _seat, _random: script.resumed(),
    "a silent takeover": lambda script, _seat, _random: script.restart(),
    "all back": lambda script, _seat, _random: script.all_back(),
    "garbage": lambda script, seat, _: script.garbage(seat, b"?"),
    "nonsense": lambda script, seat, _: script.send(seat, b"nonsense"),
    "patience": lambda script, seat, _: script.overdue(seat, wait_us=1_000),
    "impatience": lambda script, seat, _: script.overdue(seat, wait_us=10**12),
}
OFTEN = ("lost", "back", "back", "a new bot", "a new referee", "a silent takeover", "all back")
SELDOM = tuple(set(TROUBLES) - set(OFTEN))


def troubled(game: str, seats: int, seed: int) -> Script:
    """A match with a trouble after every few answers, and a fatal one now and then."""
    random = Random(f"{game} {seats} {seed}")
    absent = frozenset({random.randrange(seats)} if random.random() < 0.15 else ())
    clock = graceful(random.choice((0, GRACE)))
    script = Script(Setup(game, seats, seed=f"troubles {seed}", clock=clock, absent=absent))
    gentle = OFTEN if clock.grace_us else OFTEN[1:]
    while not script.referee.ended:
        if random.random() < 0.24 / seats:
            kinds = gentle if random.random() < 0.97 else sorted(SELDOM)
            TROUBLES[random.choice(kinds)](script, random.choice(sorted(script.players)), random)
        elif random.random() < 0.0005:
            script.stop()
        else:
            owing = random.choice(sorted(script.referee.owed))
            script.send(owing, script.honest(owing))
    return script


def check(game: str, seats: int, seed: int) -> None:
    script = troubled(game, seats, seed)
    assert not script.refusals
    for seat in script.players:
        script.rejoin(seat)
    script.agree()
    close = script.finish()
    assert verify_match(join(script.records)).close == close
    outs = script.referee.fold.outs
    assert set(outs.values()) <= BOT
    assert pb.END_REASON_ILLEGAL_MOVE not in outs.values()
    for seat, row in enumerate(close.seats):
        assert (seat in outs) == (row.reason in BOT)
        if seat in outs:
            assert (row.half_points, row.rank > 1) == (0, True)
    first = {script.referee.fold.terms.side_of(s) for s, r in enumerate(close.seats) if r.rank == 1}
    assert all(
        row.half_points == (0 if row.rank > 1 else 2 if len(first) == 1 else 1)
        for row in close.seats
    )


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "seats"), QUICK)
def test_a_match_with_troubles_is_as_good_as_any(game: str, seats: int, seed: int) -> None:
    check(game, seats, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_at_any_table_a_match_with_troubles_is_as_good_as_any(
    game: str, seats: int, seed: int
) -> None:
    check(game, seats, seed)
