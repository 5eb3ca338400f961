"""Every choice that makes up a Nebraska rule set, and the refusal of impossible ones."""

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from aboveboard_referee.games.nebraska.cards import CARDS, RANKS, SUITS, rank_of, suit_of

VERSION = 1
FEWEST_SEATS = 2
MOST_SEATS = 7
MOST_HANDS = 1024
"""Most shuffles that a match can hold, see ``Game.max_shuffles``."""

LOW_ACE, HIGH_ACE = 0, len(RANKS)
"""The two places of an ace on the ladder of ranks; 2 … K stand on 1 … 12."""


@dataclass(frozen=True, slots=True)
class NebraskaRules:
    """A Nebraska rule set. No field has a default, so that none is chosen unseen."""

    version: int

    scoring: str
    """How a hand is scored: ``family``, ``expert`` or ``poker``."""
    targets: tuple[int, ...]
    """Wins that end the game: the first is for 2 seats, the next for 3, and so on.
    There are as many numbers of seats as entries."""

    dealt: int
    """Cards dealt to each seat at the start of a hand."""
    keeps: int
    """Cards on the table when the hand is scored; the seats then hold ``dealt - keeps``."""
    deal_order: str
    """``hand``: all of a seat's cards lie together in the deck; ``card``: one for each seat
    in turn."""
    draw_order: str
    """Who draws first after a discard: ``seat0``, or the ``winner`` of the bets; then
    upwards and around."""
    stock_rule: str
    """When the stock is too short for a discard. ``forced-keep``, the only answer so far:
    all seats bet as usual, and the turned card stays without anybody being asked."""

    suit_order: str
    """The eight suit letters, highest first."""
    ace_high: bool
    """Whether the ace ranks above the king; otherwise below the two."""
    ace_both_ways: bool
    """Whether an ace stands at either end of a straight, whatever it ranks elsewhere."""

    rank_points: tuple[int, ...]
    """Poker, most cards of one rank: points for the best seat, the second and so on."""
    suit_points: tuple[int, ...]
    """Poker, most cards of one suit: the same."""
    straight_points: tuple[int, ...]
    """Poker, longest straight: the same."""
    rank_minimum: int
    """Poker: the fewest cards of one rank that are placed at all; 1 places everybody."""
    suit_minimum: int
    """Poker: the fewest cards of one suit that are placed at all."""
    straight_minimum: int
    """Poker: the shortest straight that is placed at all."""

    points_break_ties: bool
    """Whether points over all hands order seats with as many wins; else they share a rank."""

    @property
    def seats(self) -> range:
        return range(FEWEST_SEATS, FEWEST_SEATS + len(self.targets))

    def target(self, seats: int) -> int:
        """The number of wins that ends a game of ``seats`` seats."""
        return self.targets[seats - FEWEST_SEATS]

    def most_hands(self, seats: int) -> int:
        """A bound on the hands of a game, met when everybody is one win short before the last.

        Each hand gives exactly one win, and the game ends with the first seat at the
        target. Before its last hand every seat thus has at most ``target - 1`` wins,
        so that at most ``seats × (target - 1)`` hands came before it.
        """
        return seats * (self.target(seats) - 1) + 1

    @property
    def orders(self) -> "Orders":
        return _orders(self.suit_order, self.ace_high)


class Orders(NamedTuple):
    """How strong each card is, indexed by card id; more is stronger."""

    rank: tuple[int, ...]  # its place on the ladder of ranks, LOW_ACE … HIGH_ACE
    suit: tuple[int, ...]  # 0 … 7
    card: tuple[int, ...]  # rank, then suit; no two cards are equal


@cache
def _orders(suit_order: str, ace_high: bool) -> Orders:
    ace = RANKS.index("A")
    rank = tuple(
        LOW_ACE if rank_of(card) == ace and not ace_high else 1 + rank_of(card)
        for card in range(CARDS)
    )
    suit = tuple(len(SUITS) - 1 - suit_order.index(SUITS[suit_of(card)]) for card in range(CARDS))
    return Orders(rank, suit, tuple(rank[card] * len(SUITS) + suit[card] for card in range(CARDS)))


# --- The three that can be chosen ----------------------------------------------------------

FAMILY_RULES = NebraskaRules(
    version=VERSION,
    scoring="family",
    targets=(5, 4, 3, 3, 2, 2),
    dealt=10,
    keeps=5,
    deal_order="hand",
    draw_order="seat0",
    stock_rule="forced-keep",
    suit_order=SUITS,
    ace_high=True,
    ace_both_ways=True,
    rank_points=(3, 1),
    suit_points=(3, 1),
    straight_points=(3, 1),
    rank_minimum=1,
    suit_minimum=1,
    straight_minimum=1,
    points_break_ties=True,
)
EXPERT_RULES = replace(FAMILY_RULES, scoring="expert")
POKER_RULES = replace(FAMILY_RULES, scoring="poker")


# --- Refusal -----------------------------------------------------------------------------

_CHOICES = {
    "scoring": ("family", "expert", "poker"),
    "deal_order": ("hand", "card"),
    "draw_order": ("seat0", "winner"),
    "stock_rule": ("forced-keep",),
}


def check(rules: NebraskaRules) -> None:
    """Raise ``ValueError``, naming the field, unless a game can be played by ``rules``."""
    if rules.version != VERSION:
        raise ValueError(f"version is {rules.version}, this release plays {VERSION}")
    for field, choices in _CHOICES.items():
        if getattr(rules, field) not in choices:
            raise ValueError(f"{field} must be one of {', '.join(choices)}")
    if sorted(rules.suit_order) != sorted(SUITS):
        raise ValueError(f"suit_order must name each of {SUITS} once")
    if not 1 <= len(rules.targets) <= MOST_SEATS - FEWEST_SEATS + 1:
        raise ValueError(f"targets must be given for 2 up to at most {MOST_SEATS} seats")
    if min(rules.targets) < 1:
        raise ValueError("targets must be 1 or more")
    if not 1 <= rules.keeps < rules.dealt:
        raise ValueError("keeps must be at least 1 and less than dealt")
    for seats in rules.seats:
        if seats * rules.dealt + rules.keeps > CARDS:
            raise ValueError(f"dealt and keeps take more than the pack has for {seats} seats")
        if rules.most_hands(seats) > MOST_HANDS:
            raise ValueError(f"targets allow more than {MOST_HANDS} hands for {seats} seats")
    for category in ("rank", "suit", "straight"):
        _check_category(rules, category)


def _check_category(rules: NebraskaRules, category: str) -> None:
    points: tuple[int, ...] = getattr(rules, f"{category}_points")
    minimum: int = getattr(rules, f"{category}_minimum")
    if not 1 <= len(points) <= MOST_SEATS:
        raise ValueError(f"{category}_points must name 1 to {MOST_SEATS} places")
    if min(points) < 0 or list(points) != sorted(points, reverse=True):
        raise ValueError(f"{category}_points must fall from place to place, not below 0")
    if not 1 <= minimum <= rules.dealt:
        raise ValueError(f"{category}_minimum must be between 1 and dealt")
