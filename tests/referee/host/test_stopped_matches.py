"""A match that is cancelled or fails leaves nothing behind, and no other match notices."""

from functools import partial
from typing import Any

import pytest
import trio

from aboveboard_protos.bridge import memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host import table
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.interrupted import finish_interrupted
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.hosting import STORED, make_host, run, sweeping
from tests.fakes.robots import NOW, REFEREE, Robot, after, nothing, opening, resign, sign_close, up

PHASES = [pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_COMMITMENT, pb.PHASE_OPENING]
OVER = "the match is over"


def cancelled(robots: list[Robot], seconds: float) -> list[bytes]:
    """The records of a match that is cancelled after so long."""
    journal = MemoryJournal()
    terms = robots[0].opening

    async def main() -> None:
        host = make_host(journal)
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            for robot in robots:
                bots.start_soon(robot.play, host, doors)
            with trio.move_on_after(seconds) as scope:
                await host.play(terms)
            assert scope.cancelled_caught
            assert not host._tables

    run(main)
    return journal.records.get((terms.match, terms.attempt), [])


def closed_as_interrupted(records: list[bytes]) -> tuple[pb.MatchClose, bool]:
    """What the server makes of such records when it is started again."""
    added = finish_interrupted(
        records, REFEREE, STORED, pb.END_REASON_INTERRUPTED, "stopped", NOW + 10**9
    )
    match = verify_match(join([*records, *added]))
    return match.close, match.void


@pytest.mark.parametrize("phase", PHASES, ids=pb.Phase.Name)
def test_a_match_that_is_cancelled_in_any_phase_leaves_no_stream_and_a_transcript_to_close(
    phase: "pb.Phase",
) -> None:
    terms = opening(game="nebraska:family")
    robots = [Robot(terms, seat, instead=nothing, phase=phase) for seat in (0, 1)]
    records = cancelled(robots, 1)
    assert [robot.ending for robot in robots] == [OVER, OVER]
    assert [robot.records for robot in robots] == [records, records]
    close, again = closed_as_interrupted(records)
    assert close.reason == pb.END_REASON_INTERRUPTED
    assert [seat.half_points for seat in close.seats] == [1, 1]
    assert again == (phase == pb.PHASE_ACCEPT)


def test_a_match_that_is_cancelled_before_its_opening_has_no_record() -> None:
    terms = opening()
    robot = Robot(terms, 0)
    assert cancelled([robot, Robot(terms, 1, comes=5)], 1) == []
    assert robot.ending == OVER


def test_a_match_that_is_cancelled_at_its_close_keeps_its_result() -> None:
    terms = opening()
    robots = [Robot(terms, 0, instead=resign, sign=nothing), Robot(terms, 1, sign=nothing)]
    records = cancelled(robots, 1)
    assert [bool(robot.close_data) for robot in robots] == [True, True]
    close, again = closed_as_interrupted(records)
    assert close.reason == pb.END_REASON_RESIGNED
    assert not again


def test_a_match_that_is_cancelled_while_its_streams_end_is_closed_already() -> None:
    terms = opening()

    async def signs_and_is_deaf(robot: Robot) -> None:
        await sign_close(robot)
        for number in (1, 2, 3):
            robot.stream.send(up(ping=service.Ping(number=number)))
        await trio.sleep(60)

    deaf = Robot(terms, 0, instead=resign, sign=signs_and_is_deaf, pair=narrow_pair)
    records = cancelled([deaf, Robot(terms, 1, sign=after(1, sign_close))], 1.5)
    assert len(parse_signed(records[-1]).signatures) == 3


narrow_pair = partial(memory_pair, inbound_messages=1)


# --- Faults ----------------------------------------------------------------------------------


class FaultyReferee(Referee):
    """Fails at the second answer of one match, as a mistake of ours would."""

    def receive(self, *arguments: Any) -> Outbox:
        if self.fold.terms.wire.match == "r1-b2" and self.fold.sequence >= 1:
            raise RuntimeError("a mistake of ours")
        return super().receive(*arguments)


def test_a_fault_in_one_match_is_raised_and_touches_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table, "Referee", FaultyReferee)
    matches = [opening(f"r1-b{board}") for board in (1, 2, 3)]
    robots = {
        terms.match: [Robot(terms, 0, thinks=1, instead=resign, after=2), Robot(terms, 1, thinks=1)]
        for terms in matches
    }
    ended: dict[str, pb.MatchClose | str] = {}
    journal = MemoryJournal()

    async def main() -> None:
        host = make_host(journal)

        async def play(terms: pb.MatchOpen) -> None:
            try:
                ended[terms.match] = await host.play(terms)
            except RuntimeError as error:
                ended[terms.match] = str(error)

        async with sweeping(host) as doors, trio.open_nursery() as nursery:
            for terms in matches:
                nursery.start_soon(play, terms)
                for robot in robots[terms.match]:
                    nursery.start_soon(robot.play, host, doors)

    run(main)
    assert ended["r1-b2"] == "a mistake of ours"
    assert [robot.ending for robot in robots["r1-b2"]] == [OVER, OVER]
    for match in ("r1-b1", "r1-b3"):
        close = ended[match]
        assert isinstance(close, pb.MatchClose)
        assert close.reason == pb.END_REASON_RESIGNED
        assert verify_match(join(journal.records[match, 1])).close == close
    _, again = closed_as_interrupted(journal.records["r1-b2", 1])
    assert again


def test_terms_that_cannot_be_played_are_raised_and_free_the_seats() -> None:
    terms = opening()
    terms.chain_length = 5000
    robots = [Robot(terms, 0), Robot(terms, 1)]

    async def main() -> None:
        host = make_host()
        async with sweeping(host) as doors, trio.open_nursery() as nursery:
            for robot in robots:
                nursery.start_soon(robot.play, host, doors)
            with pytest.raises(Exception, match="chains that last"):
                await host.play(terms)

    run(main)
    assert [robot.ending for robot in robots] == [OVER, OVER]
