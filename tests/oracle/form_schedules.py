"""Round-robins, leagues, gauntlets and ladders (docs/pairing.md)."""

from collections.abc import Sequence

from tests.oracle.form_pairing import Ask, Drawn, Plan, by_board, simple_seats
from tests.oracle.form_standings import PAIRING, History


def berger(places: int, turn: int) -> list[tuple[int, int]]:
    """Pairs of a turn from 0, by seat; ``places`` is even."""
    last, pairs = places - 1, []
    for i in range(last):
        for j in range(i + 1, last):
            if (i + j) % last == turn:
                pairs.append((j, i) if (i + j) % 2 == 0 else (i, j))
        if 2 * i % last == turn:
            pairs.append((i, last) if 2 * i < last else (last, i))
    return pairs


def schedule(members: Sequence[int], legs: int, number: int) -> list[tuple[int, int]] | None:
    """Who is to meet whom in a round, also whom nobody is left for; None after the last.

    A place that nobody has is -1.
    """
    field = [*members, -1] if len(members) % 2 else list(members)
    turns = len(field) - 1
    if number > legs * turns:
        return None
    pairs = berger(len(field), (number - 1) % turns)
    if ((number - 1) // turns) % 2:
        pairs = [(b, a) for a, b in pairs]
    return [(field[a], field[b]) for a, b in pairs]


def round_robin(plan: Plan, history: History, ask: Ask, members: Sequence[int]) -> Drawn | None:
    if not members:
        return None
    pairs = schedule(members, plan.legs, ask.number)
    if pairs is None:
        return None
    tables, byes = [], {}
    for ends in pairs:
        here = [entrant for entrant in ends if entrant in ask.present]
        if len(here) == 2:
            tables.append(ends)
        elif here:
            byes[here[0]] = (PAIRING, plan.bye)
    scores = [history.score(e) for e in range(history.entrants)]
    return Drawn(by_board(tables, scores, ask.order), byes)


def league(plan: Plan, history: History, ask: Ask, field: Sequence[int]) -> Drawn | None:
    tables: list[tuple[int, ...]] = []
    byes: dict[int, tuple[int, int]] = {}
    over = True
    for number in range(1, max(plan.divisions, default=0) + 1):
        members = [e for e in field if plan.divisions[e] == number]
        drawn = round_robin(plan, history, ask, members)
        if drawn is not None:
            over = False
            tables += drawn.tables
            byes |= drawn.byes
    return None if over else Drawn(tables, byes)


# --- Gauntlet -----------------------------------------------------------------------------------


def gauntlet(plan: Plan, history: History, ask: Ask, field: Sequence[int]) -> Drawn | None:
    hero, *others = [*field, *(e for e in range(history.entrants) if e not in field)]
    met = {e: _paired(history, hero, e) for e in others}
    here = [e for e in others if e in ask.present and met[e] < plan.legs]
    if hero not in ask.present:
        return Drawn([], {})
    if not here:
        return None
    rival = min(here, key=lambda e: met[e])
    before = [t for each in history.rounds for t in each.tables if set(t.entrants) == {hero, rival}]
    if before:
        return Drawn([before[-1].entrants[::-1]], {})
    return Drawn([simple_seats(history, ask.seed, hero, rival)], {})


def _paired(history: History, a: int, b: int) -> int:
    return sum({a, b} <= set(t.entrants) for each in history.rounds for t in each.tables)


# --- Ladder -------------------------------------------------------------------------------------


class Rungs:
    """A ladder from its highest rung down, round by round."""

    def __init__(self, start: Sequence[int]) -> None:
        self.rungs = list(start)

    def leave_and_come(self, there: Sequence[int]) -> None:
        """Before a round: who has left frees its rung, who comes starts below the last."""
        self.rungs = [e for e in self.rungs if e in there]
        self.rungs += sorted(e for e in there if e not in self.rungs)

    def change(self, history: History, number: int) -> None:
        for table in history.rounds[number].tables:
            if table.units is None or not table.came:
                continue
            high, low = sorted(table.entrants, key=self.rungs.index)
            units = dict(zip(table.entrants, table.units, strict=True))
            if units[low] > units[high]:
                i, j = self.rungs.index(high), self.rungs.index(low)
                self.rungs[i], self.rungs[j] = low, high


def ladder(plan: Plan, history: History, ask: Ask, rungs: Sequence[int]) -> Drawn:
    by_hand = {entrant for table in ask.by_hand for entrant in table}
    here = [e for e in rungs if e in ask.present and e not in by_hand]
    d = 1 + (ask.number - 1) // 2 % plan.reach
    among = here if ask.number % 2 else here[d:]
    pairs = [(among[i], among[i + d]) for i in range(len(among) - d) if i % (2 * d) < d]
    if not pairs:
        pairs = list(zip(here[::2], here[1::2], strict=False))
    seated = [simple_seats(history, ask.seed, a, b) for a, b in pairs]
    tables = sorted([*ask.by_hand, *seated], key=lambda ends: min(rungs.index(e) for e in ends))
    left = [e for e in here if all(e not in pair for pair in pairs)]
    return Drawn(list(tables), dict.fromkeys(left, (PAIRING, 0)))
