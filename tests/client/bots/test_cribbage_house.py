"""What the cribbage house bot does with cards in hand. Two seats; seat 0 deals."""

from random import Random

import pytest

from aboveboard_client.bots.cribbage_house import CribbageHouse
from aboveboard_referee.games import registry
from aboveboard_referee.games.cribbage import (
    CribbageState,
    Discard,
    Phase,
    Play,
    card_text,
    parse_card,
    parse_cards,
)
from aboveboard_referee.games.cribbage.state import Claim
from aboveboard_referee.match.player import Turn

ELDEST, DEALER = 1, 0
UNKNOWN = (None,) * 6


def choose(state: CribbageState, seat: int, name: str = "cribbage") -> object:
    game = registry.game(name)
    legal = game.need(state).of(seat)
    return CribbageHouse(Random(1)).choose(Turn(game, state, seat, legal, 1_000_000, 1))


def laid_away(hand: str, seat: int) -> str:
    """The two of six cards that it lays away, which it sees and no others."""
    own = parse_cards(hand)
    hands = ((6, 7, 8, 9, 10, 11), (0, 1, 2, 3, 4, 5))
    state = CribbageState(
        side_of=(0, 1),
        scores=(0, 0),
        phase=Phase.DISCARD,
        deal=1,
        faces=(*own, *UNKNOWN, None) if seat == ELDEST else (*UNKNOWN, *own, None),
        hands=hands,
        held=hands,
    )
    move = choose(state, seat)
    assert isinstance(move, Discard)
    return " ".join(sorted(hand.split()[pos % 6] for pos in move.positions))


def played(hand: str, pile: str = "", *, other: int = 4, claims: tuple[Claim, ...] = ()) -> str:
    """What seat 1 plays of this hand on the pile, seat 0 holding ``other`` unknown cards."""
    cards = parse_cards(hand)
    gone = parse_cards(pile)
    own = tuple(range(2, 2 + len(cards)))
    faces = [None, None, *cards, *[None] * (4 - len(cards)), *UNKNOWN, parse_card("9S")]
    for pos, card in zip(range(8, 8 + len(gone)), gone):
        faces[pos] = card
    theirs = tuple(range(12 - other, 12))
    state = CribbageState(
        side_of=(0, 1),
        scores=(0, 0),
        phase=Phase.PLAY,
        deal=1,
        faces=tuple(faces),
        hands=((8, 9, 10, 11), (2, 3, 4, 5)),
        held=(theirs, own),
        crib=(0, 1, 6, 7),
        turn=1,
        last=0,
        pile=gone,
        claims=claims,
    )
    move = choose(state, 1)
    assert isinstance(move, Play)
    card = faces[move.position]
    assert card is not None
    return card_text(card)


# --- Laying away ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "away"),
    [
        ("5H 5C 5S JD 2H 9C", "2H 9C"),
        ("6H 7C 8S 9D KH 2C", "2C KH"),
        ("2H 4H 8H TH KC 6D", "6D KC"),
    ],
)
def test_it_keeps_a_hand_that_counts_far_more_than_any_other(hand: str, away: str) -> None:
    assert laid_away(hand, ELDEST) == away
    assert laid_away(hand, DEALER) == away


def test_it_lays_good_pairs_into_its_own_crib_alone() -> None:
    assert laid_away("7H 8C AD 2S 3H KC", DEALER) == "7H 8C"
    assert laid_away("7H 8C AD 2S 3H KC", ELDEST) == "7H KC"
    assert laid_away("5H 5C 6D 7S 8H 9C", DEALER) == "5C 5H"
    assert laid_away("5H 5C 6D 7S 8H 9C", ELDEST) == "8H 9C"


def test_it_lays_away_any_card_where_it_may_not_look_first() -> None:
    hands = ((5, 6, 7, 8, 9), (0, 1, 2, 3, 4))
    state = CribbageState(
        side_of=(0, 1),
        scores=(0, 0),
        phase=Phase.DISCARD,
        deal=1,
        faces=(None,) * 11,
        hands=hands,
        held=hands,
    )
    bot = CribbageHouse(Random(1))
    game = registry.game("cribbage:source")
    turn = Turn(game, state, 0, game.need(state).of(0), 1_000_000, 1)
    assert {bot.choose(turn) for _ in range(100)} == set(turn.legal)


# --- Playing ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "pile", "card"),
    [
        ("2H 3D 5C KC", "TS", "5C"),  # fifteen
        ("AH 5D 7C KC", "TS JD 4C", "7C"),  # thirty-one
        ("2H 8D TC KC", "8S", "8D"),  # a pair
        ("9H 5D TC KC", "3S 6H 4D", "5D"),  # a run
        ("7H 8D", "8H 8C", "8D"),  # three alike rather than nothing
    ],
)
def test_it_takes_the_points_that_there_are(hand: str, pile: str, card: str) -> None:
    assert played(hand, pile, other=4 - len(pile.split())) == card


def test_it_plays_for_a_run_that_its_own_next_card_will_complete() -> None:
    """At 24 a three leaves 27, and the two that follows makes 4 3 2: worth more than 31."""
    assert played("2H 3D 7C KC", "TS JD 4C", other=1) == "3D"


def test_it_leads_from_a_pair_and_never_a_five() -> None:
    assert played("3H 3D 8C KC") == "3H"
    assert played("5H 5C 5D JS") == "JS"
    assert played("4H 5C JD KS") != "5C"


def test_it_does_not_leave_twenty_one() -> None:
    assert played("AH 6D 8C", "QS TD", other=2) != "AH"
    assert played("6H 9D", "QS 5C", other=2) == "9D"


def test_it_considers_what_an_earlier_go_has_shown() -> None:
    """Whoever said go where an eight would have fitted has no card for the count of twenty."""
    go = Claim(seat=0, room=8, positions=(10, 11), moved=3)
    assert played("AH 4C", "KS 6D", other=2) == "AH"
    assert played("AH 4C", "KS 6D", other=2, claims=(go,)) == "4C"


def test_it_plays_on_against_a_go_that_cannot_be_true() -> None:
    claim = Claim(seat=0, room=10, positions=(10, 11), moved=3)
    assert played("4H 5C", "KS KD", other=2, claims=(claim,)) in {"4H", "5C"}
