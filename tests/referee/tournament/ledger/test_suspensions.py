"""Who fails in match after match: counted from the closes, suspended, and let in again."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.playing import why_not
from aboveboard_referee.tournament.ledger.suspensions import due_suspensions
from tests.fakes.leaves import Leaves, fold, signed

FAILED = pb.END_REASON_TIME_OUT


def home(after: int = 2, rounds: int = 5, entrants: int = 4, system: str = "round-robin") -> Leaves:
    form = pb.Form(bye=2, suspend_after=after, legs=0 if system == "swiss" else 3)
    made = Leaves(entrants, rounds, f"suspended after {after}", system=system, form=form)
    made.close_entries()
    return made


def play(made: Leaves, *failing: int, reason: "pb.EndReason" = FAILED) -> None:
    """The matches of a round, in which these fail; its standings are not out."""
    for planned in made.draw():
        end(made, planned, *failing, reason=reason)


def end(made: Leaves, planned, *failing: int, reason: "pb.EndReason" = FAILED) -> None:
    made.open(planned)
    close = made.closing(planned.match)
    for entrant, seat in zip(planned.entrants, close.seats, strict=True):
        if entrant in failing:
            seat.reason = reason
    made.add(signed("match-close", close, made.referee))


def suspend(made: Leaves, entrant: int, failures: int) -> None:
    made.rule(suspended=pb.Suspension(entrant=entrant, failures=failures))


def readmit(made: Leaves, entrant: int) -> None:
    made.rule(readmitted=pb.Readmission(entrant=entrant))


def suspended_once() -> Leaves:
    """Entrant 1 has failed twice and is suspended; round 2 has its table."""
    made = home()
    play(made, 1)
    made.standings()
    play(made, 1)
    suspend(made, 1, 2)
    made.standings()
    return made


def test_who_is_suspended_is_in_no_round_from_the_next_on() -> None:
    made = suspended_once()
    made.play_round()
    pairings = made.ledger.rounds[-1]
    assert 1 not in [entrant for pairing in pairings.pairings for entrant in pairing.entrants]
    assert 1 not in pairings.absent
    assert why_not(made.ledger.field[1], 3) == "bot1, who is suspended"


def test_who_is_readmitted_plays_from_the_first_free_round_on_and_counts_anew() -> None:
    made = suspended_once()
    readmit(made, 1)  # while the draw of round 3 is made
    member = made.ledger.field[1]
    assert [member.plays(round_) for round_ in range(1, 6)] == [True, True, False, True, True]
    assert member.failures == 0
    made.play_round()
    play(made, 1)
    assert due_suspensions(made.ledger) == []
    made.standings()
    assert made.whole().ledger.close is not None


def test_nothing_is_missed_if_the_readmission_comes_before_the_table() -> None:
    made = home()
    play(made, 2)
    made.standings()
    play(made, 2)
    suspend(made, 2, 2)
    readmit(made, 2)
    assert all(made.ledger.field[2].plays(round_) for round_ in range(1, 6))


def test_a_match_without_a_failure_ends_the_row_and_one_that_the_service_ended_does_not() -> None:
    made = home()
    play(made, 0)
    made.standings()
    play(made)
    made.standings()
    play(made, 0)
    assert due_suspensions(made.ledger) == []
    made.standings()
    for planned in made.draw():
        made.open(planned)
        made.close(planned.match, (1, 1), pb.END_REASON_INTERRUPTED)
    assert made.ledger.field[0].failures == 1
    made.standings()
    play(made, 0)
    assert made.ledger.field[0].failures == 2


def test_what_the_service_ended_counts_for_nobody_even_if_a_seat_failed_in_it() -> None:
    made = home()
    (planned, *_) = made.draw()
    made.open(planned)
    close = made.closing(planned.match, (1, 1), pb.END_REASON_INTERRUPTED)
    close.seats[0].reason = FAILED
    made.add(signed("match-close", close, made.referee))
    assert all(member.failures == 0 for member in made.ledger.field)


def test_a_row_that_is_long_enough_stays_however_late_the_ruling_comes() -> None:
    form = pb.Form(bye=2, suspend_after=2, games=4)
    made = Leaves(2, 2, "four matches", system="swiss", form=form)
    made.close_entries()
    first, second, third, fourth = made.draw()
    end(made, first, 0)
    end(made, second, 0)
    end(made, third)
    assert due_suspensions(made.ledger) == [0]
    end(made, fourth, 0)
    with pytest.raises(Illegal, match="3 failed matches in a row of bot0"):
        suspend(made, 0, 2)
    suspend(made, 0, 3)


def test_there_are_no_standings_while_a_suspension_is_due() -> None:
    made = home(after=1)
    play(made, 3)
    with pytest.raises(Illegal, match="the suspension of bot3, who failed in 1 match in a row"):
        made.standings()
    suspend(made, 3, 1)
    made.standings()


def test_none_is_due_in_the_last_round() -> None:
    made = home(after=1, rounds=1)
    play(made, 3)
    assert due_suspensions(made.ledger) == []
    with pytest.raises(Illegal, match="a suspension in a round to come"):
        suspend(made, 3, 1)
    made.standings()
    made.end()


def test_none_is_due_where_the_form_has_none() -> None:
    made = home(after=0)
    play(made, 0, 1, 2, 3)
    with pytest.raises(Illegal, match="no suspensions in this tournament"):
        suspend(made, 3, 1)
    made.standings()


@pytest.mark.parametrize("entrant", [0, 1, 4])
def test_nobody_is_suspended_who_did_not_fail_often_enough(entrant: int) -> None:
    made = home()
    play(made, 1)
    with pytest.raises(Illegal, match="2 failed matches in a row of somebody"):
        suspend(made, entrant, 2)


def test_nobody_is_suspended_twice_or_once_disqualified() -> None:
    made = home(after=1)
    play(made, 0, 1)
    suspend(made, 0, 1)
    made.rule(disqualified=pb.Disqualification(entrant=1))
    for entrant in (0, 1):
        with pytest.raises(Illegal, match="somebody who is to be suspended"):
            suspend(made, entrant, 1)
    made.standings()


def test_nobody_is_suspended_whose_key_was_revoked() -> None:
    made = home(after=1)
    play(made, 1)
    body = pb.KeyRevoke(tournament=made.tournament, entrant=1, key=made.keys[1].public.raw)
    made.add(signed("key-revoke", body, made.keys[1]))
    assert due_suspensions(made.ledger) == []
    with pytest.raises(Illegal, match="somebody who is to be suspended"):
        suspend(made, 1, 1)
    made.standings()


def test_nobody_is_readmitted_after_the_last_draw() -> None:
    made = home(rounds=3)
    play(made, 1)
    made.standings()
    play(made, 1)
    suspend(made, 1, 2)
    made.standings()
    made.draw()
    with pytest.raises(Illegal, match="a readmission in a round to come"):
        readmit(made, 1)
    assert made.ledger.field[1].suspended == 3


def test_nobody_is_readmitted_who_is_not_suspended() -> None:
    made = home()
    with pytest.raises(Illegal, match="bot2, who is not"):
        readmit(made, 2)
    with pytest.raises(Illegal, match="an entrant of this tournament"):
        readmit(made, 9)


def test_nobody_is_suspended_while_a_draw_is_made() -> None:
    made = home(after=1)
    play(made, 0)
    suspend(made, 0, 1)
    made.standings()
    with pytest.raises(Illegal, match="no change while the draw of round 2 is made"):
        suspend(made, 1, 1)


def test_who_is_suspended_in_a_knockout_loses_its_next_table_without_a_match() -> None:
    form = pb.Form(suspend_after=1, games=3, majority=True)
    made = Leaves(4, 0, "knocked out", system="knockout", form=form)
    made.close_entries()
    matches = made.draw()
    winner, other = matches[0].entrants[0], matches[3].entrants[0]
    for planned in matches:
        made.open(planned)
        close = made.closing(planned.match)
        seat = planned.entrants.index(winner) if winner in planned.entrants else 0
        close.seats[seat].half_points, close.seats[1 - seat].half_points = 2, 0
        if planned is matches[2]:
            close.seats[seat].half_points, close.seats[seat].reason = 0, FAILED
            close.seats[1 - seat].half_points = 2
        made.add(signed("match-close", close, made.referee))
    suspend(made, winner, 1)
    made.standings()
    made.whole()
    assert len(made.ledger.rounds) <= 2
    assert made.ledger.rows()[0].entrant != winner
    assert other in [row.entrant for row in made.ledger.rows()[:2]]


def test_a_log_with_suspensions_folds_again_to_the_same() -> None:
    made = suspended_once()
    readmit(made, 1)
    made.whole()
    assert fold(made.all).rows() == made.ledger.rows()


def test_a_ruling_that_is_refused_for_its_table_changes_nothing() -> None:
    made = suspended_once()
    member = made.ledger.field[1]
    state = (member.suspended, member.failures, member.barred)
    ruling = pb.Ruling(
        tournament=made.tournament,
        number=len(made.ledger.rulings) + 1,
        leaf=made.ledger.size,
        time_us=made.now(),
        readmitted=pb.Readmission(entrant=1),
    )
    with pytest.raises(Illegal, match="the table that follows"):
        made.say("ruling", ruling)
    assert (member.suspended, member.failures, member.barred) == state
