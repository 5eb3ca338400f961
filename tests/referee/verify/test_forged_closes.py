"""Closes that do not follow from the events before them, by who holds every key."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed, sign, type_of
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.transcript import split
from tests.fakes.archive import Archive, key_of, plain
from tests.fakes.audit import convict, only_finding
from tests.fakes.forgery import CLOSE, Forgery
from tests.fakes.troubles import short, troubled

PLAYED_OUT = "matches/r1-b1.1.records"
BROKEN_OFF = "matches/r2-b1.1.records"

R = pb.EndReason
Attack = Callable[[Forgery], None]


def swap_the_rows(f: Forgery) -> None:
    first, second = pb.SeatResult(), pb.SeatResult()
    first.CopyFrom(f.close.seats[0])
    second.CopyFrom(f.close.seats[1])
    f.close.seats[0].CopyFrom(second)
    f.close.seats[1].CopyFrom(first)


def the_loser_has_won(f: Forgery) -> None:
    swap_the_rows(f)


def both_have_drawn(f: Forgery) -> None:
    for row in f.close.seats:
        row.half_points, row.rank = 1, 1


def both_have_won(f: Forgery) -> None:
    for row in f.close.seats:
        row.half_points, row.rank = 2, 1


def one_point_more_in_the_game(f: Forgery) -> None:
    f.close.seats[0].score += 1


def another_rank(f: Forgery) -> None:
    for row in f.close.seats:
        row.rank = 1


def another_reason(f: Forgery) -> None:
    f.close.reason = R.END_REASON_RESIGNED


def another_reason_for_a_seat(f: Forgery) -> None:
    f.close.seats[1].reason = R.END_REASON_NO_SHOW


def the_service_is_said_to_have_failed(f: Forgery) -> None:
    both_have_drawn(f)
    f.close.reason = R.END_REASON_INTERRUPTED
    for row in f.close.seats:
        row.reason, row.score = R.END_REASON_INTERRUPTED, 0


def a_row_too_few(f: Forgery) -> None:
    del f.close.seats[1]


def a_row_too_many(f: Forgery) -> None:
    f.close.seats.add(half_points=1, rank=3, reason=R.END_REASON_PLAYED_OUT)


def another_head(f: Forgery) -> None:
    f.edit_close = lambda close: setattr(close, "head", bytes(32))


def another_last_event(f: Forgery) -> None:
    f.edit_close = lambda close: setattr(close, "sequence", close.sequence - 1)


def another_match(f: Forgery) -> None:
    f.close.match = bytes(32)


def earlier_than_the_last_event(f: Forgery) -> None:
    f.close.time_us = f.items[-1].event.time_us - 1


def signed_by_the_seats_alone(f: Forgery) -> None:
    f.finish_close = lambda signed: Signed(signed.type, signed.body, signed.signatures[1:])


def signed_by_nobody(f: Forgery) -> None:
    f.finish_close = lambda signed: Signed(signed.type, signed.body, ())


def signed_by_another_referee(f: Forgery) -> None:
    f.finish_close = lambda signed: sign(CLOSE, signed.body, key_of("stranger"), *f.keys)


def signed_by_the_organiser_for_the_referee(f: Forgery) -> None:
    f.finish_close = lambda signed: sign(CLOSE, signed.body, f.organiser.key, *f.keys)


def signed_by_a_stranger_as_well(f: Forgery) -> None:
    f.finish_close = lambda signed: sign(CLOSE, signed.body, f.referee, *f.keys, key_of("stranger"))


def signed_in_another_order(f: Forgery) -> None:
    f.finish_close = lambda signed: sign(CLOSE, signed.body, f.referee, *reversed(f.keys))


def signed_by_a_seat_over_another_result(f: Forgery) -> None:
    def finish(signed: Signed) -> Signed:
        other = sign(CLOSE, signed.body[:-1], *f.keys).signatures
        return Signed(signed.type, signed.body, (signed.signatures[0], other[0], other[1]))

    f.finish_close = finish


def of_another_type(f: Forgery) -> None:
    f.finish_close = lambda signed: sign(
        type_of("tournament-close"), signed.body, f.referee, *f.keys
    )


def with_an_unknown_field(f: Forgery) -> None:
    f.finish_close = lambda signed: sign(CLOSE, signed.body + b"\xf8\x07\x01", f.referee, *f.keys)


EVERY_ATTACK: list[Attack] = [
    the_loser_has_won,
    both_have_drawn,
    both_have_won,
    one_point_more_in_the_game,
    another_rank,
    another_reason,
    another_reason_for_a_seat,
    the_service_is_said_to_have_failed,
    a_row_too_few,
    a_row_too_many,
    another_head,
    another_last_event,
    another_match,
    earlier_than_the_last_event,
    signed_by_the_seats_alone,
    signed_by_nobody,
    signed_by_another_referee,
    signed_by_the_organiser_for_the_referee,
    signed_by_a_stranger_as_well,
    signed_in_another_order,
    signed_by_a_seat_over_another_result,
    of_another_type,
    with_an_unknown_field,
]


def refuted(archive: Archive, path: str, attack: Attack) -> None:
    forgery = Forgery.of(archive, path)
    attack(forgery)
    convict(archive, path, forgery, Step.CLOSE, len(forgery.items))


@pytest.mark.parametrize("attack", EVERY_ATTACK, ids=lambda attack: attack.__name__)
def test_a_false_close_is_found_in_a_match_broken_off(attack: Attack) -> None:
    refuted(short(), BROKEN_OFF, attack)


@pytest.mark.parametrize("attack", EVERY_ATTACK[:8], ids=lambda attack: attack.__name__)
def test_a_false_close_is_found_in_a_match_played_out(attack: Attack) -> None:
    refuted(plain(), PLAYED_OUT, attack)


@pytest.mark.parametrize("attack", [both_have_won, another_rank, another_reason])
@pytest.mark.parametrize("match", ["r1-b4.1", "r2-b2.1", "r2-b4.1", "r3-b2.1", "r6-b3.1"])
def test_a_false_close_is_found_whatever_the_end(match: str, attack: Attack) -> None:
    if match in ("r3-b2.1", "r6-b3.1") and attack is another_rank:
        attack = the_loser_has_lost
    refuted(troubled(), f"matches/{match}.records", attack)


def the_loser_has_lost(f: Forgery) -> None:
    """In a match that the service stopped, in which nobody has."""
    f.close.seats[0].half_points, f.close.seats[1].half_points = 2, 0


@pytest.mark.parametrize("events", [1, 2, 10, 40, 58])
def test_a_match_that_is_closed_before_it_is_over_is_found(events: int) -> None:
    forgery = Forgery.of(short(), BROKEN_OFF)
    del forgery.items[-events:]
    convict(short(), BROKEN_OFF, forgery, Step.CLOSE, len(forgery.items))


def test_a_false_result_is_found_though_log_and_table_were_made_to_fit() -> None:
    path = "matches/r3-b2.1.records"
    forgery = Forgery.of(plain(), path)
    swap_the_rows(forgery)
    transcript = forgery.transcript()
    index = plain().leaf("match-close", -1)
    archive = plain().ending_with(index, split(transcript)[-1], {path: transcript})
    assert archive.standings != plain().standings
    finding = only_finding(archive, dict(archive.files))
    assert finding.step == "5.9 (match, close)"
    assert finding.place == f"{path}, event {len(forgery.items)}"
    assert finding.blame == "referee"
