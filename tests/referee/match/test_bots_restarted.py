"""A bot that is started anew goes on as if it had never been away."""

from collections.abc import Callable
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.match.deviation import Deviation
from tests.fakes.keys import secret
from tests.fakes.places import standing
from tests.fakes.scripted import Script, Setup, graceful, owes
from tests.fakes.steady import steady
from tests.fakes.undisturbed import undisturbed

NAMES = registry.names()
TABLES = [(name, seats) for name in NAMES for seats in registry.game(name).seats]

GRACE = 20_000_000


def at(place: str, grace_us: int = GRACE, seats: int = 2) -> Script:
    return standing(place, seats, graceful(grace_us) if grace_us else None)


def bots_restarted(game: str, seats: int, every: int, most: int = 10_000) -> None:
    """After every so many answers all bots are new processes. Not a byte may differ."""
    script = Script(Setup(game, seats, seed="resumed", clock=graceful()))
    script.choose = steady
    calm = undisturbed(game, seats)
    while not script.referee.ended and len(script.inputs) < most:
        if len(script.inputs) % every == 0:
            for seat in script.players:
                script.rejoin(seat)
            script.agree()
        script.step()
        assert script.inputs[-1] == calm.inputs[len(script.inputs) - 1]
    assert script.records == calm.records[: len(script.records)]
    if script.referee.ended:
        script.finish()


@pytest.mark.parametrize("game", NAMES)
def test_a_bot_started_anew_gives_the_same_answers_to_the_byte(game: str) -> None:
    bots_restarted(game, 2, every=1, most=40)


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_a_bot_started_anew_at_every_answer_plays_the_same_match(game: str) -> None:
    bots_restarted(game, 2, every=1)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_bots_started_anew_at_every_table_play_the_same_match(game: str, seats: int) -> None:
    bots_restarted(game, seats, every=131)


@pytest.mark.parametrize("game", ["nebraska:family", "nebraska:poker", "nebraska:expert"])
def test_a_bot_started_anew_opens_the_very_bid_that_it_committed_to(game: str) -> None:
    picks: list[Callable[[Any], Any]] = [lambda turn: turn.legal[0], lambda turn: turn.legal[-1]]
    for pick in picks:
        script = Script(Setup(game, 2))
        script.choose = pick
        script.until(owes(pb.PHASE_OPENING))
        opening = script.honest(0)
        script.rejoin(0)
        assert script.players[0].protocol_answer() == opening
        script.send(0, opening)
        assert not script.referee.fold.outs


def test_a_bot_with_another_secret_does_not_open_a_bid_that_it_did_not_make() -> None:
    script = at("opening")
    script.rejoin(0)
    script.players[0]._stored = secret("another")
    with pytest.raises(Deviation) as refusal:
        script.players[0].protocol_answer()
    assert refusal.value.blame == "seat 0"
