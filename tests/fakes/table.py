"""A table of holders of one match, each fed only what it would be sent.

``Dealer`` stands in for the committed decks, ``Table`` runs one machine a holder in
lockstep: an omniscient one, every seat's and a spectator's.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Happened,
    Moved,
    Seat,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.games.step import step


class Holder(NamedTuple):
    """Who runs a machine: a seat, somebody without one, or somebody who sees it all."""

    seat: Seat | None = None
    all_seeing: bool = False

    def sees(self, to: Seat | None) -> bool:
        return self.all_seeing or to is None or to == self.seat


OMNISCIENT = Holder(all_seeing=True)
SPECTATOR = Holder()


class Dealer:
    """Decks in an order of their own; by default shuffled from a seed.

    ``decks`` may give the first decks, each from the top: a deck shorter than the one
    owed is filled up with the other cards.
    """

    def __init__(self, seed: int = 0, decks: Iterable[Iterable[Card]] = ()) -> None:
        self._random = Random(seed)
        self._given = [tuple(deck) for deck in decks]
        self._decks: list[tuple[Card, ...]] = []

    @property
    def decks(self) -> int:
        return len(self._decks)

    def face(self, slot: Slot) -> Card:
        return self._decks[slot.deck - 1][slot.pos]

    def shuffle(self, owed: Shuffle) -> Shuffled:
        if self.decks < len(self._given):
            top = self._given[self.decks]
            deck = [*top, *(card for card in owed.cards if card not in top)]
        else:
            deck = list(owed.cards)
            self._random.shuffle(deck)
        self._decks.append(tuple(deck))
        return Shuffled(owed.cards)

    def show(self, owed: Show, holder: Holder) -> Shown:
        faces = tuple(self.face(slot) if holder.sees(to) else None for slot, to in owed.grants)
        return Shown(owed.grants, faces)


def outline(need: object) -> object:
    """What must be equal for every holder: all of a need but the moves of a Decide."""
    if isinstance(need, Decide):
        return Decide, need.seats, need.sealed
    return need


@dataclass
class Table:
    """Machines of several holders in one match; ``happened`` is what each was fed."""

    game: AnyGame
    seats: int
    dealer: Dealer
    holders: tuple[Holder, ...] = ()
    states: dict[Holder, Any] = field(init=False)
    happened: dict[Holder, list[Happened[Any]]] = field(init=False)

    def __post_init__(self) -> None:
        if not self.holders:
            self.holders = (OMNISCIENT, *map(Holder, range(self.seats)), SPECTATOR)
        self.states = {holder: self.game.start(self.seats) for holder in self.holders}
        self.happened = {holder: [] for holder in self.holders}

    def needs(self) -> dict[Holder, Any]:
        return {holder: self.game.need(state) for holder, state in self.states.items()}

    def need(self) -> Any:
        """The need of the first holder, after a look that all others' are equal to it."""
        needs = self.needs()
        first = next(iter(needs.values()))
        for holder, other in needs.items():
            assert outline(other) == outline(first), f"{holder} expects another thing"
        return first

    def deal(self) -> Any:
        """Shuffle and show until somebody must decide or nothing is owed; that need."""
        while isinstance(need := self.need(), Shuffle | Show):
            self.bring_about(need)
        return need

    def bring_about(self, need: Shuffle | Show) -> None:
        """Let the dealer do the one thing that is owed."""
        if isinstance(need, Shuffle):
            shuffled = self.dealer.shuffle(need)
            for holder in self.holders:
                self.feed(holder, shuffled)
        else:
            for holder in self.holders:
                self.feed(holder, self.dealer.show(need, holder))

    def move(self, *moves: tuple[Seat, Any]) -> None:
        for holder in self.holders:
            self.feed(holder, Moved(moves))

    def feed(self, holder: Holder, event: Happened[Any]) -> None:
        self.states[holder] = step(self.game, self.states[holder], event)
        self.happened[holder].append(event)

    def leave(self, holder: Holder) -> None:
        """Stop feeding one holder."""
        self.holders = tuple(other for other in self.holders if other != holder)
        del self.states[holder]
