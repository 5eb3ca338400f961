"""A table at which whole games are played, with every kind of holder in lockstep."""

import random
from collections.abc import Callable

import pytest

from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Moved,
    Over,
    Show,
    Shown,
    Shuffle,
    Shuffled,
)
from aboveboard_referee.games.nebraska import Choice, Move, Nebraska, Phase, State
from aboveboard_referee.games.step import step

Chooser = Callable[[State, int, tuple[Move, ...]], Move]


class Table:
    """``referee`` sees all that is shown; ``holders`` are each seat, and a spectator last."""

    def __init__(self, game: Nebraska, seats: int, seed: int, alone: bool = False) -> None:
        self.game = game
        self.seats = seats
        self.rng = random.Random(seed)
        self.referee = game.start(seats)
        self.holders = [] if alone else [game.start(seats)] * (seats + 1)
        self.deck: list[Card] = []
        self.moved: list[Move] = []

    @property
    def phase(self) -> Phase:
        return self.referee.phase

    def need(self):
        """What is owed, which must be the same for every holder."""
        need = self.game.need(self.referee)
        for holder in self.holders:
            assert self.game.need(holder) == need
        return need

    def at_random(self, state: State, seat: int, legal: tuple[Move, ...]) -> Move:
        return self.rng.choice(legal)

    def once(self, choose: Chooser | None = None) -> None:
        """Bring about the one thing that is owed."""
        match self.need():
            case Shuffle(cards):
                self.deck = list(cards)
                self.rng.shuffle(self.deck)
                self._tell(lambda _: Shuffled(cards))
            case Show(grants):
                faces = [self.deck[slot.pos] for slot, _ in grants]
                self._tell(
                    lambda me: Shown(
                        grants,
                        tuple(
                            face if me is None or audience in (None, me) else None
                            for (_, audience), face in zip(grants, faces, strict=True)
                        ),
                    )
                )
            case Decide(legal):
                choose = choose or self.at_random
                moves = tuple(
                    (seat, choose(self.referee, seat, options)) for seat, options in legal
                )
                self.moved += [move for _, move in moves]
                self._tell(lambda _: Moved(moves))
            case other:
                raise AssertionError(f"nothing can follow {other}")

    def until(self, *phases: Phase, choose: Chooser | None = None) -> None:
        """Go on, by at least one step, until one of these phases has come."""
        self.once(choose)
        while self.phase not in phases:
            self.once(choose)

    def play(self, choose: Chooser | None = None) -> Over:
        while self.phase is not Phase.OVER:
            self.once(choose)
        return self.need()

    def _tell(self, event_for) -> None:
        self.referee = step(self.game, self.referee, event_for(None))
        self.holders = [
            step(self.game, holder, event_for(me)) for me, holder in enumerate(self.holders)
        ]


def always(choice: Choice) -> Chooser:
    """Bets the first legal card and answers ``choice`` whenever it is asked."""

    def choose(state: State, seat: int, legal: tuple[Move, ...]) -> Move:
        return choice if choice in legal else legal[0]

    return choose


@pytest.fixture(name="new_table")
def table_class() -> type[Table]:
    return Table


@pytest.fixture(name="always")
def always_chooser() -> Callable[[Choice], Chooser]:
    return always
