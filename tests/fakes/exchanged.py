"""A referee behind whose back some cards were exchanged, under their true roots and salts."""

from collections.abc import Callable, Set
from dataclasses import replace
from random import Random
from typing import Any

from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.referee import Referee

Slots = Set[tuple[int, int]]
"""Numbers of decks, and positions in them."""


class Exchanged(Decks):
    """Decks whose cards but for the slots ``kept`` are exchanged among each other."""

    kept: Slots
    seed: int

    def deal(self, k: int, cards: Any, links: Any) -> Deck | None:
        fresh = self._dealt is None or self._dealt.k != k
        deck = super().deal(k, cards, links)
        assert deck is not None
        if fresh:
            hidden = [at for at in range(len(deck.order)) if (k, at) not in self.kept]
            moved = [deck.order[at] for at in hidden]
            Random(f"{self.seed} {k}").shuffle(moved)
            order = list(deck.order)
            for at, card in zip(hidden, moved, strict=True):
                order[at] = card
            self._dealt = deck = replace(deck, order=tuple(order))
        return deck


def dealing_others(kept: Slots, seed: int) -> Callable[..., Referee]:
    """How such a referee is made."""

    def make(*arguments: Any) -> Referee:
        referee = Referee(*arguments)
        decks = Exchanged(referee.fold.terms, referee._chain.link)
        decks.kept, decks.seed = kept, seed
        referee.fold.decks = decks
        return referee

    return make
