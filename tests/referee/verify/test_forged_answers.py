"""Answers that a seat never gave or could not give, accepted by who holds every key."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import Signed, sign, type_of
from aboveboard_referee.match.deviation import Step
from tests.fakes.archive import key_of
from tests.fakes.audit import Attack, convict, under_their_names
from tests.fakes.forgery import ANSWER, Finish, Forgery, Item
from tests.fakes.troubles import short

CRIBBAGE = "matches/r1-b1.1.records"
NEBRASKA = "matches/r2-b1.1.records"


def re_signed(f: Forgery, **changes: object) -> Finish:
    """The answer with other fields, which its seat's own key signs."""

    def finish(signed: Signed) -> Signed:
        answer = decode(pb.Answer, signed.body)
        for name, value in changes.items():
            setattr(answer, name, value)
        key = next(key for key in f.keys if key.public.raw == signed.signatures[0][0])
        return sign(signed.type, encode(answer), key)

    return finish


def said(item: Item) -> pb.Answer:
    assert item.answer is not None
    return item.answer


# --- Entropy ---------------------------------------------------------------------------------


def link_of_zeros(f: Forgery) -> Item:
    item = f.find("answered.entropy", 1)
    said(item).entropy.link = bytes(32)
    return item


def link_of_the_next_shuffle(f: Forgery) -> Item:
    item = f.find("answered.entropy", 2)
    said(item).entropy.link = f.chain(0).link(3)
    return item


def link_given_before(f: Forgery) -> Item:
    item = f.find("answered.entropy", 2)
    said(item).entropy.link = f.chain(0).link(1)
    return item


def link_of_the_other_seat(f: Forgery) -> Item:
    item = f.find("answered.entropy", 1)
    said(item).entropy.link = f.chain(0).link(1)
    return item


def tip_of_another_chain(f: Forgery) -> Item:
    said(f.find("answered.accept")).accept.tip = bytes(31) + b"\x01"
    return f.find("answered.entropy")


# --- Who answers -----------------------------------------------------------------------------


def signed_by_the_other_seat(f: Forgery) -> Item:
    item = f.find("answered.move")
    item.key = f.keys[1 - said(item).seat]
    return item


def signed_by_a_stranger(f: Forgery) -> Item:
    item = f.find("answered.move")
    item.key = key_of("stranger")
    return item


def signed_by_the_entry_key(f: Forgery) -> Item:
    item = f.find("answered.move")
    entrant = f.terms.wire.seats[said(item).seat].entrant
    item.key = f.organiser.entry_key(entrant)
    return item


def signed_by_the_referee(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    item.key = f.referee
    return item


def signature_made_up(f: Forgery) -> Item:
    """What a referee can do who has the seat's public key and nothing else of it."""
    item = f.find("answered.move", 1)
    key = f.keys[said(item).seat].public.raw
    item.finish_answer = lambda signed: Signed(
        signed.type, signed.body, ((key, signed.signatures[0][1][:32] + bytes(32)),)
    )
    return item


def signature_of_an_earlier_answer(f: Forgery) -> Item:
    item = f.find("answered.move", 4)
    earlier = f.find("answered.move", 2)
    old = sign(ANSWER, encode(said(earlier)), f.keys[said(item).seat]).signatures
    item.finish_answer = lambda signed: Signed(signed.type, signed.body, old)
    return item


def without_a_signature(f: Forgery) -> Item:
    item = f.find("answered.move")
    item.finish_answer = lambda signed: Signed(signed.type, signed.body, ())
    return item


def signed_by_the_referee_as_well(f: Forgery) -> Item:
    item = f.find("answered.move")
    key = f.keys[said(item).seat]
    item.finish_answer = lambda signed: sign(signed.type, signed.body, key, f.referee)
    return item


def of_another_type(f: Forgery) -> Item:
    item = f.find("answered.move")
    key = f.keys[said(item).seat]
    item.finish_answer = lambda signed: sign(type_of("login"), signed.body, key)
    return item


# --- What it answers -------------------------------------------------------------------------


def to_another_match(f: Forgery) -> Item:
    item = f.find("answered.move")
    item.finish_answer = re_signed(f, match=Forgery.of(short(), NEBRASKA).terms.head0)
    return item


def to_another_question(f: Forgery) -> Item:
    item = f.find("answered.move", 3)
    item.asked = f.find("shown")
    return item


def to_no_question_yet(f: Forgery) -> Item:
    item = f.find("answered.move", 3)
    item.finish_answer = re_signed(f, asked=f.at(item))
    return item


def under_another_head(f: Forgery) -> Item:
    item = f.find("answered.move", 3)
    item.finish_answer = re_signed(f, head=f.terms.head0)
    return item


def of_an_earlier_phase(f: Forgery) -> Item:
    item = f.find("answered.move")
    said(item).accept.tip = f.chain(said(item).seat).tip
    return item


def of_no_content(f: Forgery) -> Item:
    item = f.find("answered.move")
    said(item).ClearField("move")
    return item


def resignation_as_a_move(f: Forgery) -> Item:
    item = f.find("answered.move")
    said(item).resignation.SetInParent()
    return item


def tip_cut_short(f: Forgery) -> Item:
    item = f.find("answered.accept", 1)
    said(item).accept.tip = bytes(31)
    return item


def checkpoint_too_long(f: Forgery) -> Item:
    item = f.find("answered.accept")
    said(item).accept.checkpoint = bytes(1025)
    return item


def longer_than_answers_are(f: Forgery) -> Item:
    item = f.find("answered.move")
    said(item).move.text = "p" * 4096
    return item


# --- Moves -----------------------------------------------------------------------------------


def no_move_at_all(f: Forgery) -> Item:
    item = f.find("answered.move")
    said(item).move.text = "castle long"
    return item


def written_otherwise(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    said(item).move.text = said(item).move.text.replace(" ", "  ")
    return item


def card_of_the_other_seat(f: Forgery) -> Item:
    item = f.find("answered.move", 2)
    said(item).move.text = said(f.find("answered.move", 3)).move.text
    return item


def go_with_a_card_that_fits(f: Forgery) -> Item:
    item = f.find("answered.move", 4)
    said(item).move.text = "go"
    return item


def card_that_lies_in_the_crib(f: Forgery) -> Item:
    """The other discard was legal. What cannot be mended is what the seat played later."""
    played = {said(i).move.text for i in f.all("answered.move") if said(i).seat == 1}
    discard = f.find("answered.move", 1)
    first = next(i for i in f.all("answered.move")[2:] if said(i).seat == 1)
    slot = int(said(first).move.text.split()[1])
    other = next(
        text for text in f.legal(discard) if str(slot) in text.split() and text not in played
    )
    said(discard).move.text = other
    return first


ATTACKS: dict[Step, list[Attack]] = {
    Step.ENTROPY: [
        link_of_zeros,
        link_of_the_next_shuffle,
        link_given_before,
        link_of_the_other_seat,
        tip_of_another_chain,
    ],
    Step.ANSWER: [
        signed_by_the_other_seat,
        signed_by_a_stranger,
        signed_by_the_entry_key,
        signed_by_the_referee,
        signature_made_up,
        signature_of_an_earlier_answer,
        without_a_signature,
        signed_by_the_referee_as_well,
        of_another_type,
        to_another_match,
        to_another_question,
        to_no_question_yet,
        under_another_head,
        of_an_earlier_phase,
        of_no_content,
        resignation_as_a_move,
        tip_cut_short,
        checkpoint_too_long,
        longer_than_answers_are,
    ],
    Step.MOVE: [
        no_move_at_all,
        written_otherwise,
        card_of_the_other_seat,
        go_with_a_card_that_fits,
        card_that_lies_in_the_crib,
    ],
}


@under_their_names(ATTACKS)
def test_an_answer_that_could_not_count_is_found(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    convict(short(), CRIBBAGE, forgery, step, attack(forgery))
