"""Events moved, dropped and rewritten by somebody who holds every key."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed, sign, type_of
from aboveboard_referee.match.deviation import Step
from tests.fakes.archive import Archive, key_of
from tests.fakes.audit import Attack, convict, deviation, under_their_names
from tests.fakes.forgery import Forgery, Item
from tests.fakes.troubles import short, troubled

CRIBBAGE = "matches/r1-b1.1.records"
GAMES = [CRIBBAGE, "matches/r2-b1.1.records", "matches/r3-b1.1.records"]
ENDS_TRIED = [
    "r1-b2.1",
    "r2-b1.1",
    "r2-b2.1",
    "r2-b4.1",
    "r3-b2.1",
    "r5-b4.1",
    "r6-b3.1",
    "r6-b4.1",
]
HOUR_US = 3600 * 10**6


def copy(item: Item) -> Item:
    event = pb.Event()
    event.CopyFrom(item.event)
    return Item(event, item.signed, item.answer, asked=item.asked)


# --- What the referee may say without being found out: its word on times -------------------


def test_a_whole_match_at_other_times_verifies_as_times_are_the_referees_word() -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    for item in forgery.items:
        item.event.time_us += HOUR_US
    forgery.close.time_us += HOUR_US
    assert deviation(forgery.transcript()) is None


def test_answers_to_one_question_may_come_in_either_order() -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    forgery.swap(forgery.find("answered.accept", 0), forgery.find("answered.accept", 1))
    forgery.items[0].event.time_us = forgery.items[1].event.time_us
    assert deviation(forgery.transcript()) is None


# --- Single events -------------------------------------------------------------------------


def number_left_out(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    item.sequence = f.at(item) + 1
    return item


def number_used_twice(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.sequence = f.at(item) - 1
    return item


def head_of_another_event(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.previous = f.terms.head0
    return item


def head_left_out(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    item.previous = b""
    return item


def event_of_another_match(f: Forgery) -> Item:
    item = f.find("shown")
    item.event.match = Forgery.of(short(), GAMES[1]).terms.head0
    return item


def time_that_runs_backwards(f: Forgery) -> Item:
    item = f.find("answered.move", 5)
    item.event.time_us = f.terms.wire.time_us
    return item


def time_before_the_opening(f: Forgery) -> int:
    f.items[0].event.time_us = f.terms.wire.time_us - 1
    return 1


def another_shuffles_number(f: Forgery) -> Item:
    item = f.find("shown", 3)
    item.event.shuffle += 1
    return item


def event_that_says_nothing(f: Forgery) -> Item:
    item = f.find("answered.move")
    item.event.ClearField("answered")
    item.answer = None
    return item


def signature_of_a_stranger(f: Forgery) -> Item:
    item = f.find("shown")
    item.finish = lambda signed: sign(signed.type, signed.body, key_of("stranger"))
    return item


def signature_of_the_organiser(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.finish = lambda signed: sign(signed.type, signed.body, f.organiser.key)
    return item


def signature_of_a_seat_besides(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.finish = lambda signed: sign(signed.type, signed.body, f.referee, f.keys[0])
    return item


def signature_over_another_event(f: Forgery) -> Item:
    item = f.find("shown", 2)
    other = sign(type_of("event"), b"\x10\x01", f.referee).signatures
    item.finish = lambda signed: Signed(signed.type, signed.body, other)
    return item


def event_of_another_type(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.finish = lambda signed: sign(type_of("ticket"), signed.body, f.referee)
    return item


def event_with_an_unknown_field(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.finish = lambda signed: sign(signed.type, signed.body + b"\xf8\x07\x01", f.referee)
    return item


def event_with_a_default_spelt_out(f: Forgery) -> Item:
    item = f.find("answered.accept")
    item.finish = lambda signed: sign(
        signed.type, signed.body.replace(b"\x10\x01", b"\x10\x01\x18\x00", 1), f.referee
    )
    return item


def event_of_bytes_that_are_none(f: Forgery) -> Item:
    item = f.find("shown", 2)
    item.finish = lambda signed: sign(signed.type, b"\xff\xff", f.referee)
    return item


def faces_shown_twice(f: Forgery) -> Item:
    item = f.find("shown", 1)
    again = copy(item)
    f.insert_after(item, again)
    return again


def root_given_twice(f: Forgery) -> Item:
    item = f.find("deal_root")
    again = copy(item)
    f.insert_after(item, again)
    return again


def answer_counted_twice(f: Forgery) -> Item:
    item = f.find("answered.move", 0)
    again = copy(item)
    f.insert_after(item, again)
    return again


def root_before_all_entropy(f: Forgery) -> Item:
    root = f.find("deal_root")
    f.swap(f.find("answered.entropy", 1), root)
    return root


def cards_shown_before_the_root(f: Forgery) -> Item:
    shown = f.find("shown")
    f.swap(f.find("deal_root"), shown)
    return shown


def move_before_its_cards_are_shown(f: Forgery) -> Item:
    move = f.find("answered.move")
    f.swap(f.find("shown"), move)
    return move


def move_dropped(f: Forgery) -> int:
    item = f.find("answered.move", 3)
    place = f.at(item)
    f.drop(item)
    return place


def faces_dropped(f: Forgery) -> int:
    item = f.find("shown", 2)
    place = f.at(item)
    f.drop(item)
    return place


def accept_dropped(f: Forgery) -> int:
    f.drop(f.find("answered.accept", 1))
    return 2


ATTACKS: dict[Step, list[Attack]] = {
    Step.CHAIN: [
        number_left_out,
        number_used_twice,
        head_of_another_event,
        head_left_out,
        event_of_another_match,
        time_that_runs_backwards,
        time_before_the_opening,
        another_shuffles_number,
        event_that_says_nothing,
        signature_of_a_stranger,
        signature_of_the_organiser,
        signature_of_a_seat_besides,
        signature_over_another_event,
        event_of_another_type,
        event_with_an_unknown_field,
        event_with_a_default_spelt_out,
        event_of_bytes_that_are_none,
        faces_shown_twice,
        root_given_twice,
        answer_counted_twice,
        root_before_all_entropy,
        cards_shown_before_the_root,
        move_before_its_cards_are_shown,
        move_dropped,
        faces_dropped,
        accept_dropped,
    ],
}


@under_their_names(ATTACKS)
def test_an_event_out_of_line_is_found_where_it_stands(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    convict(short(), CRIBBAGE, forgery, step, attack(forgery))


# --- Laws over all events of a match ---------------------------------------------------------


def no_event_can_be_dropped(archive: Archive, path: str) -> None:
    for i in range(len(Forgery.of(archive, path).items)):
        forgery = Forgery.of(archive, path)
        forgery.drop(forgery.items[i])
        found = deviation(forgery.transcript())
        assert found is not None, f"event {i + 1} can be dropped"
        assert found.sequence >= i


def no_event_can_be_doubled(archive: Archive, path: str) -> None:
    for i in range(len(Forgery.of(archive, path).items)):
        forgery = Forgery.of(archive, path)
        item = forgery.items[i]
        forgery.insert_after(item, copy(item))
        found = deviation(forgery.transcript())
        assert found is not None, f"event {i + 1} can be doubled"
        assert found.sequence == i + 2


def only_answers_to_one_question_can_be_swapped(archive: Archive, path: str) -> None:
    for i in range(len(Forgery.of(archive, path).items) - 1):
        forgery = Forgery.of(archive, path)
        first, second = forgery.items[i : i + 2]
        forgery.swap(first, second)
        first.event.time_us = second.event.time_us = max(first.event.time_us, second.event.time_us)
        kinds = {item.kind.split(".")[0] for item in (first, second)}
        alike = kinds <= {"answered", "seat_out"} and first.asked is second.asked
        found = deviation(forgery.transcript())
        assert (found is None) == alike, (i, found)


LAWS = [
    no_event_can_be_dropped,
    no_event_can_be_doubled,
    only_answers_to_one_question_can_be_swapped,
]
a_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


@a_law
@pytest.mark.parametrize("match", ["r1-b2.1", "r2-b3.1", "r3-b1.2"])
def test_whatever_else_is_made_to_fit(law: Callable[[Archive, str], None], match: str) -> None:
    law(troubled(), f"matches/{match}.records")


@pytest.mark.slow
@a_law
@pytest.mark.parametrize("path", GAMES)
def test_whatever_else_is_made_to_fit_in_longer_matches(
    law: Callable[[Archive, str], None], path: str
) -> None:
    law(short(), path)


@pytest.mark.parametrize("match", ENDS_TRIED)
def test_only_what_came_last_before_the_service_stopped_can_be_withheld(match: str) -> None:
    path = f"matches/{match}.records"
    for i in range(len(Forgery.of(troubled(), path).items)):
        forgery = Forgery.of(troubled(), path)
        item, *later = forgery.items[i:]
        while item.answer and later and later[0].answer and later[0].asked is item.asked:
            later.pop(0)
        last = bool(later and later[0].kind == "stopped")
        forgery.drop(item)
        assert (deviation(forgery.transcript()) is None) == last, i + 1
