"""Every choice that makes up a rule set of Allegra, and what can be played with it."""

from dataclasses import dataclass
from typing import Final

from aboveboard_referee.games.allegra.cards import VALUES
from aboveboard_referee.games.allegra.grid import CELLS_PER_SEAT, MOST_SEATS
from aboveboard_referee.games.contract import Seat

FEWEST_SEATS: Final = 2
MOST_CARDS: Final = 1000
MOST_SHUFFLES: Final = 1023

HOLDER: Final = "holder"
ACTOR: Final = "actor"
TRIGGERS: Final = (HOLDER, ACTOR)

POSITIVE: Final = "positive"
ANY: Final = "any"
NEVER: Final = "never"
DOUBLINGS: Final = (POSITIVE, ANY, NEVER)


@dataclass(frozen=True)
class AllegraRules:
    """A rule set of Allegra; ``ValueError`` if it contradicts itself.

    The fields are what the published game leaves open or tells differently. What the
    areas, the lines and a turn look like is not up for choice.
    """

    version: int = 1

    # House: how many cards there are of each value from -1 up. Published are only their
    # number, 120, and that the middle values are the most frequent.
    counts: tuple[int, ...] = (6, 7, 8, 10, 11, 12, 12, 12, 11, 10, 8, 7, 6)

    rounds: int = 3

    # By how many seats the first seat moves on from one round to the next.
    first_step: int = 1

    # The fewest seats at which there are knocks. 3 is the published rule.
    knock_min_seats: int = 2

    # Who ends the round once an area lies open: its "holder", or the "actor" whose
    # action opened it.
    trigger: str = HOLDER

    # Which sums of a trigger are doubled if not the lowest: "positive", "any", "never".
    doubling: str = POSITIVE

    # Whether a trigger that shares the lowest sum counts as the lowest.
    tie_is_lowest: bool = True

    # Turns a seat, on average, after which a round that nobody ended is over.
    turn_cap: int = 50

    def __post_init__(self) -> None:
        if self.version != 1:
            raise ValueError(f"there is no version {self.version} of the rules")
        if len(self.counts) != len(VALUES):
            raise ValueError(f"counts has {len(self.counts)} numbers instead of {len(VALUES)}")
        if min(self.counts) < 0:
            raise ValueError("counts holds a negative number")
        _within("the number of cards", sum(self.counts), _cards_for(FEWEST_SEATS), MOST_CARDS)
        _within("rounds", self.rounds, 1, MOST_SHUFFLES)
        _within("first_step", self.first_step, 0, MOST_SEATS - 1)
        _within("knock_min_seats", self.knock_min_seats, FEWEST_SEATS, MOST_SEATS + 1)
        _within("turn_cap", self.turn_cap, 1, MOST_SHUFFLES)
        _one_of("trigger", self.trigger, TRIGGERS)
        _one_of("doubling", self.doubling, DOUBLINGS)
        for seats in playable_seats(self):
            _within(f"shuffles with {seats} seats", most_shuffles(self, seats), 1, MOST_SHUFFLES)


def playable_seats(rules: AllegraRules) -> range:
    """The numbers of seats that the deck is large enough for."""
    enough = [n for n in range(FEWEST_SEATS, MOST_SEATS + 1) if _cards_for(n) <= sum(rules.counts)]
    return range(FEWEST_SEATS, FEWEST_SEATS + len(enough))


def first_seat(rules: AllegraRules, round_: int, seats: int) -> Seat:
    """Who begins the round, which counts from 0; in the first one it is seat 0."""
    return round_ * rules.first_step % seats


def most_shuffles(rules: AllegraRules, seats: int) -> int:
    """An upper bound on the shuffles of one match, which no way of playing exceeds.

    A round has one shuffle of the whole deck and its reshuffles. A turn draws at most
    once, and a round has at most ``cap = turn_cap * seats`` turns before its end is
    known, then at most ``seats - 1`` final ones: ``turns = cap + seats - 1``.

    Cards leave or enter the ``pool`` of stock and discards only in pairs (a card comes
    to lie in a cell exactly when the one that lay there is discarded, and removed cards
    come from cells), so between two turns it always has ``deck - 12 * seats`` cards,
    one of them the top discard. A stock thus starts with ``pool - 1`` cards, after the
    deal as after a reshuffle, and is reshuffled at the draw after its last: of ``turns``
    draws that happens at ``(turns - 1) // (pool - 1)``.

    The rules as published: 2 shuffles a round with 2 seats, 7 with 6.
    """
    turns = rules.turn_cap * seats + seats - 1
    pool = sum(rules.counts) - CELLS_PER_SEAT * seats
    return rules.rounds * (1 + (turns - 1) // (pool - 1))


def _cards_for(seats: int) -> int:
    """The cells, the first discard, and one card so that a seat can always draw."""
    return CELLS_PER_SEAT * seats + 2


def _within(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{what}: {value} is not within {low} to {high}")


def _one_of(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{what}: {value[:60]!r} is none of {', '.join(known)}")
