"""How lucky each seat of a match was: what the house bot makes of the same decks.

House bots sit in all seats and play the match's decks again, several times over. What a seat
gets that way beyond an even share is its luck, the advantage of sitting first included. It is
for intervals and for adjusted scores beside a result, and never changes one.
"""

from collections import defaultdict

from aboveboard_client.bot import load
from aboveboard_client.measuring.open_decks import OpenDecks
from aboveboard_client.measuring.playout import Orders, TooLong, play_out
from aboveboard_referee.fairplay.bytes import b32, label, sha256, u8, u32
from aboveboard_referee.fairplay.deck import shuffled
from aboveboard_referee.games.contract import Card
from aboveboard_referee.tournament.history import TABLE_POINT, place_units

REPLAYS = 4
"""Replays of a match unless something else is asked for. House bots that think by samples
play each differently, and further ones hardly tell more."""

_DECK = label("luck-deck")
_BOT = label("luck-bot")


def luck(decks: OpenDecks, replays: int = REPLAYS) -> tuple[float, ...]:
    """By seat, the mean points from 0 to 1 of the house bot there, less one half.

    A function of its arguments. The seats' numbers sum to 0 for two sides, as for any number
    of sides of one size. It is 0 for everybody where no deck was opened, or a replay hardly
    ends.
    """
    if not decks.orders:
        return (0.0,) * decks.seats
    sides = decks.game.sides(decks.seats)
    units = [0] * decks.seats
    for replay in range(replays):
        bots = [
            load("house", sha256(_BOT + b32(decks.head0) + u32(replay) + u8(seat)))
            for seat in range(decks.seats)
        ]
        try:
            over = play_out(decks.game, bots, orders_of(decks))
        except TooLong:
            return (0.0,) * decks.seats
        ranks = [0] * decks.seats
        for side, rank in zip(sides, over.rank, strict=True):
            for seat in side:
                ranks[seat] = rank
        units = [sum(both) for both in zip(units, place_units(ranks, sides))]
    return tuple(each / (TABLE_POINT * replays) - 0.5 for each in units)


def orders_of(decks: OpenDecks) -> Orders:
    """The decks that a replay is dealt.

    A replay takes a course of its own, so that it may shuffle other cards, or more often. Its
    n-th deck of any cards is the match's n-th deck of those very cards. Where the match had
    none, the order follows from the match's name alone::

        seed = SHA-256( T(luck-deck) ‖ head_0[32] ‖ u32 k )
    """
    dealt: defaultdict[tuple[Card, ...], list[tuple[Card, ...]]] = defaultdict(list)
    for _, order in sorted(decks.orders.items(), reverse=True):
        dealt[tuple(sorted(order))].append(order)

    def deal(k: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if waiting := dealt[cards]:
            return waiting.pop()
        return shuffled(cards, sha256(_DECK + b32(decks.head0) + u32(k)))

    return deal
