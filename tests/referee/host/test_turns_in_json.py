"""Bots that ask for it are told with each question what it is, by what they were sent alone."""

import json
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.told import CLOSE, DUTIES
from aboveboard_referee.match.turn_json import turn_json
from tests.fakes.hosting import make_host, play, run, sweeping
from tests.fakes.robots import Robot, after, answer, opening, resign
from tests.referee.host.test_leaks_on_streams import TABLES, terms_of


def kinds(robot: Robot) -> list[str]:
    """What its stream held, frame by frame."""
    return [str(decode(service.MatchDown, data).WhichOneof("frame")) for _, data in robot.got]


def said(turn: service.Turn) -> dict[str, Any]:
    return json.loads(turn.json)


class Watching(Robot):
    """Notes what its own fold says of each question, just before it is told of it."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.own: list[tuple[int, str, dict[str, Any] | None]] = []

    async def frame(self) -> service.MatchDown:
        frame = await super().frame()
        owed = self.player.owed if self.player.opening else None
        if frame.HasField("turn") and owed is not None:
            turn = self.player.turn
            own = None if turn is None else turn_json(turn)
            self.own.append((owed.asked, DUTIES[owed.phase], own))
        return frame


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_each_question_is_told_as_the_seat_itself_would_see_it(game: str, seats: int) -> None:
    terms = terms_of(game, seats)
    robots = [Watching(terms, seat, turns=True) for seat in range(seats)]
    match = play(*robots)
    assert match.close.reason == pb.END_REASON_PLAYED_OUT
    for robot in robots:
        *told, close = robot.told
        assert [(turn.asked, turn.duty) for turn in told] == [own[:2] for own in robot.own]
        assert len(told) == sum(answer.seat == robot.seat for answer, _ in match.answers)
        for turn, (_, duty, own) in zip(told, robot.own, strict=True):
            here = said(turn)
            if own is None:
                assert here["legal"] == []
                assert (duty == "entropy") == ("shuffle" in here)
            else:
                assert here == own
        shuffles = [said(turn)["shuffle"] for turn in told if turn.duty == "entropy"]
        assert shuffles == list(range(1, len(shuffles) + 1))
        assert close.duty == "close"
        assert close.asked == match.close.sequence
        assert said(close)["result"] == {
            "reason": "played-out",
            "seats": [
                {
                    "half_points": seat.half_points,
                    "score": seat.score,
                    "rank": seat.rank,
                    "reason": reason_text(seat.reason),
                }
                for seat in match.close.seats
            ],
        }


def test_a_turn_follows_the_records_that_ask_and_whoever_did_not_ask_has_none() -> None:
    terms = opening("turns", "nebraska:family")
    asking, other = Robot(terms, 0, turns=True), Robot(terms, 1, instead=resign, after=1)
    play(asking, other)
    assert not other.told
    sequence = kinds(asking)
    for at, kind in enumerate(sequence):
        if kind == "turn":
            assert sequence[at - 1] in ("records", "close")
    duties = {turn.duty for turn in asking.told}
    assert duties == {"accept", "entropy", "move", "sealed-move", "open", "close"}


def test_each_duty_is_described_for_those_who_write_such_bots() -> None:
    page = (Path(__file__).parents[3] / "docs" / "languages.md").read_text()
    for duty in (*DUTIES.values(), CLOSE):
        assert f"\n| `{duty}` | " in page


# --- Lost connections ----------------------------------------------------------------------


class Returning(Robot):
    """Loses its connection in the middle of a decision, and comes back a second later."""

    have = 0
    again = True  # whether it asks for turns then

    async def play(self, host: Any, doors: trio.Nursery) -> None:
        self.instead = self.lose
        self.dial(host, doors)
        with trio.CancelScope() as self.first:
            await self.stay()
        self.stream.abort()
        await trio.sleep(1)
        self.instead = None
        self.back_at = len(self.got)
        self._answering = None
        self.turns = self.again
        self.player = self.new_player() if self.have == 0 else self.player
        self.dial(host, doors)
        await self.enter(self.have and len(self.records))
        await self.follow()

    async def lose(self, _robot: Robot) -> None:
        if self.turns:
            await self.frame()  # the turn comes after the records
        self.first.cancel()
        await trio.lowlevel.checkpoint()

    async def follow(self) -> None:
        try:
            await super().follow()
        except trio.EndOfChannel:
            self.ending = "in order"


@pytest.mark.parametrize("have", [0, 1])
def test_whoever_comes_back_is_told_its_open_question_again_after_word_that_it_has_all(
    have: int,
) -> None:
    terms = opening("turns", "cribbage", grace_us=60_000_000)
    robot = Returning(terms, 0, after=3, turns=True)
    robot.have = have
    match = play(robot, Robot(terms, 1))
    assert match.close.reason == pb.END_REASON_PLAYED_OUT
    since = kinds(robot)[robot.back_at :]
    assert since[: since.index("turn")][-1] == "back"
    before = [turn for at, turn in turns_at(robot) if at < robot.back_at]
    later = [turn for at, turn in turns_at(robot) if at >= robot.back_at]
    assert (later[0].asked, later[0].duty) == (before[-1].asked, "move")
    waited = said(before[-1]).pop("left_us") - said(later[0])["left_us"]
    assert 1_000_000 <= waited <= 1_200_000
    assert said(later[0])["legal"] == said(before[-1])["legal"]
    assert said(later[0])["state"] == said(before[-1])["state"]


def turns_at(robot: Robot) -> list[tuple[int, service.Turn]]:
    frames = [decode(service.MatchDown, data) for _, data in robot.got]
    return [(at, frame.turn) for at, frame in enumerate(frames) if frame.HasField("turn")]


def test_who_asks_for_turns_on_its_second_connection_only_is_told_from_then_on() -> None:
    terms = opening("turns", "cribbage", grace_us=60_000_000)
    robot = Returning(terms, 0, after=3, turns=False)
    match = play(robot, Robot(terms, 1))
    assert match.close.reason == pb.END_REASON_PLAYED_OUT
    assert min(at for at, _ in turns_at(robot)) > robot.back_at
    assert robot.told[0].duty == "move"
    assert robot.told[-1].duty == "close"


def test_who_asks_for_no_turns_on_its_second_connection_is_told_no_more() -> None:
    terms = opening("turns", "cribbage", grace_us=60_000_000)
    robot = Returning(terms, 0, after=3, turns=True)
    robot.again = False
    play(robot, Robot(terms, 1))
    assert max(at for at, _ in turns_at(robot)) < robot.back_at


def test_a_host_that_was_started_anew_tells_what_is_open_and_goes_on_telling() -> None:
    terms = opening("turns", "cribbage", grace_us=60_000_000)
    records = play(Robot(terms, 0), Robot(terms, 1)).records
    written = max(at for at in range(30) if parse_signed(records[at]).signatures)
    before = records[: written + 1]  # what is on disk ends with a signed record
    journal = MemoryJournal()
    journal.records[terms.match, terms.attempt] = list(before)
    robots = [Watching(terms, seat, turns=True) for seat in (0, 1)]

    async def main() -> pb.MatchClose:
        host = make_host(journal)
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            for robot in robots:
                bots.start_soon(robot.play, host, doors)
            return await host.resume(before, 60_000_000)

    assert run(main).reason == pb.END_REASON_PLAYED_OUT
    for robot in robots:
        *told, close = robot.told
        assert close.duty == "close"
        assert told
        assert [(turn.asked, turn.duty) for turn in told] == [own[:2] for own in robot.own]
        assert all(said(turn) == own for turn, (*_, own) in zip(told, robot.own) if own)


def test_who_is_out_is_told_of_the_close_and_the_others_are_told_on() -> None:
    terms = terms_of("nebraska:family", 3, "turns")
    gone = Robot(terms, 0, instead=resign, phase=pb.PHASE_COMMITMENT, after=1, turns=True)
    soon = {"instead": resign, "phase": pb.PHASE_COMMITMENT, "after": 4}
    others = [Robot(terms, seat, turns=True, **soon) for seat in (1, 2)]
    match = play(gone, *others)
    assert [turn.duty for turn in gone.told].count("sealed-move") == 2
    assert gone.told[-1].duty == "close"
    assert said(gone.told[-1])["result"]["seats"][0]["reason"] == "resigned"
    for robot in others:
        assert [turn.duty for turn in robot.told].count("sealed-move") == 5
    assert len(match.outs) == 3


def test_a_turn_takes_nothing_of_the_time_that_its_seat_has() -> None:
    terms = opening("turns", "cribbage")
    robot = Robot(terms, 0, instead=after(2.0, answer), turns=True)
    match = play(robot, Robot(terms, 1, turns=True))
    waits = [timing.wait_us for given, timing in match.answers if given.seat == 0]
    assert sorted(waits)[-1] == 2_000_000
    assert sorted(waits)[-2] == 0


def test_seats_that_ask_for_no_turns_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError("a turn was made for nobody")

    monkeypatch.setattr("aboveboard_referee.host.telling.Told", never)
    terms = opening("turns", "cribbage")

    async def main() -> pb.MatchClose:
        host = make_host()
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            for seat in (0, 1):
                bots.start_soon(Robot(terms, seat).play, host, doors)
            return await host.play(terms)

    assert run(main).reason == pb.END_REASON_PLAYED_OUT
