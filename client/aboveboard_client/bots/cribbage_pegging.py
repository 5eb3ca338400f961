"""How the house bot plays its cards at cribbage: it plays the deal out in its head.

For each card that it may play, and for many hands that the others may hold, the play
goes on to its end by a simple habit of every seat: take the points, leave little. What
each side has then is what the card is worth, on average over the hands. These are drawn
from the cards not seen: as many as a seat was dealt, of which it keeps the best
counting together with those that it has played, and none that would have fitted when it
said go. Nobody in these plays sees another's cards.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from random import Random

from aboveboard_client.bots import cribbage_board
from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.cribbage import ACC, CribbageRules, CribbageState, Play, score_play
from aboveboard_referee.games.cribbage.cards import DECK, RANK, RANKS, VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT
from aboveboard_referee.games.cribbage.rules import SEATS
from aboveboard_referee.games.cribbage.show import score_hand

HANDS = 60
"""Sampled deals of what the others hold, for one decision."""

LOW_CARD = 0.02
"""What it is worth to still hold a card that counts one less."""

HOLDS = 0.22
"""The chance that a seat holds a given rank, for the habit."""

Hand = tuple[Card, ...]


def best(
    rules: CribbageRules,
    state: CribbageState,
    seat: Seat,
    plays: Sequence[Play],
    rng: Random,
) -> Play:
    """The play that is worth most to the side of ``seat``."""
    habits = habits_of(rules)
    worth = cribbage_board.worth_of_play(rules, state, seat)
    cards = {play: _face(state, play.position) for play in plays}
    alike: dict[Card, Play] = {}  # of cards that play alike only one is looked at
    for play, card in cards.items():
        alike.setdefault(habits.likeness(card), play)
    if len(alike) == 1:
        return plays[0]
    own = tuple(card for _, card in state.hand(seat) if card is not None)
    deals = _deals(rules, state, seat, rng)
    total = dict.fromkeys(alike.values(), 0.0)
    for others, times in deals.items():
        for play in total:
            held = [list(map(habits.likeness, hand)) for hand in others]
            held[seat] = list(map(habits.likeness, own))
            scores = habits.play_out(state, held, habits.likeness(cards[play]))
            total[play] += times * worth.of(scores, others)
    number = deals.total()
    return max(
        total,
        key=lambda play: total[play] / number + worth.point * LOW_CARD * VALUE[cards[play]],
    )


def _face(state: CribbageState, position: int) -> Card:
    face = state.faces[position]
    assert face is not None
    return face


# --- What the others may hold ---------------------------------------------------------------


def _deals(
    rules: CribbageRules, state: CribbageState, seat: Seat, rng: Random
) -> Counter[tuple[Hand, ...]]:
    """Sampled hands of all others, by seat, and how often each came; ``seat``'s is empty."""
    known = state.known
    unseen = [card for card in DECK if card not in known]
    seats = [other for other in range(state.seats) if other != seat and state.held[other]]
    may_hold = {other: _may_hold(state, other, unseen) for other in seats}
    played = {
        other: tuple(
            _face(state, position)
            for position in state.hands[other]
            if position not in state.held[other]
        )
        for other in seats
    }
    away = rules.crib_each[SEATS.index(state.seats)] if rules.look_first else 0
    found: Counter[tuple[Hand, ...]] = Counter()
    for _ in range(HANDS):
        hands: list[Hand] = [()] * state.seats
        taken: set[Card] = set()
        for other in seats:
            left = [card for card in may_hold[other] if card not in taken]
            number = state.cards_held(other)
            drawn = rng.sample(left, min(number + away, len(left)))
            hands[other] = _kept(played[other], tuple(sorted(drawn)), number)
            taken.update(hands[other])
        found[tuple(hands)] += 1
    return found


def _may_hold(state: CribbageState, seat: Seat, unseen: list[Card]) -> list[Card]:
    """Cards not seen, but for those that would have fitted when the seat said go.

    Where too few are left for an honest go and for the other seats, it is not believed.
    """
    room = max((claim.room for claim in state.claims if claim.seat == seat), default=0)
    unfit = [card for card in unseen if VALUE[card] > room]
    return unfit if len(unfit) >= sum(map(len, state.held)) else unseen


def _kept(played: Hand, drawn: Hand, number: int) -> Hand:
    """The ``number`` of the drawn cards that count most with those played."""
    if len(drawn) <= number:
        return drawn
    return max(
        combinations(drawn, number),
        key=lambda kept: _counts(tuple(sorted([RANK[card] for card in (*played, *kept)]))),
    )


@lru_cache(maxsize=2048)  # 1,820 sets of four ranks
def _counts(ranks: tuple[int, ...]) -> int:
    """Fifteens, pairs and runs among so many ranks."""
    suits = len(DECK) // len(RANKS)
    cards = tuple(len(RANKS) * (i % suits) + rank for i, rank in enumerate(ranks))
    return score_hand(ACC, cards[1:], cards[0])


# --- Playing out --------------------------------------------------------------------------


class Habits:
    """The habit by which every seat plays on in the bot's head, by one rule set."""

    def __init__(self, rules: CribbageRules) -> None:
        self._rules = rules
        self._points = lru_cache(maxsize=1 << 16)(self._score)
        self._pick = lru_cache(maxsize=1 << 16)(self._weigh)
        self._danger = lru_cache(maxsize=1 << 13)(self._risk)

    def likeness(self, card: Card) -> Card:
        """A card that stands for all that play like this one: suits may not matter."""
        return card if self._rules.play_run_suited else RANK[card]

    def play_out(self, state: CribbageState, held: list[list[Card]], card: Card) -> list[int]:
        """Every side's points once all cards have been played, the next one being ``card``.

        It ends at once when a side is home. ``held`` is used up.
        """
        rules, side_of = self._rules, state.side_of
        scores, seats = list(state.scores), state.seats
        pile = tuple(map(self.likeness, state.pile))
        count, passed = state.total, set(state.passed)
        seat, left = state.turn, sum(map(len, held))
        while True:
            held[seat].remove(card)
            pile, count, left, last = (*pile, card), count + VALUE[card], left - 1, seat
            points = self._points(pile)
            if not left and count < LIMIT:
                points += rules.last_card
            scores[side_of[seat]] += points
            if not left or scores[side_of[seat]] >= rules.target:
                return scores
            if count == LIMIT:
                pile, count, passed = (), 0, set()
            while True:  # until a seat has a card to play
                for step in range(1, seats + 1):
                    seat = (last + step) % seats
                    if held[seat] and seat not in passed:
                        break
                else:
                    scores[side_of[last]] += rules.go
                    if scores[side_of[last]] >= rules.target:
                        return scores
                    pile, count, passed = (), 0, set()
                    continue
                room = LIMIT - count
                fitting = [own for own in held[seat] if VALUE[own] <= room]
                if fitting:
                    break
                passed.add(seat)
            card = fitting[0]
            if len(fitting) > 1:
                card = self._pick(pile, count, tuple(sorted(fitting)))

    def _score(self, pile: Hand) -> int:
        return score_play(self._rules, pile)

    def _weigh(self, pile: Hand, count: int, fitting: Hand) -> Card:
        """The card of these that a seat plays."""
        before = RANK[pile[-1]] if pile else None
        return max(
            fitting,
            key=lambda card: (
                self._points((*pile, card))
                + LOW_CARD * VALUE[card]
                - self._danger(count + VALUE[card], RANK[card], before)
            ),
        )

    def _risk(self, count: int, rank: int, before: int | None) -> float:
        """What the next seat may be expected to make of a count and its last two ranks."""
        rules = self._rules
        risk = 0.0
        for reply in range(len(RANKS)):
            after = count + VALUE[reply]
            if after > LIMIT:
                continue
            points = {15: rules.play_fifteen, LIMIT: rules.play_thirty_one}.get(after, 0)
            if reply == rank:
                points += rules.pair if before != rank else 3 * rules.pair
            elif before is not None and not rules.play_run_suited:
                span = sorted((reply, rank, before))
                points += 3 * (span[1] - span[0] == 1 == span[2] - span[1])
            risk += points * HOLDS
        return risk


@lru_cache(maxsize=8)
def habits_of(rules: CribbageRules) -> Habits:
    """One for each rule set, since it remembers what it has counted."""
    return Habits(rules)
