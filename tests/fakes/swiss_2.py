"""The best next round of a small Swiss field, found by trying all of them.

Everything is counted anew from the history, as the documentation of the pairing system states
it, and shares no code with it but the tie hash.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import Ask, Entrant, History
from aboveboard_referee.tournament.systems.plan import Plan

NOBODY = 2**32 - 1
Matching = frozenset[tuple[Entrant, Entrant]]
Values = tuple[int, ...]


def matchings(vertices: Sequence[Entrant]) -> Iterator[tuple[tuple[Entrant, Entrant], ...]]:
    """Every way to pair them all."""
    if not vertices:
        yield ()
        return
    first, *others = vertices
    for i, partner in enumerate(others):
        for rest in matchings(others[:i] + others[i + 1 :]):
            yield ((min(first, partner), max(first, partner)), *rest)


class Lived(NamedTuple):
    """What one entrant did in one round."""

    before: int  # its score, with virtual points
    gained: int
    rival: Entrant | None  # whom it played
    rival_before: int
    first: int  # matches in the first seat less those in the other
    bye: bool


def lives(plan: Plan, history: History) -> dict[Entrant, list[Lived]]:
    """Every entrant's rounds, told one by one."""
    told: dict[Entrant, list[Lived]] = {entrant: [] for entrant in history.order}
    for drawn in history.rounds:
        before = {
            entrant: sum(round_.gained for round_ in told[entrant])
            + virtual(plan, history, entrant, drawn.number)
            for entrant in history.order
        }
        for entrant in history.order:
            gained, rival, first, bye = 0, None, 0, False
            for table in drawn.tables:
                if entrant in table.entrants:
                    gained = table.gained(entrant)
                    (other,) = set(table.entrants) - {entrant}
                    if not table.forfeits:
                        rival = other
                        first = sum(1 if s[0] == entrant else -1 for s in table.seatings)
            for given in drawn.byes:
                if given.entrant == entrant:
                    gained, bye = given.units, given.kind in ("pairing", "seed")
            bye = rival is None and (bye or gained == history.point)
            lived = Lived(
                before[entrant], gained, rival, 0 if rival is None else before[rival], first, bye
            )
            told[entrant].append(lived)
    return told


def virtual(plan: Plan, history: History, entrant: Entrant, number: int) -> int:
    """The units that Baku acceleration lends an entrant in a round."""
    late = (
        [bye.entrant for bye in history.rounds[0].byes if bye.kind == "late"]
        if history.rounds
        else []
    )
    early = [e for e in history.order if e not in late]
    quarter = -(-len(early) // 4)
    if entrant not in early[: 2 * quarter] or number > plan.accelerated:
        return 0
    return history.point if number <= -(-plan.accelerated // 2) else history.point // 2


def drift(life: Sequence[Lived]) -> list[str]:
    """The directions of the last two rounds."""
    return [
        ("down" if lived.gained else "level")
        if lived.rival is None
        else "level"
        if lived.before == lived.rival_before
        else "down"
        if lived.before > lived.rival_before
        else "up"
        for lived in life[-2:]
    ]


def all_rounds(plan: Plan, history: History, ask: Ask) -> list[tuple[Values, int, Matching]]:
    """Every possible round with its measures and the sum of whole ties, the best first."""
    told = lives(plan, history)
    score = {
        entrant: sum(lived.gained for lived in life)
        + virtual(plan, history, entrant, len(history.rounds) + 1)
        for entrant, life in told.items()
    }
    fixed = {entrant for table in ask.by_hand for entrant in table}
    free = [e for e in history.order if e in ask.present and e not in fixed]
    halves = {}
    for entrant in free:
        group = [e for e in free if score[e] == score[entrant]]
        halves[entrant] = group.index(entrant) < len(group) // 2
    balance = {entrant: sum(lived.first for lived in told[entrant]) for entrant in free}
    odd = (plan.point // 2) % 2 == 1

    def values(a: Entrant, b: Entrant) -> Values:
        """A pair's part of every measure, and of the ties."""
        tie = int.from_bytes(tie_hash(ask.seed, a, b)[:8], "big")
        if b == NOBODY:
            life = told[a]
            return (
                *(0, 0),
                *(sum(lived.bye for lived in life), score[a]),
                sum(lived.rival is None for lived in life),
                *(0, 0, drift(life).count("down"), balance[a] ** 2, int(halves[a]), tie),
            )
        met = sum(lived.rival == b for lived in told[a])
        low, high = sorted((a, b), key=lambda entrant: score[entrant])
        level = score[a] == score[b]
        less, more = sorted((balance[a], balance[b]))
        return (
            *(int(met > 0), met, 0, 0, 0, int(not level), (score[a] - score[b]) ** 2),
            0 if level else drift(told[low]).count("up") + drift(told[high]).count("down"),
            (less + odd) ** 2 + (more - odd) ** 2,
            int(level and halves[a] == halves[b]),
            tie,
        )

    vertices = [*free, NOBODY] if len(free) % 2 else free
    vertices.sort()
    parts = {(a, b): values(a, b) for i, a in enumerate(vertices) for b in vertices[i + 1 :]}
    found = []
    for pairs in matchings(vertices):
        sums = tuple(map(sum, zip(*(parts[pair] for pair in pairs), strict=True)))
        found.append((sums[:-1], sums[-1] if sums else 0, frozenset(pairs)))
    return sorted(found, key=lambda each: each[:2])
