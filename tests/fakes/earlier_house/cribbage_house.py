"""The house bot for cribbage, by both rule sets and for two to four seats.

Laying away: for every choice it takes the mean of the hand that is kept over all
starters it has not seen, and adds what the cards bring to an average crib, or takes
that off where the crib is the other side's. Where cards are laid away unseen there is
nothing to weigh.

Playing: a card is worth the points it makes now, less what the next seat can be
expected to make of it. For that it looks at every card which that seat may hold, in
view of all that was seen and of earlier goes, and at its own best answer to each. This
one look ahead is why it leads low cards and from pairs, never a five, and shuns 5 and
21. Of equal cards it plays the higher, since low ones still fit late in a count.
"""

from collections import defaultdict
from functools import cache
from math import comb
from random import Random

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.cribbage import (
    CribbageMove,
    CribbageRules,
    CribbageState,
    Discard,
    Phase,
    Play,
    score_hand,
    score_play,
)
from aboveboard_referee.games.cribbage.cards import DECK, RANK, SUIT, VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT
from aboveboard_referee.games.cribbage.rules import HAND
from aboveboard_referee.match.player import Turn

ANSWER = 0.7
"""How much an own answer counts beside the reply that it follows: the seat that replies
may do so with another card, and other seats may come between."""

LOW_CARD = 0.02
"""What it is worth to still hold a card that counts one less."""

CRIBS = 400
"""Sampled cribs for the mean of one choice; a standard error of about 0.15 points."""


class CribbageHouse:
    """Counts its hand before it lays away, and looks one card ahead in play."""

    games: tuple[str, ...] = ("cribbage",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, turn: Turn) -> CribbageMove:
        state: CribbageState = turn.state
        rules = turn.game.rules
        assert isinstance(rules, CribbageRules)
        moves: tuple[CribbageMove, ...] = turn.legal
        if len(moves) == 1:
            return moves[0]
        if state.phase is Phase.DISCARD:
            hand = {pos: card for pos, card in state.hand(turn.seat) if card is not None}
            if not hand:
                return self._rng.choice(moves)
            sign = 1 if state.side_of[state.dealer] == state.side_of[turn.seat] else -1
            return max(moves, key=lambda move: _worth_laying_away(rules, hand, move, sign))
        return max(moves, key=lambda move: _worth_playing(rules, state, turn.seat, move))


# --- Laying away ------------------------------------------------------------------------


def _worth_laying_away(
    rules: CribbageRules, hand: dict[int, Card], move: CribbageMove, sign: int
) -> float:
    """Expected points of the hand that is kept, and ``sign`` times those of the crib."""
    assert isinstance(move, Discard)
    away = tuple(hand[pos] for pos in move.positions)
    kept = tuple(card for pos, card in hand.items() if pos not in move.positions)
    dealt = set(hand.values())
    starters = [card for card in DECK if card not in dealt]
    points = sum(score_hand(rules, kept, starter) for starter in starters)
    return points / len(starters) + sign * _mean_crib(rules, *_likeness(away))


def _likeness(cards: tuple[Card, ...]) -> tuple[tuple[int, ...], bool]:
    """All that is told apart of cards in a crib: their ranks, and whether of one suit."""
    return tuple(sorted(RANK[card] for card in cards)), len({SUIT[card] for card in cards}) == 1


@cache
def _mean_crib(rules: CribbageRules, ranks: tuple[int, ...], one_suit: bool) -> float:
    """Mean points of a crib with such cards, whose other cards and starter are random.

    The sample's seed is fixed: the mean is a property of the rules, not of a match.
    """
    suits = [0 if one_suit else i % 4 for i in range(len(ranks))]
    away = tuple(suit * len(DECK) // 4 + rank for rank, suit in zip(ranks, suits))
    others = [card for card in DECK if card not in away]
    rng = Random(0)
    points = 0
    for _ in range(CRIBS):
        starter, *more = rng.sample(others, 1 + HAND - len(away))
        points += score_hand(rules, (*away, *more), starter, crib=True)
    return points / CRIBS


# --- Playing ------------------------------------------------------------------------------


def _worth_playing(
    rules: CribbageRules, state: CribbageState, seat: Seat, move: CribbageMove
) -> float:
    """Points of this card now, less the expected loss by what follows on it."""
    assert isinstance(move, Play)
    card = state.faces[move.position]
    assert card is not None
    pile = (*state.pile, card)
    room = LIMIT - state.total - VALUE[card]
    worth = score_play(rules, pile) + LOW_CARD * VALUE[card]
    if room == 0:
        return worth
    rest = [
        face
        for pos, face in state.hand(seat)
        if face is not None and pos != move.position and VALUE[face] <= room
    ]
    following = _next_seat(state, seat)
    if following is None:
        return worth + _best_points(rules, pile, rest, otherwise=rules.go)
    return worth - _expected_loss(rules, state, following, pile, rest)


def _expected_loss(
    rules: CribbageRules,
    state: CribbageState,
    following: Seat,
    pile: tuple[Card, ...],
    rest: list[Card],
) -> float:
    """What the following seat's most scoring reply costs, less the own answer to it.

    The mean over all hands that it may hold, any of which are equally likely.
    """
    total = sum(VALUE[card] for card in pile)
    may_hold = _may_hold(state, following)
    number: dict[int, int] = defaultdict(int)
    costs: dict[int, float] = defaultdict(float)
    for card in may_hold:
        after = total + VALUE[card]
        if after > LIMIT:
            number[-1] += 1
            costs[-1] -= rules.go
            continue
        replied = (*pile, card)
        answers = [own for own in rest if own != card and VALUE[own] <= LIMIT - after]
        reply = score_play(rules, replied)
        number[reply] += 1
        costs[reply] += reply - ANSWER * _best_points(rules, replied, answers)
    held = state.cards_held(following)
    hands = comb(len(may_hold), held)
    expected = 0.0
    left, without = len(may_hold), 1.0  # chance of a hand without any better reply
    for reply in sorted(number, reverse=True):
        left -= number[reply]
        still_without = comb(left, held) / hands
        expected += (without - still_without) * costs[reply] / number[reply]
        without = still_without
    return expected


def _best_points(
    rules: CribbageRules, pile: tuple[Card, ...], cards: list[Card], otherwise: int = 0
) -> int:
    """The most that one of these cards makes on the pile."""
    return max((score_play(rules, (*pile, card)) for card in cards), default=otherwise)


def _next_seat(state: CribbageState, seat: Seat) -> Seat | None:
    """Who is asked after ``seat``, if it is anybody else."""
    for step in range(1, state.seats):
        other = (seat + step) % state.seats
        if state.cards_held(other) and other not in state.passed:
            return other
    return None


def _may_hold(state: CribbageState, seat: Seat) -> list[Card]:
    """Cards not seen, but for those that would have fitted when the seat said go.

    Where too few are left for an honest go, it is not believed.
    """
    known = state.known
    unseen = [card for card in DECK if card not in known]
    room = max((claim.room for claim in state.claims if claim.seat == seat), default=0)
    unfit = [card for card in unseen if VALUE[card] > room]
    return unfit if len(unfit) >= state.cards_held(seat) else unseen
