"""Two honest bots play to a close that all three sign."""

from functools import cache

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from tests.fakes.hosting import Match, play
from tests.fakes.robots import REFEREE, Robot, opening


@cache
def played(game: str) -> tuple[Match, list[Robot]]:
    terms = opening(game=game)
    robots = [Robot(terms, 0), Robot(terms, 1)]
    return play(*robots), robots


@pytest.mark.parametrize("game", registry.names())
def test_two_honest_bots_play_every_game_to_a_close_that_all_three_sign(game: str) -> None:
    match, robots = played(game)
    assert match.close.reason == pb.END_REASON_PLAYED_OUT
    signers = [signer for signer, _ in parse_signed(match.records[-1]).signatures]
    assert signers == [REFEREE.public.raw, *(robot.key.public.raw for robot in robots)]


def test_every_bot_is_sent_all_records_and_the_close_and_then_the_end() -> None:
    match, robots = played("cribbage")
    for robot in robots:
        assert robot.records == match.records[:-1]
        assert parse_signed(robot.close_data).body == parse_signed(match.records[-1]).body
        assert robot.ending == "in order"


def test_a_match_takes_no_time_but_that_of_its_bots() -> None:
    match, robots = played("cribbage")
    assert match.seconds == 0
    assert [robot.ended_at for robot in robots] == [0, 0]


def test_faces_for_one_seat_go_to_that_seat_alone() -> None:
    for robot in played("cribbage")[1]:
        shows = [pb.PrivateShow.FromString(parse_signed(show).body) for show in robot.shows]
        assert shows
        assert {show.seat for show in shows} == {robot.seat}


def test_what_was_asked_together_is_answered_in_any_order_of_arrival() -> None:
    terms = opening("r1-b2")
    quick, slow = Robot(terms, 0, comes=2.0), Robot(terms, 1, thinks=0.5)
    match = play(quick, slow)
    decided = sum(slow.answered.get(phase, 0) for phase in (pb.PHASE_MOVE, pb.PHASE_COMMITMENT))
    assert match.close.reason == pb.END_REASON_PLAYED_OUT
    assert match.seconds == pytest.approx(2.0 + 0.5 * decided)
