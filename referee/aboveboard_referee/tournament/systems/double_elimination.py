"""Double elimination: who has lost twice is out.

Everybody starts in the *upper* bracket, a knock-out's. Who loses there falls into the *lower*
one, and who loses there is out. With 2^k slots, the rounds are::

    1                     upper round 1
    2, 4, ... 2k - 2      upper round 2, 3, ... k; in the lower, who is left meets each other
    3, 5, ... 2k - 1      in the lower, who is left meets those who fell in the round before
    2k                    the final: the last of the upper against the last of the lower
    2k + 1                the final again, if the last of the upper lost it (final_reset)

Those who fall cross over: they meet the lower bracket from its other end, the next ones each
half from its other end, the next ones the other half in its order, and so on in turns. So
nobody meets again whom it fell by as long as a bracket has room for that: the first round
in which it can happen is the 4th of 8 slots, the 5th of 16, the 6th of 32, the 8th of 64.

What holds of ties, walkovers, absence, tables by hand and late entries in a knock-out holds
in either bracket; by hand only two of one bracket can be paired, in a round in which both
meet somebody. A tie in the final is the upper's. Who loses by a walkover falls unless it has
left; where neither appeared at a table, neither goes on or falls. Whoever waits for a round
has a bye of kind "seed" worth nothing, and whoever goes on without a game has one worth a
point.
"""

from dataclasses import dataclass, replace

from aboveboard_referee.tournament.history import SEED_BYE, Ask, Bye, Drawn, Entrant, History, Round
from aboveboard_referee.tournament.systems.bracket import (
    Outcome,
    Results,
    Row,
    Slot,
    exchanged,
    first_row,
    pairs_in,
    row_length,
    seats,
    with_others,
)
from aboveboard_referee.tournament.systems.past import (
    capped,
    check_asked,
    field_of,
    named,
    wrong_pairs,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits


@dataclass(frozen=True, slots=True)
class Brackets:
    """Who is still in: the upper and lower slots, and who fell in the round before."""

    upper: Row
    lower: Row = ()
    fallen: Row = ()

    def still_in(self) -> list[Entrant]:
        """Everybody who has not lost twice."""
        return [slot for slot in (*self.upper, *self.lower, *self.fallen) if slot is not None]


class DoubleElimination:
    """The system of that name."""

    name = "double-elimination"
    version = 1
    traits = Traits(frozenset({"final_reset"}), is_bracket=True)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        return wrong_pairs(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """The most that so many can need, or the plan's if fewer."""
        return capped(plan, _most_rounds(entrants, plan))

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The next round, the upper bracket before the lower; ``None`` once one is left."""
        check_asked(history)
        brackets, _ = _fold(plan, history)
        entrants = len(field_of(plan, history))
        if len(brackets.still_in()) < 2 or ask.number > self.rounds(plan, entrants):
            return None
        upper, lower = _rows(brackets, ask.number, row_length(entrants))
        tables, byes = seats(_by_hand(upper, lower, ask.by_hand), history, ask)
        busy = {*(e for t in (*tables, *ask.by_hand) for e in t), *(bye.entrant for bye in byes)}
        there = set(ask.present) - busy
        waits = (entrant for entrant in brackets.still_in() if entrant in there)
        byes.extend(Bye(entrant, SEED_BYE, 0) for entrant in waits)
        return Drawn(with_others(tables, ask), tuple(byes))

    def levels(self, plan: Plan, history: History) -> tuple[int, ...]:
        """How many rounds each has come through without losing for the second time."""
        return tuple(_fold(plan, history)[1])


def _most_rounds(entrants: int, plan: Plan) -> int:
    length = row_length(entrants)
    return 2 * length + plan.final_reset if length else 0


def _rows(brackets: Brackets, number: int, length: int) -> tuple[Row, Row]:
    """The slots that meet in a round, of the upper and of the lower bracket."""
    if number >= 2 * length:
        return (*brackets.upper, *brackets.lower), ()
    if number == 1:
        return brackets.upper, ()
    if number % 2 == 0:
        return brackets.upper, brackets.lower
    crossed = _crossed(brackets.fallen, number // 2)
    return (), tuple(slot for both in zip(brackets.lower, crossed, strict=True) for slot in both)


def _crossed(fallen: Row, times: int) -> Row:
    """Who fell for the so manieth time from 1, in the order in which the lower meets them."""
    half = len(fallen) // 2
    if times % 3 == 1:
        return fallen[::-1]
    if times % 3 == 2:
        return fallen[:half][::-1] + fallen[half:][::-1]
    return fallen[half:] + fallen[:half]


def _by_hand(upper: Row, lower: Row, by_hand: tuple[tuple[Entrant, ...], ...]) -> Row:
    """Both rows in one, each with the exchanges that tables made by hand want in it."""
    return exchanged(upper, by_hand) + exchanged(lower, by_hand)


def _fold(plan: Plan, history: History) -> tuple[Brackets, list[int]]:
    """The brackets after a history, and by entrant how many rounds it has come through."""
    field = field_of(plan, history)
    rank = {entrant: i for i, entrant in enumerate(field)}
    length = row_length(len(field))
    brackets = Brackets(first_row(field))
    through = [0] * history.entrants
    for drawn in history.rounds[: 2 * length + 1]:
        if len(brackets.still_in()) < 2:
            break
        brackets = _after(brackets, drawn, length, rank, plan)
        for entrant in brackets.still_in():
            through[entrant] += 1
    return brackets, through


def _after(
    brackets: Brackets, drawn: Round, length: int, rank: dict[Entrant, int], plan: Plan
) -> Brackets:
    """The brackets after one more round. Who was named nowhere in it is in neither."""
    number = drawn.number
    upper, lower = _rows(brackets, number, length)
    fixed = tuple(table.entrants for table in drawn.tables if table.by_hand)
    row = _by_hand(upper, lower, fixed)
    if number >= 2 * length:
        after = _after_final(brackets, row, drawn, rank, plan.final_reset and number == 2 * length)
    else:
        outcomes = list(map(Results(drawn, rank).of, pairs_in(row)))
        above, below = outcomes[: len(upper) // 2], outcomes[len(upper) // 2 :]
        after = Brackets(
            upper=tuple(o.on for o in above) or brackets.upper,
            lower=tuple(o.on for o in below),
            fallen=tuple(o.out for o in above),
        )
        if number == 1:
            after = replace(after, lower=after.fallen, fallen=())
    there = named(drawn)

    def of(slots: Row) -> Row:
        return tuple(slot if slot in there else None for slot in slots)

    return Brackets(of(after.upper), of(after.lower), of(after.fallen))


def _after_final(
    brackets: Brackets, row: Row, drawn: Round, rank: dict[Entrant, int], again: bool
) -> Brackets:
    """One is left of the final, or both if the upper's has lost it and it is played again."""
    top: Slot = brackets.upper[0]
    favourite = {**rank, top: -1} if top is not None else rank
    ended: Outcome = Results(drawn, favourite).of((row[0], row[1]))
    if again and top is not None and ended.out == top:
        return Brackets((top,), (ended.on,))
    return Brackets((ended.on,), (None,))
