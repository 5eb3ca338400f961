"""What a match counts, by the way it ended."""

from collections.abc import Mapping

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Over
from aboveboard_referee.match.result import BOT, SERVICE, reason_text, result

PAIR = ((0,), (1,))
PARTNERS = ((0, 2), (1, 3))
PLAYED = pb.END_REASON_PLAYED_OUT


def rows(results: tuple[pb.SeatResult, ...]) -> list[tuple[int, int, int, int]]:
    return [(row.half_points, row.score, row.rank, row.reason) for row in results]


def test_a_match_played_out_counts_by_the_games_ranks() -> None:
    assert rows(result(PAIR, Over((121, 90), (1, 2)), {}, None)[1]) == [
        (2, 121, 1, PLAYED),
        (0, 90, 2, PLAYED),
    ]
    assert rows(result(PAIR, Over((40, 12), (2, 1)), {}, None)[1]) == [
        (0, 40, 2, PLAYED),
        (2, 12, 1, PLAYED),
    ]


def test_sides_that_share_the_first_rank_draw() -> None:
    reason, seats = result(PAIR, Over((-7, -7), (1, 1)), {}, None)
    assert reason == PLAYED
    assert rows(seats) == [(1, -7, 1, PLAYED)] * 2


def test_partners_share_points_score_and_rank() -> None:
    _, seats = result(PARTNERS, Over((80, 121), (2, 1)), {}, None)
    lost, won = (0, 80, 2, PLAYED), (2, 121, 1, PLAYED)
    assert rows(seats) == [lost, won, lost, won]


@pytest.mark.parametrize("reason", sorted(BOT))
def test_a_seat_that_went_out_loses_to_the_other(reason: pb.EndReason) -> None:
    for seat in (0, 1):
        end, seats = result(PAIR, None, {seat: reason}, None)
        assert end == reason
        assert rows(seats)[seat] == (0, 0, 2, reason)
        assert rows(seats)[1 - seat] == (2, 0, 1, 0)


def test_where_both_sides_went_out_neither_gets_anything_and_the_first_names_the_end() -> None:
    outs: Mapping[int, pb.EndReason] = {1: pb.END_REASON_TIME_OUT, 0: pb.END_REASON_RESIGNED}
    end, seats = result(PAIR, None, outs, None)
    assert end == pb.END_REASON_TIME_OUT
    assert rows(seats) == [(0, 0, 2, pb.END_REASON_RESIGNED), (0, 0, 2, pb.END_REASON_TIME_OUT)]


def test_two_partners_out_are_one_lost_side() -> None:
    outs = {0: pb.END_REASON_TIME_OUT, 2: pb.END_REASON_TIME_OUT}
    assert [row.half_points for row in result(PARTNERS, None, outs, None)[1]] == [0, 2, 0, 2]


@pytest.mark.parametrize("reason", sorted(SERVICE))
def test_a_match_that_the_service_stopped_is_never_a_loss(reason: pb.EndReason) -> None:
    for sides in (PAIR, PARTNERS):
        end, seats = result(sides, None, {}, reason)
        assert end == reason
        assert rows(seats) == [(1, 0, 1, reason)] * sum(map(len, sides))


@pytest.mark.parametrize("sides", [PAIR, PARTNERS])
def test_no_match_gives_away_more_than_there_is(sides: tuple[tuple[int, ...], ...]) -> None:
    seats = sum(map(len, sides))
    ends: list[tuple[Over | None, dict[int, pb.EndReason], pb.EndReason | None]] = [
        (Over((1, 2), (2, 1)), {}, None),
        (Over((1, 1), (1, 1)), {}, None),
        (None, {0: pb.END_REASON_TIME_OUT}, None),
        (None, {0: pb.END_REASON_TIME_OUT, 1: pb.END_REASON_TIME_OUT}, None),
        (None, {}, pb.END_REASON_INTERRUPTED),
    ]
    for over, outs, stopped in ends:
        assert sum(row.half_points for row in result(sides, over, outs, stopped)[1]) in (0, seats)


def test_every_end_reason_belongs_to_one_family() -> None:
    named = set(pb.EndReason.values()) - {pb.END_REASON_UNSPECIFIED}
    assert named == BOT | SERVICE | {PLAYED}
    assert not BOT & SERVICE
    assert PLAYED not in BOT | SERVICE


def test_an_end_reason_as_people_read_it() -> None:
    assert reason_text(pb.END_REASON_TIME_OUT) == "time-out"
    assert reason_text(pb.END_REASON_PLAYED_OUT) == "played-out"
    assert len({reason_text(reason) for reason in BOT | SERVICE}) == len(BOT | SERVICE)
