"""What the Allegra house bot does at a table. Two seats; seat 0's grid comes first.

Grids are written row by row: ``?`` is a face-down card, ``.`` a gap.
"""

from itertools import count
from random import Random
from typing import Any

from aboveboard_client.bots.allegra_house import AllegraHouse
from aboveboard_referee.games import registry
from aboveboard_referee.games.allegra.cards import VALUES, card_values
from aboveboard_referee.games.allegra.notation import Move, encode
from aboveboard_referee.games.allegra.state import (
    FaceDown,
    FaceUp,
    Gift,
    Lying,
    Phase,
    State,
    Stock,
)
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.player import Turn

GAME = registry.game("allegra")
VALUE_OF = card_values((6, 7, 8, 10, 11, 12, 12, 12, 11, 10, 8, 7, 6))


class Cards:
    """Deals out cards by their values, each of them once."""

    def __init__(self) -> None:
        self.left = {value: [c for c, v in enumerate(VALUE_OF) if v == value] for value in VALUES}
        self.slots = count(30)

    def up(self, value: int) -> FaceUp:
        return FaceUp(Slot(1, next(self.slots)), self.left[value].pop(), value)

    def lying(self, text: str, number: int) -> Lying | None:
        if text == ".":
            return None
        return FaceDown(Slot(1, number)) if text == "?" else self.up(int(text))

    @property
    def unseen(self) -> frozenset[int]:
        return frozenset(card for cards in self.left.values() for card in cards)


def state(mine: str, theirs: str, phase: Phase, top: int = 6, **fields: Any) -> State:
    cards = Cards()
    grid = tuple(cards.lying(text, i) for i, text in enumerate(f"{mine} {theirs}".split()))
    if "drawn" in fields:
        fields["drawn"] = cards.up(fields["drawn"])
    return State(
        seats=2,
        phase=phase,
        decks=1,
        grid=grid,
        discards=(cards.up(top),),
        stock=Stock(1, 90, 30),
        unseen=((1, cards.unseen),),
        **fields,
    )


def choose(at: State, seat: int = 0) -> str:
    legal: tuple[Move, ...] = GAME.need(at).of(seat)
    move = AllegraHouse(Random(1)).choose(Turn(GAME, at, seat, legal, 1_000_000, 1))
    return encode(move)


HIDDEN = "? ? ? ?  ? ? ? ?  ? ? ? ?"
USUAL = "9 9 5 ?  3 ? ? ?  ? ? ? ?"


def test_it_turns_two_cells_side_by_side_that_are_its_own_alone() -> None:
    a, b = choose(state(HIDDEN, HIDDEN, Phase.SET_UP)).split()[1:]
    assert a[0] == b[0] == "0"
    assert "3" not in (a[-1], b[-1])
    assert abs(int(a[2]) - int(b[2])) + abs(int(a[4]) - int(b[4])) == 1


def test_it_takes_a_discard_that_completes_a_line_of_high_cards() -> None:
    assert choose(state(USUAL, HIDDEN, Phase.TURN, top=9)) == "take 0.0.2"


def test_it_takes_a_low_discard_for_a_high_card() -> None:
    assert choose(state("11 2 4 ?  3 ? ? ?  ? ? ? ?", HIDDEN, Phase.TURN, top=0)) == "take 0.0.0"


def test_it_draws_where_the_discard_is_of_little_use() -> None:
    assert choose(state("3 2 4 ?  3 ? ? ?  ? ? ? ?", HIDDEN, Phase.TURN, top=7)) == "draw"


def test_it_does_not_complete_a_line_of_low_cards() -> None:
    at = state("-1 -1 1 ?  9 ? ? ?  ? ? ? ?", HIDDEN, Phase.ACT, drawn=-1)
    assert choose(at) == "swap 0.1.0"


def test_it_turns_a_card_rather_than_swapping_in_a_high_one() -> None:
    at = state("3 2 4 ?  3 ? ? ?  ? ? ? ?", HIDDEN, Phase.ACT, drawn=11)
    assert choose(at).startswith("discard ")


LOW, HIGH = "1 2 0 2  2 0 1 1  0 1 2 ?", "9 8 9 8  8 9 8 9  9 8 9 {}"


def test_it_does_not_end_the_round_with_a_higher_sum_than_the_other() -> None:
    at = state(HIGH.format("?"), "1 2 0 2  2 0 1 1  ? ? ? 0", Phase.ACT, drawn=10)
    assert choose(at).startswith("swap ")
    assert choose(at) != "swap 0.2.3"


def test_it_ends_the_round_with_the_lowest_sum() -> None:
    at = state(LOW, HIGH.format("8").replace("9 8 9 8", "? ? 9 8", 1), Phase.ACT, drawn=10)
    assert choose(at) == "discard 0.2.3"


# --- Knocks and gifts ---------------------------------------------------------------------


def test_it_knocks_for_a_card_that_completes_a_line() -> None:
    at = state(USUAL, HIDDEN, Phase.KNOCK, active=1, drawn=9)
    assert choose(at) == "knock"


def test_it_holds_for_a_card_that_is_of_no_use() -> None:
    at = state(USUAL, HIDDEN, Phase.KNOCK, active=1, drawn=10)
    assert choose(at) == "hold"


def test_it_gives_a_high_card_for_a_low_one() -> None:
    at = state(USUAL, "-1 4 7 ?  ? ? ? ?  ? ? ? ?", Phase.CHOICE, knockers=(1,), drawn=11)
    assert choose(at) == "give 1"


def test_it_declines_to_give_a_card_that_it_needs_itself() -> None:
    at = state(USUAL, "9 9 7 ?  ? ? ? ?  ? ? ? ?", Phase.CHOICE, knockers=(1,), drawn=9)
    assert choose(at) == "decline"


def test_it_places_a_gift_where_it_completes_a_line() -> None:
    at = state(USUAL, HIDDEN, Phase.PLACE, active=1, drawn=9, gift=Gift(0))
    assert choose(at) == "place 0.0.2"


def test_it_spoils_the_line_that_its_gift_would_complete_or_takes_the_lowest_card() -> None:
    replaced = FaceUp(Slot(1, 99), 40, 4)
    at = state(USUAL, "9 9 9 ?  5 ? ? ?  ? ? ? ?", Phase.PICK, gift=Gift(1, replaced))
    assert choose(at) in {"pick 1.0.0", "pick 1.0.1", "pick 1.0.2"}
    at = state(USUAL, "-1 7 4 ?  5 ? ? ?  ? ? ? ?", Phase.PICK, gift=Gift(1, replaced))
    assert choose(at) == "pick 1.0.0"
