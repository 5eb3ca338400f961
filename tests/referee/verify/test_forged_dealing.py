"""Decks and faces that are not those of the joint entropy, by who holds every key."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.deck import Deck, leaf_hash
from aboveboard_referee.fairplay.merkle import Tree
from aboveboard_referee.match.deviation import Step
from tests.fakes.archive import secret
from tests.fakes.audit import Attack, convict, deviation, under_their_names
from tests.fakes.forgery import Forgery, Item
from tests.fakes.troubles import short

CRIBBAGE = "matches/r1-b1.1.records"


def ended_after_the_starter(f: Forgery) -> pb.Grant:
    """Cut to a match whose only face so far is the one turned up in the second Shown.

    Until then no move hangs on a face, so that any deck could have been dealt.
    """
    first_play = f.find("answered.move", 2)
    gone = pb.SeatOut(
        seat=1,
        reason=pb.END_REASON_DISCONNECTED,
        phase=pb.PHASE_MOVE,
        asked=1,
        timing=first_play.event.answered.timing,
    )
    f.end_instead_of(first_play, seat_out=gone)
    return f.find("shown", 1).event.shown.grants[0]


def deal(f: Forgery, grant: pb.Grant, deck: Deck) -> Item:
    """Put ``deck`` in the place of deck 1: its root, and the face that was turned up."""
    root = f.find("deal_root")
    root.event.deal_root.root = deck.root
    grant.face.card = deck.order[grant.position]
    grant.face.salt = deck.salts[grant.position]
    del grant.face.path[:]
    grant.face.path.extend(deck.path(grant.position))
    return root


def other_chain(f: Forgery) -> Chain:
    public = f.referee.public.raw
    return Chain(secret("another chain"), f.terms.context, public, f.terms.wire.chain_length)


def stacked(f: Forgery, cards: list[int]) -> Deck:
    """A deck in an order of the referee's choice, under salts that are the right ones."""
    salts = f.deck(1).salts
    head0 = f.terms.head0
    leaves = tuple(
        leaf_hash(head0, 1, pos, card, salt)
        for pos, (card, salt) in enumerate(zip(cards, salts, strict=True))
    )
    tree = Tree(leaves)
    return Deck(1, tuple(cards), salts, leaves, tree.root, tree)


def test_a_match_cut_after_its_first_face_verifies() -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    ended_after_the_starter(forgery)
    assert deviation(forgery.transcript()) is None


# --- Decks -----------------------------------------------------------------------------------


def deck_of_another_link(f: Forgery) -> Item:
    grant = ended_after_the_starter(f)
    return deal(f, grant, f.deck(1, other_chain(f).link(1)))


def deck_of_the_next_link(f: Forgery) -> Item:
    grant = ended_after_the_starter(f)
    return deal(f, grant, f.deck(1, f.chain().link(2)))


def deck_of_another_link_which_is_opened(f: Forgery) -> Item:
    grant = ended_after_the_starter(f)
    link = other_chain(f).link(1)
    deal(f, grant, f.deck(1, link))
    opened = f.find("deck_opened")
    opened.event.deck_opened.link = link
    return opened


def deck_that_was_stacked(f: Forgery) -> Item:
    grant = ended_after_the_starter(f)
    order = list(f.deck(1).order)
    at = order.index(10)  # a jack, which scores when it is turned up
    order[at], order[grant.position] = order[grant.position], order[at]
    return deal(f, grant, stacked(f, order))


def deck_without_a_seats_entropy(f: Forgery) -> Item:
    grant = ended_after_the_starter(f)
    links = [f.chain(0).link(1), None]
    alone = Deck.deal(f.terms.head0, 1, range(52), f.chain().link(1), links)
    return deal(f, grant, alone)


def deck_of_another_match(f: Forgery) -> Item:
    root = f.find("deal_root")
    other = Forgery.of(short(), "matches/r1-b2.1.records")
    root.event.deal_root.root = other.find("deal_root").event.deal_root.root
    return root


def second_deck_as_the_first(f: Forgery) -> Item:
    root = f.find("deal_root", 1)
    root.event.deal_root.root = f.find("deal_root").event.deal_root.root
    return root


def root_of_fewer_cards(f: Forgery) -> Item:
    root = f.find("deal_root")
    root.event.deal_root.cards = 51
    return root


def root_cut_short(f: Forgery) -> Item:
    root = f.find("deal_root", 2)
    root.event.deal_root.root = root.event.deal_root.root[:31]
    return root


# --- Faces -----------------------------------------------------------------------------------


def turned_up(f: Forgery, number: int = 1) -> tuple[Item, pb.Grant]:
    item = f.find("shown", number)
    return item, item.event.shown.grants[0]


def another_card(f: Forgery) -> Item:
    item, grant = turned_up(f)
    grant.face.card = (grant.face.card + 1) % 52
    return item


def another_salt(f: Forgery) -> Item:
    item, grant = turned_up(f)
    grant.face.salt = bytes(32)
    return item


def path_cut_short(f: Forgery) -> Item:
    item, grant = turned_up(f)
    del grant.face.path[-1]
    return item


def opening_of_another_slot(f: Forgery) -> Item:
    item, grant = turned_up(f, 2)
    deck = f.deck(1)
    grant.face.position = pos = (grant.position + 1) % 52
    grant.face.card, grant.face.salt = deck.order[pos], deck.salts[pos]
    del grant.face.path[:]
    grant.face.path.extend(deck.path(pos))
    return item


def face_of_another_slot_under_its_name(f: Forgery) -> Item:
    item = opening_of_another_slot(f)
    grant = item.event.shown.grants[0]
    grant.face.position = grant.position
    return item


def another_slot_turned_up(f: Forgery) -> Item:
    item = opening_of_another_slot(f)
    item.event.shown.grants[0].position = item.event.shown.grants[0].face.position
    return item


def face_withheld_from_all(f: Forgery) -> Item:
    item, grant = turned_up(f)
    grant.ClearField("face")
    return item


def face_for_all_kept_for_one(f: Forgery) -> Item:
    item, grant = turned_up(f)
    grant.ClearField("face")
    grant.audience = 1
    return item


def hidden_face_shown_to_all(f: Forgery) -> Item:
    item, grant = turned_up(f, 0)
    deck = f.deck(1)
    pos = grant.position
    face = pb.Face(deck=1, position=pos, card=deck.order[pos], salt=deck.salts[pos])
    face.path.extend(deck.path(pos))
    grant.face.CopyFrom(face)
    return item


def hidden_face_shown_to_the_other_seat(f: Forgery) -> Item:
    item, grant = turned_up(f, 0)
    grant.audience = 3 - grant.audience
    return item


def card_left_out(f: Forgery) -> Item:
    item = f.find("shown")
    del item.event.shown.grants[-1]
    return item


def card_too_many(f: Forgery) -> Item:
    item = f.find("shown")
    item.event.shown.grants.add(deck=1, position=40, audience=1)
    return item


def one_card_twice(f: Forgery) -> Item:
    """Under a root of no deck, which is never opened to be seen for what it is."""
    grant = ended_after_the_starter(f)
    f.find("deck_opened").event.deck_opened.link = bytes(32)
    order = list(f.deck(1).order)
    order[grant.position] = 52  # what no deck of 52 cards has
    deal(f, grant, stacked(f, order))
    return f.find("shown", 1)


# --- Openings of decks -------------------------------------------------------------------------


def link_of_zeros(f: Forgery) -> Item:
    item = f.find("deck_opened")
    item.event.deck_opened.link = bytes(32)
    return item


def link_of_the_deck_after(f: Forgery) -> Item:
    item = f.find("deck_opened", 1)
    item.event.deck_opened.link = f.chain().link(3)
    return item


def link_cut_short(f: Forgery) -> Item:
    item = f.find("deck_opened", 2)
    item.event.deck_opened.link = item.event.deck_opened.link[:-1]
    return item


def deck_left_unopened_in_the_middle(f: Forgery) -> int:
    item = f.find("deck_opened", 1)
    place = f.at(item)
    f.drop(item)
    return place


def last_deck_left_unopened(f: Forgery) -> int:
    f.drop(f.find("deck_opened", -1))
    return len(f.items)


def deck_opened_while_it_holds_secrets(f: Forgery) -> Item:
    item = f.find("deck_opened")
    f.swap(f.items[f.at(item) - 2], item)
    return item


def deck_opened_under_anothers_number(f: Forgery) -> Item:
    item = f.find("deck_opened", 1)
    item.event.shuffle = 1
    return item


ATTACKS: dict[Step, list[Attack]] = {
    Step.DECK: [
        deck_of_another_link,
        deck_of_the_next_link,
        deck_that_was_stacked,
        deck_without_a_seats_entropy,
        deck_of_another_match,
        second_deck_as_the_first,
        root_of_fewer_cards,
        root_cut_short,
    ],
    Step.FACE: [
        another_card,
        another_salt,
        path_cut_short,
        opening_of_another_slot,
        face_of_another_slot_under_its_name,
        another_slot_turned_up,
        face_withheld_from_all,
        face_for_all_kept_for_one,
        hidden_face_shown_to_all,
        hidden_face_shown_to_the_other_seat,
        card_left_out,
        card_too_many,
        one_card_twice,
    ],
    Step.ENTROPY: [
        deck_of_another_link_which_is_opened,
        link_of_zeros,
        link_of_the_deck_after,
        link_cut_short,
    ],
    Step.CHAIN: [
        deck_left_unopened_in_the_middle,
        deck_opened_while_it_holds_secrets,
        deck_opened_under_anothers_number,
    ],
    Step.CLOSE: [last_deck_left_unopened],
}


@under_their_names(ATTACKS)
def test_a_deck_or_face_that_entropy_did_not_make_is_found(step: Step, attack: Attack) -> None:
    forgery = Forgery.of(short(), CRIBBAGE)
    convict(short(), CRIBBAGE, forgery, step, attack(forgery))
