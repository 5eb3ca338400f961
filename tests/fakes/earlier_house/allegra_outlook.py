"""What a table of Allegra is worth to one seat, now and after cards have moved.

In points, more is better, as the lead over the mean of the others:

- An open card counts its value, a face-down one the mean of those not seen. A card of
  the own area alone counts against this seat, one of a neighbour's for it, and one that
  both play on hardly matters: so low cards belong where only oneself plays.
- Cards in lines of three equal ones are gone. Two such cards with any third are worth a
  part of what would go: the more of that value are unseen, and the more cards are
  face-down so that the round goes on, the more. For low cards, which one would rather
  keep, that is nothing.
- Where an area lies open, the round ends: a trigger that is not the lowest is doubled,
  the others' last turns being allowed for.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache

from aboveboard_referee.games.allegra.cards import card_values
from aboveboard_referee.games.allegra.grid import (
    CELLS_PER_SEAT,
    SHORTEST_RUN,
    area_numbers,
    find_removals,
    lines,
)
from aboveboard_referee.games.allegra.rules import ACTOR, AllegraRules
from aboveboard_referee.games.allegra.scoring import round_scores
from aboveboard_referee.games.allegra.state import FaceDown, State
from aboveboard_referee.games.contract import Seat

LAST_TURN_GAINS = 3.0
"""What a seat is expected to gain by a final turn."""

CARDS_A_TURN = 0.3
"""Cards that come to hand for one line in each turn that the round may yet last. Less
than one, as a turn serves one line and a seat has many."""

MOST_LIKELY = 0.8
"""Highest chance that a line of three is completed."""

Changes = Mapping[int, int | None]
"""By cell number, the value that comes to lie there face up; ``None``: not known yet."""


class Outlook:
    """The table of ``state`` as ``seat`` values it."""

    def __init__(self, rules: AllegraRules, state: State, seat: Seat) -> None:
        values = card_values(rules.counts)
        unseen = Counter(values[card] for card in state.unseen_cards)
        number = unseen.total()
        self._rules = rules
        self._state = state
        self._seat = seat
        self._mean = sum(value * count for value, count in unseen.items()) / max(number, 1)
        self._faces = state.faces
        self._hidden = frozenset(i for i, lying in enumerate(state.grid) if type(lying) is FaceDown)
        self._gaps = frozenset(i for i, lying in enumerate(state.grid) if lying is None)
        self._weights = _weights(state.seats, seat)
        self._areas = [area_numbers(other, state.seats) for other in range(state.seats)]
        self._chance = self._chances(unseen, number)

    def face(self, number: int) -> int | None:
        """The value of the open card in a cell, else ``None``."""
        return self._faces[number]

    def value(self, number: int) -> float:
        """The value that is expected of the card in a cell, which is no gap."""
        face = self._faces[number]
        return self._mean if face is None else face

    def worth(self, changes: Changes) -> float:
        """What the table is worth after these changes and the removals they bring about."""
        faces = list(self._faces)
        gaps = self._gaps.difference(changes)
        hidden = self._hidden.difference(changes)
        for number, face in changes.items():
            faces[number] = face
        removed = [cell.number for cell in find_removals(faces)]
        if removed:
            gaps = gaps.union(removed)
            for number in removed:
                faces[number] = None
        mean = self._mean
        values = [mean if face is None else face for face in faces]
        for number in gaps:
            values[number] = 0.0
        worth = -sum([weight * value for weight, value in zip(self._weights, values)])
        trigger = self._trigger(hidden)
        if trigger is not None:
            return worth + self._doubled(trigger, values)
        return worth + self._hopes(faces, gaps, values)

    # --- The end of the round -----------------------------------------------------------

    def _trigger(self, hidden: frozenset[int]) -> Seat | None:
        """Who has ended the round, once these cells are the face-down ones."""
        state = self._state
        if state.trigger is not None:
            return state.trigger
        for step in range(state.seats):
            seat = (state.active + step) % state.seats
            if hidden.isdisjoint(self._areas[seat]):
                return state.active if self._rules.trigger == ACTOR else seat
        return None

    def _doubled(self, trigger: Seat, values: list[float]) -> float:
        """The gain by a trigger's doubled sum, a loss if it is this seat's own."""
        state = self._state
        sums = [sum([values[number] for number in area]) for area in self._areas]
        if state.trigger is None:
            to_come = [seat for seat in range(state.seats) if seat != trigger]
        else:
            to_come = [seat for seat in state.final if seat != state.active]
        for seat in to_come:
            sums[seat] -= LAST_TURN_GAINS
        rounded = tuple(round(points) for points in sums)
        more = round_scores(self._rules, rounded, trigger)[trigger] - rounded[trigger]
        return -float(more) if trigger == self._seat else more / (state.seats - 1)

    # --- Cards about to be removed --------------------------------------------------------

    def _chances(self, unseen: Counter[int], number: int) -> dict[int, float]:
        """By value, the chance that such a card still completes a line."""
        turns = min(len(self._hidden.intersection(area)) for area in self._areas)
        cards = CARDS_A_TURN * turns
        return {value: min(MOST_LIKELY, cards * count / number) for value, count in unseen.items()}

    def _hopes(self, faces: list[int | None], gaps: frozenset[int], values: list[float]) -> float:
        """Worth of all pairs that one more card would complete; others' count against it."""
        hopes = 0.0
        weights = self._weights
        for a, b, c in _windows(self._state.seats):
            pair = faces[a]
            if pair is None or (pair != faces[b] and pair != faces[c]):
                pair = faces[b]
                if pair is None or pair != faces[c]:
                    continue
            if a in gaps or b in gaps or c in gaps:
                continue
            if values[a] + values[b] + values[c] > 0 and pair in self._chance:
                goes = weights[a] * values[a] + weights[b] * values[b] + weights[c] * values[c]
                hopes += self._chance[pair] * goes
        return hopes


@cache
def _weights(seats: int, seat: Seat) -> tuple[float, ...]:
    """By cell, how a point in it counts against the lead of ``seat`` over the others."""
    weights = [0.0] * (seats * CELLS_PER_SEAT)
    for other in range(seats):
        for number in area_numbers(other, seats):
            weights[number] += 1.0 if other == seat else -1.0 / (seats - 1)
    return tuple(weights)


@cache
def _windows(seats: int) -> tuple[tuple[int, int, int], ...]:
    """All sets of three adjacent cells in a line."""
    return tuple(
        (line[i], line[i + 1], line[i + 2])
        for line in lines(seats)
        for i in range(len(line) - SHORTEST_RUN + 1)
    )
