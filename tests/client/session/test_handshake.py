"""What a bot says of itself in joining, and how it takes a server that is busy."""

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.public_log.log_link import begin
from aboveboard_client.session.dialling import referee_channel
from aboveboard_client.session.match_link import MatchLink
from aboveboard_client.session.reconnect import MOST_RETRY_SECONDS, Lost, Patience
from aboveboard_protos.bridge import Unavailable, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.games import registry
from tests.fakes.keys import key
from tests.fakes.sessions import FINISHED, GREETING, WELCOME, frame, says, session


def busy(seconds: float) -> bytes:
    refusal = wire.Refusal(
        code=wire.REFUSAL_CODE_BUSY, text="too many", retry_us=int(seconds * 1e6)
    )
    return frame(refusal=refusal)


def guarded() -> bytes:
    greeting = wire.ControlDown.FromString(GREETING).greeting
    greeting.token_needed = True
    return frame(greeting=greeting)


STAYS = says(GREETING, WELCOME, FINISHED)


def test_a_bot_names_its_release_and_all_rules_that_it_can_play() -> None:
    join = session(GREETING, WELCOME, FINISHED).sent[0].join
    assert join.software.startswith("aboveboard ")
    assert {rules.name for rules in join.rules} == set(registry.names())
    assert all(rules.version == registry.game(rules.name).rules.version for rules in join.rules)


def test_a_bot_of_some_games_names_these_alone() -> None:
    class Cribbage:
        games = ("cribbage",)

        def choose(self, turn: object) -> object:
            raise AssertionError("it plays nothing here")

    join = session(GREETING, WELCOME, FINISHED, bot=Cribbage()).sent[0].join
    assert {rules.name for rules in join.rules} == {"cribbage", "cribbage:source"}


def test_a_token_is_shown_only_to_a_server_that_asks_for_one() -> None:
    shown = [
        session(greeting, WELCOME, FINISHED, token="word").sent[0].join.token
        for greeting in (GREETING, guarded())
    ]
    assert shown == ["", "word"]


def test_a_refused_token_is_wrong_use() -> None:
    refusal = wire.Refusal(code=wire.REFUSAL_CODE_TOKEN, text="a used one")
    played = session(guarded(), frame(refusal=refusal), token="word")
    assert isinstance(played.error, WrongUse)
    assert "a used one" in str(played.error)
    assert "word" not in str(played.error)


@pytest.mark.parametrize("first", [(busy(7),), (GREETING, busy(7))])
def test_a_busy_server_is_tried_again_not_before_it_said_even_at_first(
    first: tuple[bytes, ...],
) -> None:
    played = session(*first, again=[STAYS], patience=Patience())
    assert played.error is None
    before, after = played.dialled
    assert 7 <= after - before <= 8


def test_a_refusal_without_a_reason_says_so_after_its_colon() -> None:
    played = session(GREETING, frame(refusal=wire.Refusal(code=wire.REFUSAL_CODE_FULL)))
    assert str(played.error) == "the server refuses: it gives no reason"


def test_no_server_keeps_a_bot_waiting_for_days() -> None:
    played = session(busy(86_400), again=[STAYS], patience=Patience())
    assert played.error is None
    assert played.dialled[1] - played.dialled[0] <= MOST_RETRY_SECONDS + 1


def test_patience_with_a_busy_server_ends() -> None:
    played = session(busy(7), again=[says(busy(7))] * 20, patience=Patience(total=30))
    assert isinstance(played.error, OutsideFailure)
    assert "the server is busy: too many" in str(played.error)
    assert played.seconds <= 40


def test_a_busy_referee_is_tried_again_and_not_left() -> None:
    async def main() -> Lost:
        mine, theirs = memory_pair()
        refusal = wire.Refusal(code=wire.REFUSAL_CODE_BUSY, text="too many", retry_us=3_000_000)
        theirs.send(wire.MatchDown(refusal=refusal).SerializeToString())
        with pytest.raises(Lost) as caught:
            await MatchLink(mine).enter(pb.Ticket(), b"", key("match"), 0)
        return caught.value

    assert trio.run(main).retry == 3


def test_a_busy_log_is_an_outside_failure() -> None:
    async def main() -> None:
        mine, theirs = memory_pair()
        refusal = wire.Refusal(code=wire.REFUSAL_CODE_BUSY, text="too many", retry_us=3_000_000)
        theirs.send(wire.LogSaid(refusal=refusal).SerializeToString())
        with pytest.raises(OutsideFailure, match="the server is busy: too many"):
            await begin(mine)

    trio.run(main)


@pytest.mark.parametrize("address", ["nonsense", "tls://referee.example:1#ca=/etc/passwd"])
def test_a_referees_address_is_no_word_for_this_sides_files(address: str) -> None:
    with pytest.raises(Unavailable):
        referee_channel(address)
