"""A referee that deals other decks than it committed to, or shows other faces."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.games.contract import Card, Slot
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.false_deals import deal_from
from tests.fakes.forging import (
    TwoFacedDecks,
    dealing,
    edited,
    next_event,
    tampering,
)
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, Watcher, owes

REFEREE = key("a referee")
EVERYBODY: set[Watcher] = {None, 0, 1}
BOTS: set[Watcher] = {0, 1}


def check(script: Script, who: set[Watcher], step: Step, place: int) -> None:
    assert set(script.refusals) == who
    for refusal in script.refusals.values():
        assert (refusal.step, refusal.sequence, refusal.blame) == (step, place, "referee")


# --- Roots ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda e: setattr(e.deal_root, "cards", 51),
        lambda e: setattr(e.deal_root, "cards", 53),
        lambda e: setattr(e.deal_root, "root", bytes(31)),
        lambda e: setattr(e.deal_root, "root", bytes(33)),
        lambda e: e.deal_root.ClearField("root"),
    ],
)
def test_a_root_is_32_bytes_over_the_cards_that_are_owed(
    change: Callable[[pb.Event], object],
) -> None:
    script = STANDS["entropy"]()
    script.step()
    place = tampering(script, lambda e: e.HasField("deal_root"), change, REFEREE)
    check(script, EVERYBODY, Step.DECK, place)


def test_a_root_before_all_entropy_is_refused() -> None:
    script = STANDS["entropy"]()
    script.step()
    root = pb.DealRoot(cards=52, root=secret("root"))
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, deal_root=root),)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


def test_a_root_that_nobody_asked_for_is_refused() -> None:
    script = STANDS["move"]()
    root = pb.DealRoot(cards=52, root=secret("root"))
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, deal_root=root),)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


# --- A deck that is not the one of all links --------------------------------------------------


def swapped_stock(deck: Deck) -> tuple[Card, ...]:
    """The last two cards, which nobody sees, exchanged."""
    return (*deck.order[:-2], deck.order[-1], deck.order[-2])


def reversed_deck(deck: Deck) -> tuple[Card, ...]:
    return deck.order[::-1]


@pytest.mark.parametrize("order", [swapped_stock, reversed_deck])
@pytest.mark.parametrize("game", ["cribbage", "nebraska:poker", "allegra", "cribbage:source"])
def test_a_deck_in_another_order_is_found_when_it_is_opened(
    game: str, order: Callable[[Deck], tuple[Card, ...]]
) -> None:
    script = Script(Setup(game), dealing(order))
    while not script.refusals:
        script.step()
    assert set(script.refusals) == EVERYBODY
    (opened,) = (e for e in script.events() if e.HasField("deck_opened"))
    check(script, EVERYBODY, Step.DECK, opened.sequence)


def test_a_deck_of_an_aborted_match_is_checked_too() -> None:
    for end in ("stop", "lose"):
        script = Script(Setup(), dealing(reversed_deck)).until(owes(pb.PHASE_MOVE))
        if end == "stop":
            script.stop()
        else:
            script.lost(0)
            script.step()
        check(script, EVERYBODY, Step.DECK, script.referee.fold.sequence)


# --- Openings of decks ------------------------------------------------------------------------


def at_the_first_opening(game: str = "cribbage") -> Script:
    """Before the answer after which deck 1 is opened and deck 2 asked for."""
    ahead = Script(Setup(game)).until(lambda s: s.referee.fold.shuffle == 2)
    script = Script(Setup(game))
    return script.until(lambda s: len(s.inputs) == len(ahead.inputs) - 1)


def opened(event: pb.Event) -> bool:
    return event.HasField("deck_opened")


@pytest.mark.parametrize(
    "link",
    [
        lambda s: secret("link"),
        lambda s: s.referee._chain.link(2),
        lambda s: s.referee._chain.link(0),
        lambda s: s.players[0]._chain.link(1),
        lambda s: s.referee._chain.link(1)[:31],
        lambda s: b"",
    ],
    ids=["invented", "the next", "the tip", "a seat's", "31 bytes", "none"],
)
def test_a_deck_is_opened_with_the_link_of_its_number(link: Callable[[Script], bytes]) -> None:
    script = at_the_first_opening()
    place = tampering(
        script, opened, lambda e: setattr(e.deck_opened, "link", link(script)), REFEREE
    )
    check(script, EVERYBODY, Step.ENTROPY, place)


@pytest.mark.parametrize("shuffle", [0, 2])
def test_an_opening_names_its_own_shuffle(shuffle: int) -> None:
    script = at_the_first_opening()
    place = tampering(script, opened, lambda e: setattr(e, "shuffle", shuffle), REFEREE)
    check(script, EVERYBODY, Step.CHAIN, place)


def test_no_link_is_given_for_a_new_deck_while_an_old_one_is_closed() -> None:
    script = at_the_first_opening()
    script.tamper = lambda _, outbox: Outbox(
        (*outbox.records[:-2], edited(outbox.records[-2], lambda _: None, REFEREE))
    )
    script.step()
    assert not script.refusals
    assert all(player.protocol_answer() is None for player in script.players.values())
    assert all(player.owed is None for player in script.players.values())


def test_a_new_deck_before_the_old_one_is_opened_is_refused() -> None:
    script = at_the_first_opening()

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        *kept, opening = outbox.records

        def into_root(event: pb.Event) -> None:
            event.shuffle = 2
            event.deal_root.CopyFrom(pb.DealRoot(cards=52, root=secret("root")))

        return Outbox((*kept, edited(opening, into_root, REFEREE)))

    script.tamper = tamper
    script.step()
    assert set(script.refusals) == EVERYBODY
    assert {refusal.step for refusal in script.refusals.values()} == {Step.CHAIN}


def test_a_deck_opened_in_mid_deal_is_refused() -> None:
    script = STANDS["move"]()
    link = script.referee._chain.link(1)
    record = next_event(script.referee.fold, REFEREE, deck_opened=pb.DeckOpened(link=link))
    script.hand_over(Outbox((record,)))
    check(script, EVERYBODY, Step.CHAIN, script.referee.fold.sequence + 1)


def test_a_close_before_the_last_deck_is_opened_is_not_signed() -> None:
    ahead = Script().play()
    close = ahead.referee.close(ahead.now)
    script = Script().until(lambda s: len(s.inputs) == len(ahead.inputs) - 1)
    script.tamper = lambda _, outbox: Outbox(
        (*outbox.records[:-2], edited(outbox.records[-2], lambda _: None, REFEREE))
    )
    script.step()
    assert not script.refusals
    for player in script.players.values():
        with pytest.raises(Deviation) as refused:
            player.sign_close(close)
        assert (refused.value.step, refused.value.blame) == (Step.CLOSE, "referee")


# --- Faces for all ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Faces:
    """A place where a face is shown to everybody: cribbage's starter."""

    script: Script

    @classmethod
    def reach(cls) -> "Faces":
        script = STANDS["move"]()
        script.step()
        return cls(script)

    def face(self, pos: int) -> pb.Face:
        return self.script.referee.fold.decks.wire_face(Slot(1, pos))


STARTER = 12


def _grant(change: Callable[[pb.Grant, Faces], object]) -> Callable[[pb.Event, Faces], object]:
    return lambda event, faces: change(event.shown.grants[0], faces)


@pytest.mark.parametrize(
    "change",
    [
        _grant(lambda g, f: setattr(g.face, "card", (g.face.card + 1) % 52)),
        _grant(lambda g, f: setattr(g.face, "card", 52)),
        _grant(lambda g, f: setattr(g.face, "card", 2**32 - 1)),
        _grant(lambda g, f: setattr(g.face, "salt", secret("salt"))),
        _grant(lambda g, f: setattr(g.face, "salt", g.face.salt[:31])),
        _grant(lambda g, f: g.face.path.pop()),
        _grant(lambda g, f: g.face.path.append(secret("node"))),
        _grant(lambda g, f: g.face.path.insert(0, g.face.path.pop())),
        _grant(lambda g, f: g.face.CopyFrom(f.face(STARTER + 1))),
        _grant(lambda g, f: setattr(g.face, "position", STARTER + 1)),
        _grant(lambda g, f: setattr(g.face, "deck", 2)),
        _grant(lambda g, f: g.ClearField("face")),
        _grant(lambda g, f: setattr(g, "position", STARTER + 1)),
        _grant(lambda g, f: g.CopyFrom(pb.Grant(deck=1, position=13, face=f.face(13)))),
        _grant(lambda g, f: setattr(g, "audience", 1)),
        _grant(lambda g, f: setattr(g, "audience", 3)),
        _grant(lambda g, f: setattr(g, "deck", 7)),
        lambda e, f: e.shown.grants.append(e.shown.grants[0]),
        lambda e, f: e.shown.grants.pop(),
        lambda e, f: e.shown.grants.add(deck=1, position=13, face=f.face(13)),
    ],
    ids=[
        "another card",
        "no such card",
        "far from any card",
        "another salt",
        "a short salt",
        "a short path",
        "a long path",
        "a turned path",
        "the card of another slot",
        "another slot's number in the face",
        "another deck's number in the face",
        "no face",
        "another slot's number",
        "another slot altogether",
        "to one seat alone",
        "to a seat that is not there",
        "a deck that is not there",
        "twice",
        "nothing",
        "one more",
    ],
)
def test_a_face_for_all_is_the_card_of_its_slot_for_everybody(
    change: Callable[[pb.Event, Faces], object],
) -> None:
    faces = Faces.reach()
    script = faces.script
    place = tampering(
        script, lambda e: e.HasField("shown"), lambda event: change(event, faces), REFEREE
    )
    check(script, EVERYBODY, Step.FACE, place)


def test_a_face_that_is_one_seats_is_not_shown_to_all() -> None:
    for audience in (0, None):
        script = STANDS["entropy"]()
        script.step()

        def reveal(event: pb.Event, to: int | None = audience, script: Script = script) -> None:
            for grant in event.shown.grants:
                slot = Slot(grant.deck, grant.position)
                grant.face.CopyFrom(script.referee.fold.decks.wire_face(slot))
                grant.audience = grant.audience if to is None else to

        place = tampering(script, lambda e: e.HasField("shown"), reveal, REFEREE)
        check(script, EVERYBODY, Step.FACE, place)


# --- A fake deck at the table ---------------------------------------------------------------------


def test_a_fake_deck_that_holds_every_card_once_goes_unseen_until_it_is_opened() -> None:
    assert not deal_from(lambda deck: deck.order[::-1]).refusals


def test_two_slots_with_one_card_are_seen_by_the_seat_that_holds_both() -> None:
    # Seat 1 is dealt the slots 0 to 5, seat 0 the slots 6 to 11.
    for holder, (a, b) in ((1, (0, 5)), (0, (6, 7))):

        def order(deck: Deck, a: int = a, b: int = b) -> tuple[Card, ...]:
            cards = list(deck.order)
            cards[b] = cards[a]
            return tuple(cards)

        script = deal_from(order)
        check(script, {holder}, Step.FACE, script.referee.fold.sequence)


class Gullible(Decks):
    """Decks that take every face for proved."""

    def check_face(self, slot: Slot, wire: pb.Face, sequence: int) -> Card:
        return wire.card


@pytest.mark.parametrize(
    ("order", "holder"),
    [
        (lambda deck: (*deck.order[:5], deck.order[0], *deck.order[6:]), 1),
        (lambda deck: (*deck.order[:6], 52, *deck.order[7:]), 0),
    ],
)
def test_a_game_refuses_faces_that_no_deck_has_whatever_was_proved(
    order: Callable[[Deck], tuple[Card, ...]], holder: int
) -> None:
    script = Script(Setup(), dealing(order, TwoFacedDecks))
    fold = script.players[holder].fold
    fold.decks = Gullible(fold.terms, lambda k: None)
    while not script.refusals:
        script.step()
    (refusal,) = script.refusals.values()
    assert set(script.refusals) == {holder}
    assert (refusal.step, refusal.blame) == (Step.MOVE, "referee")


def test_a_card_that_is_not_in_the_deck_is_seen_by_the_seat_that_gets_it() -> None:
    script = deal_from(lambda deck: (*deck.order[:3], 52, *deck.order[4:]))
    check(script, {1}, Step.FACE, script.referee.fold.sequence)


def test_a_card_turned_up_twice_is_seen_by_everybody() -> None:
    # Nebraska turns the slots 20, 21, … as long as the turned card is kept.
    def order(deck: Deck) -> tuple[Card, ...]:
        return (*deck.order[:21], deck.order[20], *deck.order[22:])

    script = Script(Setup("nebraska:family"), dealing(order, TwoFacedDecks))
    script.choose = lambda turn: turn.legal[-1]  # keep rather than discard
    script.until(owes(pb.PHASE_COMMITMENT))
    while not script.refusals:
        script.step()
    shown = script.events()[-1]
    assert [grant.position for grant in shown.shown.grants] == [21]
    check(script, EVERYBODY, Step.FACE, shown.sequence)
