"""Sealed moves that were not what was committed to, by who holds every key."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.match.deviation import Step
from tests.fakes.audit import Attack, convict, deviation, under_their_names
from tests.fakes.forgery import Forgery, Item
from tests.fakes.troubles import short

NEBRASKA = "matches/r2-b1.1.records"


def answer(item: Item) -> pb.Answer:
    assert item.answer is not None
    return item.answer


def pair(f: Forgery, number: int = 0) -> tuple[Item, Item]:
    """A commitment and its opening."""
    committed = f.find("answered.commitment", number)
    assert committed.opened_by is not None
    return committed, committed.opened_by


def another_bet(f: Forgery, committed: Item, opened: Item) -> str:
    """Another bet that the seat could have made."""
    return next(text for text in f.legal(committed) if text != answer(opened).opening.text)


def another_bet_is_opened(f: Forgery) -> Item:
    committed, opened = pair(f, 1)
    bet = another_bet(f, committed, opened)
    committed.fits = False
    answer(opened).opening.text = bet
    return opened


def another_nonce_is_opened(f: Forgery) -> Item:
    committed, opened = pair(f)
    committed.fits = False
    answer(opened).opening.nonce = bytes(32)
    return opened


def nonce_cut_short(f: Forgery) -> Item:
    committed, opened = pair(f)
    committed.fits = False
    answer(opened).opening.nonce = answer(opened).opening.nonce[:31]
    return opened


def another_commitment_was_made(f: Forgery) -> Item:
    committed, opened = pair(f, 2)
    committed.fits = False
    answer(committed).commitment.hash = bytes(32)
    return opened


def commitment_copied_from_the_other_seat(f: Forgery) -> Item:
    """Together with its opening: the copier would have bet what the other bet."""
    committed, opened = pair(f, 1)
    original, original_opened = pair(f, 0)
    committed.fits = False
    answer(committed).commitment.hash = answer(original).commitment.hash
    answer(opened).opening.CopyFrom(answer(original_opened).opening)
    return opened


def commitment_to_another_question(f: Forgery) -> Item:
    committed, opened = pair(f, 2)
    committed.fits = False
    seat = answer(opened).seat
    opening = answer(opened).opening
    answer(committed).commitment.hash = commitment(
        f.terms.head0, seat, f.keys[seat].public.raw, opening.nonce, opening.text
    )
    return opened


def bet_of_a_card_that_is_not_held(f: Forgery) -> Item:
    committed, opened = pair(f)
    legal = f.legal(committed)
    answer(opened).opening.text = next(
        f"bet {pos}" for pos in range(104) if f"bet {pos}" not in legal
    )
    return opened


def bet_of_no_card(f: Forgery) -> Item:
    _, opened = pair(f, 1)
    answer(opened).opening.text = "bet the farm"
    return opened


def bet_that_is_not_ascii(f: Forgery) -> Item:
    committed, opened = pair(f)
    committed.fits = False
    answer(opened).opening.text = "bet é"
    return opened


def commitment_cut_short(f: Forgery) -> Item:
    committed, _ = pair(f)
    committed.fits = False
    answer(committed).commitment.hash = bytes(31)
    return committed


def bet_in_clear(f: Forgery) -> Item:
    committed, opened = pair(f)
    answer(committed).move.text = answer(opened).opening.text
    return committed


def opened_before_all_had_committed(f: Forgery) -> Item:
    _, opened = pair(f)
    f.swap(f.find("answered.commitment", 1), opened)
    return opened


def shown_before_all_had_opened(f: Forgery) -> Item:
    shown = f.find("shown", 2)
    f.swap(f.find("answered.opening", 1), shown)
    return shown


def other_slots_than_were_bet_are_shown(f: Forgery) -> Item:
    """The bet was changed afterwards, with a commitment made to fit it; its card was not."""
    committed, opened = pair(f)
    answer(opened).opening.text = another_bet(f, committed, opened)
    return f.find("shown", 2)


ATTACKS: dict[Step, list[Attack]] = {
    Step.MOVE: [
        another_bet_is_opened,
        another_nonce_is_opened,
        nonce_cut_short,
        another_commitment_was_made,
        commitment_copied_from_the_other_seat,
        commitment_to_another_question,
        bet_of_a_card_that_is_not_held,
        bet_of_no_card,
        bet_that_is_not_ascii,
    ],
    Step.ANSWER: [commitment_cut_short, bet_in_clear],
    Step.CHAIN: [opened_before_all_had_committed, shown_before_all_had_opened],
    Step.FACE: [other_slots_than_were_bet_are_shown],
}


@under_their_names(ATTACKS)
def test_a_bet_that_is_not_as_it_was_sealed_is_found(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), NEBRASKA)
    convict(short(), NEBRASKA, forgery, step, attack(forgery))


def test_a_bet_with_another_nonce_verifies_if_it_was_committed_to() -> None:
    forgery = Forgery.of(short(), NEBRASKA)
    _, opened = pair(forgery)
    answer(opened).opening.nonce = bytes(32)
    assert deviation(forgery.transcript()) is None
