"""Pairing systems, asked about whatever histories bytes make."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from aboveboard_referee.tournament.all_systems import all_systems, traits_of
from aboveboard_referee.tournament.form import most_seats, plan_of, sizes_of
from aboveboard_referee.tournament.history import (
    BYE_KINDS,
    LATE_BYE,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
    Round,
    Table,
    check_history,
)
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.system import System
from tests.fuzz.choices import Choices
from tests.fuzz.forms import FORMS, tournament
from tests.fuzz.mutate import any_bytes
from tests.fuzz.target import Target

MOST_ENTRANTS = 12
MOST_ROUNDS = 8
TIE_BREAKS = ("buchholz-cut1", "buchholz", "sonneborn-berger", "direct", "progressive", "wins")

ANYHOW, AS_DRAWN = range(2)


def pairing(data: bytes) -> None:
    """Rounds are drawn from a history, each by itself, the last one twice with one result."""
    choices = Choices(data)
    kind = choices.below(len(FORMS))
    manifest = tournament(kind).manifest
    system = all_systems()[manifest.system]
    names = [f"bot{number}" for number in range(choices.below(MOST_ENTRANTS + 1))]
    order = tuple(choices.in_any_order(range(len(names))))
    plan = plan_of(manifest, names, order)
    sizes = (2,) if most_seats(manifest) == 2 else sizes_of(manifest)
    history = History(len(names), plan.point, order)
    # Brackets and schedules know what they drew; who pairs by what happened, whatever did.
    anyhow = plan.system in ("swiss", "swiss-tables") and choices.below(2) == ANYHOW
    for number in range(1, MOST_ROUNDS + 1):
        if not choices.left:
            break
        if anyhow:
            drawn = _any_round(history, sizes, choices)
        else:
            asked = _ask(plan, history, sizes, number, choices)
            drawn = _drawn(system, plan, history, asked)
            if drawn is None:
                break
        history = _played(history, number, drawn, choices)
        if choices.below(5) == 4:
            history = _ruled(history, choices)
        check_history(history)
    asked = _ask(plan, history, sizes, len(history.rounds) + 1, choices)
    assert _drawn(system, plan, history, asked) == _drawn(system, plan, history, asked)
    levels = system.levels(plan, history)
    assert levels is None or len(levels) == history.entrants
    rows = table(history, TIE_BREAKS)
    assert sorted(row.entrant for row in rows) == list(range(history.entrants))


def _ask(
    plan: Plan, history: History, sizes: tuple[int, ...], number: int, choices: Choices
) -> Ask:
    away = [choices.below(6) == 5 for _ in history.order]
    present = tuple(e for e, is_away in zip(history.order, away, strict=True) if not is_away)
    by_hand: tuple[tuple[Entrant, ...], ...] = ()
    size = choices.one_of(sizes)
    if traits_of(plan.system).is_open and choices.below(4) == 3 and len(present) >= size:
        by_hand = (tuple(choices.in_any_order(present)[:size]),)
    return Ask(number, present, Random(choices.below(256)).randbytes(32), by_hand)


def _drawn(system: System, plan: Plan, history: History, asked: Ask) -> Drawn | None:
    """What a system draws, which must be a round of those who are there."""
    drawn = system.draw(plan, history, asked)
    if drawn is None:
        return None
    seated = [entrant for ends in drawn.tables for entrant in ends]
    out = [bye.entrant for bye in drawn.byes]
    assert len({*seated, *out}) == len(seated) + len(out), "somebody has two places"
    assert set(seated) <= set(asked.present)
    assert set(asked.by_hand) <= set(drawn.tables)
    assert all(0 <= bye.units <= plan.point for bye in drawn.byes)
    if plan.system in ("swiss", "swiss-tables"):
        assert {*seated, *out} == set(asked.present)
    return drawn


def _any_round(history: History, sizes: tuple[int, ...], choices: Choices) -> Drawn:
    """Tables and byes of anybody, whoever met before."""
    waiting = choices.in_any_order(history.order)
    tables = []
    while len(waiting) >= (size := choices.one_of(sizes)) and choices.below(5) < 4:
        tables.append(tuple(waiting[:size]))
        del waiting[:size]
    units = (0, history.point // 2, history.point)
    byes = (Bye(e, choices.one_of(BYE_KINDS), choices.one_of(units)) for e in waiting)
    return Drawn(tuple(tables), tuple(bye for bye in byes if choices.below(4) < 3))


def _played(history: History, number: int, drawn: Drawn, choices: Choices) -> History:
    tables = tuple(
        _decided(f"r{number}-b{board}", ends, history.point, choices)
        for board, ends in enumerate(drawn.tables, start=1)
    )
    return replace(history, rounds=(*history.rounds, Round(number, tables, drawn.byes)))


def _decided(name: str, ends: tuple[Entrant, ...], point: int, choices: Choices) -> Table:
    values = (point, 0, point // 2, point // 3)
    came = [choices.below(8) < 7 for _ in ends]
    units = tuple(choices.one_of(values) for _ in ends)
    missing = frozenset(e for e, there in zip(ends, came, strict=True) if not there)
    wins = tuple(int(gained == point) for gained in units)
    return Table(name, ends, units, wins, missing, (ends,), choices.below(8) == 7)


def _ruled(history: History, choices: Choices) -> History:
    """With another result of one table, and perhaps with one more entrant, who came late."""
    rounds = list(history.rounds)
    at = choices.below(len(rounds))
    tables = list(rounds[at].tables)
    if tables:
        board = choices.below(len(tables))
        old = tables[board]
        tables[board] = _decided(old.name, old.entrants, history.point, choices)
        rounds[at] = replace(rounds[at], tables=tuple(tables))
    if choices.below(3) < 2:
        return replace(history, rounds=tuple(rounds))
    late = Bye(history.entrants, LATE_BYE, 0)
    order = list(history.order)
    order.insert(choices.below(len(order) + 1), history.entrants)
    return History(
        history.entrants + 1,
        history.point,
        tuple(order),
        tuple(replace(drawn, byes=(*drawn.byes, late)) for drawn in rounds),
    )


def seasons() -> Iterator[bytes]:
    """Tournaments of each kind, calm and wild."""
    for number in range(len(FORMS)):
        chance = Random(number)
        yield bytes([number, 6]) + bytes(90)
        yield bytes([number]) + chance.randbytes(300)


TARGETS = (Target("pairing", pairing, (), seasons, any_bytes),)
