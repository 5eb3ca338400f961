"""A Swiss round by trying every one (docs/pairing.md, "Swiss" and "Small fields")."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.oracle.form_pairing import (
    NOBODY,
    Ask,
    Drawn,
    Plan,
    balance,
    by_board,
    byes_so_far,
    swiss_seats,
    tie_number,
    times_met,
    unplayed,
)
from tests.oracle.form_schedules import round_robin, schedule
from tests.oracle.form_standings import PAIRING, History

Pairs = tuple[tuple[int, int], ...]
"""Of a round; the bye is a pair with ``NOBODY``."""


def every_round(who: Sequence[int]) -> Iterator[Pairs]:
    """Every way to pair them all."""
    if not who:
        yield ()
        return
    first, rest = who[0], who[1:]
    for i, other in enumerate(rest):
        for pairs in every_round([*rest[:i], *rest[i + 1 :]]):
            yield ((first, other), *pairs)


class Swiss:
    """Measures of any way to pair those of a round who are not at a table by hand."""

    def __init__(self, plan: Plan, history: History, ask: Ask) -> None:
        self.plan, self.history, self.ask = plan, history, ask
        by_hand = {entrant for table in ask.by_hand for entrant in table}
        self.who = [entrant for entrant in ask.present if entrant not in by_hand]
        self.scores = [
            history.score(e) + self._virtual(e, ask.number) for e in range(history.entrants)
        ]
        self.top = self._top_halves()
        self.even = (history.point // 2) % 2 == 0

    def _virtual(self, entrant: int, number: int) -> int:
        """The points of accelerated rounds."""
        first = self.plan.accelerated
        came = [e for e in self.ask.order if not self._late(e)]
        upper = came[: 2 * -(-len(came) // 4)]
        if number > first or entrant not in upper:
            return 0
        return self.history.point if number <= -(-first // 2) else self.history.point // 2

    def _late(self, entrant: int) -> bool:
        rounds = self.history.rounds
        return bool(rounds) and rounds[0].byes.get(entrant, (0, 0))[0] == LATE

    def _top_halves(self) -> set[int]:
        groups: dict[int, list[int]] = {}
        for entrant in self.who:
            groups.setdefault(self.scores[entrant], []).append(entrant)
        return {e for group in groups.values() for e in group[: len(group) // 2]}

    def _floated(self, entrant: int, number: int) -> int:
        """-1 down, 1 up, in a round before."""
        history, each = self.history, self.history.rounds[number]
        table = each.table_of(entrant)
        if table is None or not (table.was_played and entrant in table.came):
            return -1 if history.gained(entrant, each) else 0
        before = History(history.entrants, history.point, history.rounds[:number], False)
        (other,) = (e for e in table.entrants if e != entrant)
        mine, theirs = (before.score(e) + self._virtual(e, number + 1) for e in (entrant, other))
        return (theirs > mine) - (theirs < mine)

    def _repeats(self, entrant: int, direction: int) -> int:
        last = range(max(0, len(self.history.rounds) - 2), len(self.history.rounds))
        return sum(self._floated(entrant, number) == direction for number in last)

    def measures(self, pairs: Pairs) -> tuple[int, ...]:
        """All ten and the tie, to be compared in this order."""
        history, seed = self.history, self.ask.seed
        sums = [0] * 11
        for a, b in pairs:
            if b == NOBODY:
                sums[2] += byes_so_far(history, a)
                sums[3] += self.scores[a]
                sums[4] += unplayed(history, a)
                sums[7] += self._repeats(a, -1)
                sums[8] += balance(history, a) ** 2
                sums[9] += a in self.top
            else:
                self._add_pair(sums, a, b)
            sums[10] += tie_number(seed, a, b)
        return tuple(sums)

    def _add_pair(self, sums: list[int], a: int, b: int) -> None:
        met = times_met(self.history, a, b)
        difference = self.scores[a] - self.scores[b]
        sums[0] += met > 0
        sums[1] += met
        sums[5] += difference != 0
        sums[6] += difference**2
        if difference:
            high, low = (a, b) if difference > 0 else (b, a)
            sums[7] += self._repeats(high, -1) + self._repeats(low, 1)
        first, second = swiss_seats(self.history, self.ask.seed, a, b)
        shift = 0 if self.even else 1
        sums[8] += (balance(self.history, first) + shift) ** 2
        sums[8] += (balance(self.history, second) - shift) ** 2
        sums[9] += difference == 0 and (a in self.top) == (b in self.top)

    def best_first(self) -> list[Pairs]:
        """Every round of these, from the best on."""
        who = list(self.who)
        if len(who) % 2:
            who.append(NOBODY)
        return sorted(every_round(who), key=self.measures)

    def drawn(self, pairs: Pairs) -> Drawn:
        seated = [swiss_seats(self.history, self.ask.seed, a, b) for a, b in pairs if b != NOBODY]
        tables = by_board([*self.ask.by_hand, *seated], self.scores, self.ask.order)
        byes = {a: (PAIRING, self.plan.bye) for a, b in pairs if b == NOBODY}
        return Drawn(tables, byes)


LATE, ABSENT = 4, 5
"""The kinds, here, of a bye for a round before somebody came, and of one without a link."""


# --- Looking ahead ------------------------------------------------------------------------------


def swiss(
    plan: Plan, history: History, ask: Ask, field: Sequence[int], late: Sequence[int]
) -> Drawn:
    """A small field's schedule, or the best round after which those to come can be paired."""
    members = [*field, *late[: len(field) % 2]]
    n = len(members)
    drawn = None
    if plan.rounds >= n - 1 - n % 2 and set(ask.present) <= set(members):
        drawn = _scheduled(plan, history, ask, members)
    return drawn or _looking_ahead(plan, history, ask)


def _scheduled(plan: Plan, history: History, ask: Ask, members: Sequence[int]) -> Drawn | None:
    """The round of a round-robin, unless that will not do."""
    everybody = replace(plan, legs=1000)
    drawn = round_robin(everybody, history, ask, members)
    if drawn is None or ask.by_hand:
        return None
    for a, b in drawn.tables:
        if _paired(history, a, b) >= _due_by(members, ask.number, a, b):
            return None
    seated = [e for table in drawn.tables for e in table]
    if len(ask.present) - len(seated) > 1:
        return None
    again = sum(times_met(history, *table) > 0 for table in drawn.tables)
    best = Swiss(plan, history, ask)
    if again > best.measures(best.best_first()[0])[0]:
        return None
    left = [e for e in ask.present if e not in seated]
    return Drawn(drawn.tables, dict.fromkeys(left, (PAIRING, plan.bye)))


def _paired(history: History, a: int, b: int) -> int:
    return sum({a, b} <= set(t.entrants) for each in history.rounds for t in each.tables)


def _due_by(members: Sequence[int], number: int, a: int, b: int) -> int:
    """How often the schedule has them meet up to a round."""
    rounds = [schedule(members, 1000, earlier) or [] for earlier in range(1, number + 1)]
    return sum({a, b} == set(pair) for pairs in rounds for pair in pairs)


def _looking_ahead(plan: Plan, history: History, ask: Ask) -> Drawn:
    field = Swiss(plan, history, ask)
    rounds = field.best_first()
    to_come = plan.rounds - ask.number
    if to_come <= 0 or not rounds[0]:
        return field.drawn(rounds[0])
    least = field.measures(rounds[0])[0]
    rounds = [pairs for pairs in rounds if field.measures(pairs)[0] == least]
    met = {(a, b) for a in ask.present for b in ask.present if a < b and times_met(history, a, b)}
    met |= {(min(a, b), max(a, b)) for a, b in ask.by_hand}
    byes = {e: byes_so_far(history, e) for e in ask.present}
    for ahead in range(to_come, 0, -1):
        for fair in (True, False):
            for pairs in rounds:
                out = [byes[a] for a, b in pairs if b == NOBODY]
                if fair and out and out[0] > min(byes.values()):
                    continue
                if _goes_on(ask.present, met, byes, pairs, ahead, fair=fair):
                    return field.drawn(pairs)
    return field.drawn(rounds[0])


def _goes_on(
    who: Sequence[int],
    met: set[tuple[int, int]],
    byes: dict[int, int],
    pairs: Pairs,
    ahead: int,
    *,
    fair: bool,
) -> bool:
    """Whether so many rounds more can be paired after this one without a rematch."""
    met = met | {(min(pair), max(pair)) for pair in pairs}
    byes = dict(byes)
    for a, b in pairs:
        if b == NOBODY:
            byes[a] += 1
    if ahead == 0:
        return True
    everybody = sorted(who)
    if len(everybody) % 2:
        everybody.append(NOBODY)
    for following in every_round(everybody):
        if any((a, b) in met for a, b in following if b != NOBODY):
            continue
        out = [a for a, b in following if b == NOBODY]
        if fair and out and byes[out[0]] > min(byes.values()):
            continue
        if _goes_on(who, met, byes, following, ahead - 1, fair=fair):
            return True
    return False
