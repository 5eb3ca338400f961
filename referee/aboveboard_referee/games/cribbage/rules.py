"""Every choice that makes up a rule set of cribbage, and the two sets that there are.

``ACC`` is the standard game (American Cribbage Congress for two seats, general
practice for three and four); ``SOURCE`` is the game of an older text, filled in from
the standard one where that text says nothing. The engine reads fields, never names.
"""

from dataclasses import dataclass

from aboveboard_referee.games.cribbage.cards import DECK

SEATS = range(2, 5)
HAND = 4
"""Cards that a seat keeps, plays and counts."""

MOST_SHUFFLES = 1023
"""A match has 1,024 at most, one of which may draw lots for the first seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CribbageRules:
    """One rule set. Triples hold a value for two, three and four seats.

    Raises ``ValueError`` where the fields contradict themselves or allow a match
    without a proven end.
    """

    version: int
    dealt: tuple[int, ...]  # cards dealt to each seat
    crib_each: tuple[int, ...]  # of these, cards that each seat lays away into the crib
    crib_stock: tuple[int, ...]  # cards that the stock adds to the crib
    look_first: bool  # a seat sees its cards before it lays away
    partners: bool  # with four seats 0+2 play against 1+3 for a joint score
    heels: int  # to the dealer for a jack turned as starter
    play_fifteen: int  # for bringing the count to 15
    play_thirty_one: int  # for bringing the count to 31
    play_run_suited: bool  # a run in play must be of one suit
    go: int  # to the last seat to play once nobody can go on below 31
    last_card: int  # for the deal's last card, unless it makes 31
    pair: int  # for each pair, in play and in the show
    show_fifteen: int  # for each combination of 15 in the show
    show_run_suited: bool  # a run in the show must be of one suit
    flush: tuple[int, ...]  # for 0, 1, … 5 cards of one suit in a hand with the starter
    flush_crib: tuple[int, ...]  # the same for the crib
    flush_any: bool  # any cards of one suit count; else only all of the hand's (and the starter)
    nobs: int  # for a jack of the starter's suit in hand or crib
    target: int  # the match ends at once when a side reaches it
    skunk: int  # a loser below this is skunked; 0: not recorded
    double_skunk: int  # below this, twice
    deal_cap: int  # the highest score wins after so many deals; 0: no cap

    def __post_init__(self) -> None:
        for name in ("dealt", "crib_each", "crib_stock"):
            if len(getattr(self, name)) != len(SEATS):
                raise ValueError(f"{name} needs a value for 2, 3 and 4 seats")
        for seats, dealt, each, stock in zip(
            SEATS, self.dealt, self.crib_each, self.crib_stock, strict=True
        ):
            if min(each, stock) < 0 or each == 0 or dealt - each != HAND:
                raise ValueError(f"with {seats} seats a hand of {HAND} is not what is kept")
            if seats * each + stock > HAND:
                raise ValueError(f"with {seats} seats the crib holds more than {HAND} cards")
        if not len(self.flush) == len(self.flush_crib) == HAND + 2:
            raise ValueError("a flush needs points for 0 to 5 cards")
        points = (self.heels, self.play_fifteen, self.play_thirty_one, self.go, self.last_card)
        more = (self.pair, self.show_fifteen, self.nobs, *self.flush, *self.flush_crib)
        if min(*points, *more, self.deal_cap) < 0 or self.target < 1:
            raise ValueError("points, target and the cap of deals cannot be negative")
        for seats in SEATS:
            if max_shuffles(self, seats) > MOST_SHUFFLES:
                raise ValueError(f"a match of {seats} seats could need too many deals")


def sides(rules: CribbageRules, seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats that share a score, side by side; a side is named by its lowest seat."""
    if rules.partners and seats == 4:
        return ((0, 2), (1, 3))
    return tuple((seat,) for seat in range(seats))


def cards_needed(rules: CribbageRules, seats: int) -> int:
    """Positions of a deck that a deal uses: hands, the stock's crib cards, the starter."""
    index = SEATS.index(seats)
    used = seats * rules.dealt[index] + rules.crib_stock[index] + 1
    assert used <= len(DECK)
    return used


def max_shuffles(rules: CribbageRules, seats: int) -> int:
    """A bound on the deals of a match, which takes one shuffle each.

    Every deal that is played to its end has a last card, and that card scores either
    ``last_card`` or, if it makes 31, ``play_thirty_one``. Let m be the lesser of the
    two. While a match of n sides goes on, no side has more than target - 1 points, all
    sides together at most n · (target - 1); so if m > 0, at most n · (target - 1) / m
    deals can have been completed, and there is one more at most. That is 241 for two
    seats and for partners, 361 for three seats of the standard game. Where m = 0 a deal
    may pass without a point, and the cap of deals has to bound the match; without one
    this raises ``ValueError``.
    """
    least = min(rules.last_card, rules.play_thirty_one)
    if least == 0:
        if rules.deal_cap == 0:
            raise ValueError("without points for a last card the deals need a cap")
        return rules.deal_cap
    bound = len(sides(rules, seats)) * (rules.target - 1) // least + 1
    return min(bound, rules.deal_cap) if rules.deal_cap else bound


def skunks(rules: CribbageRules, score: tuple[int, ...]) -> tuple[int, ...]:
    """By side: 2 for a double skunk, 1 for a skunk, 0 for neither, given the final score.

    A record for people only; it changes no result. Sides that share the highest score
    have not lost.
    """
    best = max(score)
    return tuple(
        (points < best) * ((points < rules.skunk) + (points < rules.double_skunk))
        for points in score
    )


ACC = CribbageRules(
    version=1,
    dealt=(6, 5, 5),
    crib_each=(2, 1, 1),
    crib_stock=(0, 1, 0),
    look_first=True,
    partners=True,
    heels=2,
    play_fifteen=2,
    play_thirty_one=2,
    play_run_suited=False,
    go=1,
    last_card=1,
    pair=2,
    show_fifteen=2,
    show_run_suited=False,
    flush=(0, 0, 0, 0, 4, 5),
    flush_crib=(0, 0, 0, 0, 0, 5),
    flush_any=False,
    nobs=1,
    target=121,
    skunk=91,
    double_skunk=61,
    deal_cap=0,
)

SOURCE = CribbageRules(
    version=1,
    dealt=(5, 5, 5),
    crib_each=(1, 1, 1),
    crib_stock=(0, 0, 0),
    look_first=False,
    partners=False,
    heels=2,
    play_fifteen=2,
    play_thirty_one=1,
    play_run_suited=True,
    go=0,
    last_card=0,
    pair=2,
    show_fifteen=2,
    show_run_suited=True,
    flush=(0, 0, 0, 3, 4, 4),
    flush_crib=(0, 0, 0, 3, 4, 4),
    flush_any=True,
    nobs=1,
    target=121,
    skunk=0,
    double_skunk=0,
    deal_cap=100,
)
