"""A seat whose connection breaks: the match goes on as if nothing had happened."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_client.session.connection import PING_SECONDS
from aboveboard_client.session.desk import Choice, Desk
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.match_session import play_seat
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.keys import secret
from tests.fakes.referees import NOW, REFEREE, OneSeatReferee, down, ticket, tournament
from tests.fakes.seats import EVENT, IDENTITY, SEALED, desk, dial, play, recorded, run, talk

GAMES = ("cribbage", "nebraska:poker", "allegra")
PATIENT = Patience()


def answers(referee: OneSeatReferee) -> dict[int, set[bytes]]:
    """All that the bot sent as answers, by the event that it answers."""
    sent: dict[int, set[bytes]] = defaultdict(set)
    for _, kind, frame in referee.came:
        if kind == "answer":
            asked = decode(pb.Answer, parse_signed(frame.answer).body).asked
            sent[asked].add(frame.answer)
    return sent


def served(desk: Desk, serve: Callable[[Stream], Awaitable[None]]) -> MatchEnd:
    """A match with whoever serves its connections."""

    async def main() -> MatchEnd:
        async with trio.open_nursery() as nursery:
            end = await play_seat(lambda: dial(nursery, serve), ticket(EVENT), desk)
            nursery.cancel_scope.cancel()
        return end

    return run(main)


@cache
def undisturbed(game: str) -> OneSeatReferee:
    """A match in which no connection is lost."""
    referee = OneSeatReferee(tournament(game), IDENTITY)
    assert play(desk(), referee).close is not None
    return referee


def cut(game: str, down: Collection[int] = (), up: Collection[int] = ()) -> OneSeatReferee:
    """The same match with connections cut, which must change nothing in it."""
    referee = OneSeatReferee(tournament(game), IDENTITY, cut_down=down, cut_up=up)
    end = play(desk(patience=PATIENT), referee)
    assert end.close == referee.close
    assert referee.records == undisturbed(game).records
    assert all(len(sent) == 1 for sent in answers(referee).values())
    assert verify_match(join(referee.records)).unsigned_by == ()
    return referee


@pytest.mark.parametrize("game", GAMES)
def test_a_match_whose_every_record_is_lost_once_ends_as_if_none_were(game: str) -> None:
    referee = cut(game, down=range(0, 10_000, 2))
    assert len(referee.haves) > undisturbed(game).handed_over


@pytest.mark.parametrize("game", GAMES)
def test_a_match_whose_every_answer_is_lost_once_ends_as_if_none_were(game: str) -> None:
    referee = cut(game, up=range(0, 10_000, 2))
    assert referee.answers == 2 * undisturbed(game).answers


@given(
    down=st.sets(st.integers(0, 200), max_size=40),
    up=st.sets(st.integers(0, 120), max_size=40),
)
@settings(max_examples=8, deadline=None, derandomize=True)
def test_wherever_connections_are_cut_moves_and_result_are_the_same(
    down: set[int], up: set[int]
) -> None:
    cut("cribbage", down, up)


@pytest.mark.slow
def test_one_cut_at_every_fifth_record_or_answer_changes_nothing() -> None:
    whole = undisturbed("cribbage")
    for number in range(0, whole.handed_over, 5):
        cut("cribbage", down=[number])
    for number in range(1, whole.answers, 5):
        cut("cribbage", up=[number])


def test_one_outage_is_told_once_and_its_end_once() -> None:
    mine = desk(patience=PATIENT)
    play(mine, OneSeatReferee(EVENT, IDENTITY, cut_down=[7, 8, 9, 20]))
    assert recorded(mine).told == [
        "r1-b1 lost: the connection to the referee is lost: cable cut",
        "r1-b1 back after 0.70 s",
        "r1-b1 lost: the connection to the referee is lost: cable cut",
        "r1-b1 back after 0.10 s",
    ]


# --- Thinking ------------------------------------------------------------------------------------


class Counting:
    """Takes the first move, and remembers what it was asked."""

    games: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []  # with the time left

    def choose(self, turn: Turn) -> object:
        self.asked.append((turn.asked, turn.left_us))
        return turn.legal[0]


@pytest.mark.parametrize("event", [EVENT, SEALED], ids=["cribbage", "poker"])
def test_a_bot_is_asked_once_however_often_its_answer_is_lost(event: Tournament) -> None:
    bot = Counting()
    play(desk(bot, patience=PATIENT), OneSeatReferee(event, IDENTITY, cut_up=range(2, 12)))
    asked = [asked for asked, _ in bot.asked]
    assert len(asked) == len(set(asked))


def test_a_bot_thinks_on_while_its_connection_is_lost() -> None:
    """Every move takes three seconds, and every connection is cut after one."""

    async def slow(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep(3)
        return choose()

    referee = OneSeatReferee(EVENT, IDENTITY)

    async def cut(stream: Stream) -> None:
        await trio.sleep(1)
        stream.abort("cable cut")

    async def serve(stream: Stream) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(cut, stream)
            await referee.serve(stream)
            nursery.cancel_scope.cancel()

    bot = Counting()
    end = served(replace(desk(bot, patience=PATIENT), run_choice=slow), serve)
    assert end.close == referee.close is not None
    asked = [asked for asked, _ in bot.asked]
    assert len(asked) == len(set(asked))
    moves = sorted({when for when, kind, _ in referee.came if kind == "answer"})[1:]
    assert all(later - earlier < 3.5 for earlier, later in pairwise(moves))


def test_the_time_that_a_question_has_counted_already_is_taken_off() -> None:
    limit = EVENT.manifest.clock.move_us
    for cuts, waited_us in (((), 0), (range(0, 10_000, 2), 7_000_000)):
        bot = Counting()
        referee = OneSeatReferee(EVENT, IDENTITY, cut_down=cuts, waited_us=7_000_000)
        play(desk(bot, patience=PATIENT), referee)
        assert {left for _, left in bot.asked} == {limit - waited_us}


# --- Giving up -----------------------------------------------------------------------------------


def refusal(code: "service.RefusalCode", text: str = "why") -> bytes:
    return down(refusal=service.Refusal(code=code, text=text))


CHALLENGE = down(
    challenge=service.Challenge(challenge=secret("challenge"), referee_key=REFEREE.public.raw)
)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (service.REFUSAL_CODE_MATCH_OVER, "the referee has ended the match: why"),
        (service.REFUSAL_CODE_REPLACED, "a newer connection has taken the seat: why"),
        (service.REFUSAL_CODE_BAD_PROOF, "the referee refuses the bot: why"),
        (service.REFUSAL_CODE_PROTOCOL, "the referee refuses the bot: why"),
        (service.REFUSAL_CODE_MALFORMED, "the referee refuses the bot: why"),
    ],
)
@pytest.mark.parametrize("frames", [[], [CHALLENGE]], ids=["at hello", "at the entrance"])
def test_a_final_refusal_is_not_tried_again(
    frames: list[bytes], code: "service.RefusalCode", why: str
) -> None:
    mine = desk(patience=PATIENT)
    end = talk(mine, *frames, refusal(code))
    assert end == MatchEnd(end.ticket, None)
    assert recorded(mine).told == [f"r1-b1: {why}"]


def test_a_referee_that_does_not_play_the_match_yet_is_asked_again() -> None:
    referee = OneSeatReferee(EVENT, IDENTITY)
    came = 0

    async def serve(stream: Stream) -> None:
        nonlocal came
        came += 1
        if came > 4:
            await referee.serve(stream)
        else:
            stream.send(refusal(service.REFUSAL_CODE_NOT_HERE, "not here"))
            await stream.aclose()

    mine = desk(patience=PATIENT)
    end = served(mine, serve)
    assert end.close == referee.close is not None
    assert recorded(mine).told == [
        "r1-b1 lost: the referee does not play the match now: not here",
        "r1-b1 back after 1.50 s",
    ]


def test_a_referee_that_stays_away_costs_that_match_after_all_patience() -> None:
    mine = desk(patience=replace(PATIENT, total=60))
    end = talk(mine, CHALLENGE, ends="cable cut")
    assert end.close is None
    assert recorded(mine).told == [
        "r1-b1 lost: the connection to the referee is lost: cable cut",
        "r1-b1: the referee cannot be reached: nobody is there",
    ]


def test_a_referee_that_hangs_up_on_every_entrance_is_given_up() -> None:
    dialled: list[float] = []

    async def serve(stream: Stream) -> None:
        dialled.append(trio.current_time())
        stream.send(CHALLENGE)
        await stream.receive()
        stream.abort("no")

    mine = desk(patience=replace(PATIENT, total=60))
    assert served(mine, serve).close is None
    assert dialled[-1] == pytest.approx(60)
    assert len(dialled) < 25


def test_a_silent_referee_is_pinged_and_its_connection_given_up() -> None:
    referee = OneSeatReferee(EVENT, IDENTITY)
    came: list[float] = []

    async def serve(stream: Stream) -> None:
        came.append(trio.current_time())
        if len(came) > 1:
            await referee.serve(stream)
        else:
            stream.send(CHALLENGE)
            await trio.sleep_forever()

    assert served(desk(patience=PATIENT), serve).close is not None
    assert came[1] == pytest.approx(3 * PING_SECONDS + 0.1)


# --- Out, and told so ----------------------------------------------------------------------------


def test_a_seat_that_is_out_signs_the_close_all_the_same() -> None:
    """Told that nothing counts any more, it follows the match to its end."""

    class Impatient(OneSeatReferee):
        async def _await_answer(self, stream: Stream, referee: Referee, seat: int) -> Outbox:
            if self.answers < 5:
                return await super()._await_answer(stream, referee, seat)
            await self._frame(stream)
            stream.send(refusal(service.REFUSAL_CODE_MATCH_OVER, "too late"))
            return referee.overdue(seat, Measured(NOW, wait_us=1 << 40))

    mine = desk(patience=PATIENT)
    referee = Impatient(EVENT, IDENTITY)
    end = play(mine, referee)
    assert end.close is not None
    assert end.close.reason == pb.END_REASON_TIME_OUT
    assert recorded(mine).told == []
