"""Sums of time that are false, by who holds every key."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.audit import Attack, convict, deviation, under_their_names
from tests.fakes.forgery import Forgery, Item
from tests.fakes.troubles import short

CRIBBAGE = "matches/r1-b1.1.records"
SECOND_US = 10**6


def timing(item: Item) -> pb.Timing:
    return item.event.answered.timing


def charged_too_little(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    timing(item).charged_us -= 1
    return item


def charged_too_much(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    timing(item).charged_us += 1
    return item


def charged_nothing_by_a_slow_line(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    timing(item).round_trip_us = timing(item).wait_us
    timing(item).charged_us = 0
    return item


def refunded_after_the_budget_was_gone(f: Forgery) -> Item:
    item = f.find("answered.move", -1)
    assert timing(item).charged_us == timing(item).wait_us, "the budget lasted"
    timing(item).charged_us -= timing(item).round_trip_us
    return item


def bank_filled_up_again(f: Forgery) -> Item:
    item = f.find("answered.move", 6)
    timing(item).left_us = f.terms.wire.clock.bank_us
    return item


def late_and_let_pass(f: Forgery) -> Item:
    item = f.find("answered.move", 3)
    timing(item).wait_us += 20 * SECOND_US
    timing(item).charged_us += 20 * SECOND_US
    return item


def late_with_more_left_than_there_was(f: Forgery) -> Item:
    item = late_and_let_pass(f)
    timing(item).left_us += 20 * SECOND_US
    return item


def late_to_accept(f: Forgery) -> Item:
    item = f.find("answered.accept", 1)
    timing(item).wait_us += 20 * SECOND_US
    timing(item).charged_us += 20 * SECOND_US
    return item


def no_times_at_all(f: Forgery) -> Item:
    item = f.find("answered.entropy", 1)
    item.event.answered.ClearField("timing")
    return item


CLOCK_ATTACKS: dict[Step, list[Attack]] = {
    Step.CLOCK: [
        charged_too_little,
        charged_too_much,
        charged_nothing_by_a_slow_line,
        refunded_after_the_budget_was_gone,
        bank_filled_up_again,
        late_and_let_pass,
        late_with_more_left_than_there_was,
        late_to_accept,
        no_times_at_all,
    ]
}


@under_their_names(CLOCK_ATTACKS)
def test_times_that_are_wrongly_summed_are_found(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    convict(short(), CRIBBAGE, forgery, step, attack(forgery))


def test_a_late_answer_stands_where_the_referee_was_late_itself() -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    item = forgery.find("answered.move", -1)
    timing(item).wait_us += 20 * SECOND_US
    timing(item).charged_us += 20 * SECOND_US
    assert deviation(forgery.transcript()) is not None
    timing(item).lag_us = forgery.terms.wire.clock.lag_us + 1
    assert deviation(forgery.transcript()) is None
