"""What a bot must be able to do before it may enter, and who is told to upgrade."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.games import registry
from aboveboard_referee.host.abilities import MOST_CAPACITY
from tests.fakes.entrants import Entrant, signed, up
from tests.fakes.lobbies import Hall, Visitor, in_hall, visit
from tests.fakes.referees import ORGANISER

OWN = registry.game("cribbage").rules.version


def rules(name: str, version: int) -> wire.Rules:
    return wire.Rules(name=name, version=version)


async def comes(hall: Hall, capacity: int = 1, *played: wire.Rules) -> Visitor:
    visitor = await visit(hall)
    frame = wire.ControlUp.FromString(Entrant(0).join(visitor.greeting, capacity=capacity))
    frame.join.rules.extend(played)
    await visitor.says(up(join=frame.join))
    return visitor


@pytest.mark.parametrize(
    "played",
    [
        (),
        (rules("cribbage", OWN),),
        (rules("allegra", 9), rules("cribbage", OWN + 1), rules("cribbage", OWN)),
    ],
)
def test_a_bot_with_the_tournaments_rules_enters(played: tuple[wire.Rules, ...]) -> None:
    async def main(hall: Hall) -> None:
        assert (await comes(hall, 1, *played)).kinds[0] == "welcome"

    in_hall(main)


@pytest.mark.parametrize(
    ("played", "lack"),
    [
        (
            rules("allegra", OWN),
            "which the bot does not have: upgrade the bot, or enter another bot",
        ),
        (rules("cribbage", OWN - 1), f"and the bot has version {OWN - 1}: upgrade the bot"),
        (rules("cribbage", OWN + 1), f"and the bot has version {OWN + 1}: upgrade the server"),
    ],
)
def test_a_bot_without_them_is_told_which_and_who_must_upgrade(
    played: wire.Rules, lack: str
) -> None:
    async def main(hall: Hall) -> None:
        refusal = (await comes(hall, 1, played)).refusal
        assert refusal.code == wire.REFUSAL_CODE_RULES
        assert refusal.text == f"this tournament plays cribbage in version {OWN}, {lack}"
        assert hall.names == []

    in_hall(main)


@pytest.mark.parametrize("capacity", [0, MOST_CAPACITY + 1, 2**32 - 1])
def test_an_absurd_capacity_is_refused(capacity: int) -> None:
    async def main(hall: Hall) -> None:
        refusal = (await comes(hall, capacity)).refusal
        assert refusal.code == wire.REFUSAL_CODE_MALFORMED
        assert f"from 1 to {MOST_CAPACITY} matches at once" in refusal.text
        assert hall.names == []

    in_hall(main)


def test_the_greeting_names_the_servers_release() -> None:
    async def main(hall: Hall) -> str:
        return (await visit(hall)).greeting.software

    assert in_hall(main).startswith("aboveboard ")


# --- Proofs of keys --------------------------------------------------------------------------


def test_a_login_is_of_no_use_over_another_connection() -> None:
    async def main(hall: Hall) -> None:
        honest, thief = await visit(hall), await visit(hall)
        frame = Entrant(0).join(honest.greeting)
        await honest.says(frame)
        await thief.says(frame)
        assert honest.kinds[0] == "welcome"
        assert thief.refusal.code == wire.REFUSAL_CODE_BAD_PROOF
        assert "another connection" in thief.refusal.text

    in_hall(main)


def test_the_organisers_word_is_of_no_use_over_another_connection() -> None:
    async def main(hall: Hall) -> None:
        for number in range(2):
            visitor = await visit(hall)
            await visitor.says(Entrant(number).join(visitor.greeting))
        overheard, thief = await visit(hall), await visit(hall)
        greeting = overheard.greeting
        order = pb.StartOrder(
            challenge=greeting.challenge,
            tournament=tournament_id(parse_signed(greeting.manifest).body),
        )
        frame = up(start=wire.Start(start=signed("start", order, ORGANISER)))
        await thief.says(frame)
        assert thief.refusal.code == wire.REFUSAL_CODE_BAD_PROOF
        assert not hall.lobby.order.is_set()

    in_hall(main)
