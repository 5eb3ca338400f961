"""Evidence of faces, decks and hands: what a seat can prove by what it was shown."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.evidence import (
    REFEREE,
    all_shows,
    another_card,
    bare,
    convicted,
    false_go,
    held_by,
    mail,
    weighed,
)
from tests.fakes.false_deals import deal_from
from tests.fakes.forging import (
    dealing,
    edited,
    tampering,
)
from tests.fakes.keys import secret
from tests.fakes.scripted import Script, Setup

# --- Faces and decks ---------------------------------------------------------------------------


def shown_falsely(change: Callable[[pb.PrivateShow], object]) -> Script:
    """The first deal of cribbage, with what seat 0 is shown privately changed."""
    script = STANDS["entropy"]()
    script.step()
    script.tamper = lambda _, outbox: Outbox(
        outbox.records,
        {**outbox.shows, 0: tuple(edited(s, change, REFEREE) for s in outbox.shows[0])},
    )
    script.step()
    return script


SHOWS: dict[str, Callable[[pb.PrivateShow], object]] = {
    "another card": lambda s: another_card(s.faces[0]),
    "another salt": lambda s: setattr(s.faces[0], "salt", secret("salt")),
    "a short path": lambda s: s.faces[0].path.pop(),
    "another slot": lambda s: setattr(s.faces[0], "position", 51),
    "another deck": lambda s: setattr(s.faces[0], "deck", 2),
    "a face too few": lambda s: s.faces.pop(),
    "no face": lambda s: s.ClearField("faces"),
    "one face twice": lambda s: s.faces.append(s.faces[0]),
    "at an event that shows nothing": lambda s: setattr(s, "sequence", 4),
    "nothing at such an event": lambda s: (setattr(s, "sequence", 4), s.ClearField("faces")),
}


@pytest.mark.parametrize("change", SHOWS.values(), ids=SHOWS)
def test_a_private_show_that_does_not_fit_convicts_the_referee(
    change: Callable[[pb.PrivateShow], object],
) -> None:
    script = shown_falsely(change)
    proof = held_by(script, 0)
    assert proof is not None
    assert (proof.party, proof.step) == ("referee", Step.FACE)
    assert held_by(script, 1) is None
    records, shows = mail(script, 0)
    assert weighed(records, [bare(show) for show in shows], holder=0) is None


def one_card_twice(deck: Deck) -> tuple[Card, ...]:
    """Seat 1 is dealt the slots 0 to 5."""
    return (*deck.order[:5], deck.order[0], *deck.order[6:])


def test_two_slots_with_one_card_convict_the_referee_by_the_view_of_who_holds_them() -> None:
    script = deal_from(one_card_twice)
    assert set(script.refusals) == {1}
    convicted(held_by(script, 1), Step.FACE, script.referee.fold.sequence)
    assert held_by(script, 0) is None
    assert held_by(script, None) is None


def test_a_deck_in_another_order_convicts_the_referee_when_it_is_opened() -> None:
    script = Script(Setup(), dealing(lambda deck: deck.order[::-1]))
    script.until(lambda s: bool(s.refusals))
    opened = next(e for e in script.events() if e.HasField("deck_opened"))
    root = next(e for e in script.events() if e.HasField("deal_root"))
    for watcher in script.sent:
        proof = held_by(script, watcher)
        convicted(proof, Step.DECK, root.sequence)
        records, shows = mail(script, watcher)
        assert weighed(records[: opened.sequence], shows, holder=watcher) is None


def test_a_card_shown_to_the_wrong_seat_convicts_the_referee_by_the_show_itself() -> None:
    script = STANDS["move"]()
    stranger = edited(all_shows(script)[0], lambda s: setattr(s, "seat", 1 - s.seat), REFEREE)
    place = script.referee.fold.sequence
    # It is a second show for that seat; and alone, one of cards that are not that seat's.
    convicted(weighed(script.records, [*all_shows(script), stranger]), Step.FACE, place)
    convicted(weighed(script.records, [stranger]), Step.FACE, place)


# --- Legality, where it hangs on a hand --------------------------------------------------------


def test_an_illegal_move_let_pass_convicts_the_referee_by_the_cards_of_that_seat_alone() -> None:
    script, seat, lie = false_go()

    def accept(event: pb.Event) -> None:
        event.answered.answer = lie

    script.tamper = lambda _, outbox: Outbox((edited(outbox.records[0], accept, REFEREE),))
    script.step()
    records, shows = mail(script, seat)
    assert set(script.refusals) == {seat}
    convicted(weighed(records, shows, holder=seat), Step.MOVE, script.refusals[seat].sequence)
    assert weighed(records, shows[:-1], holder=seat) is None
    assert held_by(script, 1 - seat) is None
    assert held_by(script, None) is None


def test_a_legal_move_refused_as_illegal_convicts_the_referee_by_that_seats_cards() -> None:
    script = STANDS["move"]()
    data = script.honest(0)

    def refuse(event: pb.Event) -> None:
        timing = event.answered.timing
        out = pb.SeatOut(
            seat=0, reason=pb.END_REASON_ILLEGAL_MOVE, phase=pb.PHASE_MOVE, evidence=data
        )
        out.timing.CopyFrom(timing)
        out.asked = script.players[0].owed.asked if script.players[0].owed else 0
        event.seat_out.CopyFrom(out)

    place = tampering(script, lambda e: e.HasField("answered"), refuse, REFEREE)
    convicted(held_by(script, 0), Step.CLOCK, place)
    assert held_by(script, 1) is None
