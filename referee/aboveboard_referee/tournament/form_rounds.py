"""The rounds and tables of a tournament whose manifest states a form.

Everything here follows from the leaves that are in the log, of which ``Facts`` are what it
takes. Who recomputes a tournament and who runs it ask the same functions.
"""

import dataclasses
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.draw import pairing_seed
from aboveboard_referee.match.wire import game_from_wire
from aboveboard_referee.tournament import history as kinds
from aboveboard_referee.tournament.all_systems import find_system
from aboveboard_referee.tournament.field import Field
from aboveboard_referee.tournament.form import (
    chain_rounds,
    is_predetermined,
    plan_of,
    point_of,
    seeded_order,
)
from aboveboard_referee.tournament.history import (
    Ask,
    Bye,
    Entrant,
    History,
    Round,
    Table,
    encounters,
)
from aboveboard_referee.tournament.matches import PlannedMatch, matches_of
from aboveboard_referee.tournament.plan import Draw, game_named, pairing_id
from aboveboard_referee.tournament.results import (
    ResultOf,
    Sides,
    due,
    forfeits_of,
    units_of,
    wins_of,
)
from aboveboard_referee.tournament.round_matches import game_of_round, matches_in_round
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.system import System

_KINDS = {
    kinds.PAIRING_BYE: pb.BYE_KIND_PAIRING,
    kinds.REQUESTED_BYE: pb.BYE_KIND_REQUESTED,
    kinds.SEED_BYE: pb.BYE_KIND_SEED,
}
_NAMES = {number: name for name, number in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the leaves so far say of rounds and results.

    Of ``rounds`` the first ``tables`` have their standings out. ``by_hand`` are the tables
    that rulings make, by round. ``settled`` keeps what ``history_of`` made of rounds whose
    standings are out, by their place in ``rounds``; whoever hands it on empties it when one of
    their results changes.
    """

    manifest: pb.TournamentManifest
    tournament: bytes
    field: Field
    rounds: Sequence[pb.Pairings]
    tables: int
    result: ResultOf
    by_hand: Mapping[int, Sequence[tuple[Entrant, ...]]]
    ended: bool
    settled: MutableMapping[int, tuple[Table, ...]] = dataclasses.field(default_factory=dict)


def history_of(facts: Facts) -> History:
    """Every round that was paired with the results there are.

    A table whose round has its standings is decided, whatever rulings have since made of
    its matches.
    """
    manifest, members = facts.manifest, facts.field
    order = seeded_order(manifest, facts.tournament, members.names, members.entry_keys)
    sides = sides_of(facts)
    late = [Bye(entrant, kinds.LATE_BYE, _late_units(facts, entrant)) for entrant in _late(facts)]
    rounds = tuple(
        Round(
            pairings.round,
            _tables(facts, index, sides),
            (
                *(Bye(bye.entrant, _NAMES[bye.kind], bye.units) for bye in pairings.given),
                *(Bye(entrant, kinds.ABSENT_BYE, 0) for entrant in pairings.absent),
                *(bye for bye in late if members[bye.entrant].first_round > pairings.round),
            ),
        )
        for index, pairings in enumerate(facts.rounds)
    )
    return History(len(members), point_of(manifest), order, rounds)


def _late(facts: Facts) -> list[Entrant]:
    return [entrant for entrant, member in enumerate(facts.field) if member.first_round > 1]


def _late_units(facts: Facts, entrant: Entrant) -> int:
    """What each round before somebody came is worth to it."""
    units = facts.manifest.form.late_half_points * point_of(facts.manifest) // 2
    return units if facts.field[entrant].late_points else 0


def _tables(facts: Facts, index: int, sides: Sides) -> tuple[Table, ...]:
    """The tables of a round, which are made once for all where its standings are out."""
    if index in facts.settled:
        return facts.settled[index]
    pairings, settled = facts.rounds[index], index < facts.tables
    tables = tuple(
        _as_table(facts, pairings, pairing, sides, settled=settled) for pairing in pairings.pairings
    )
    if settled:
        facts.settled[index] = tables
    return tables


def _as_table(
    facts: Facts, pairings: pb.Pairings, pairing: pb.Pairing, sides: Sides, *, settled: bool
) -> Table:
    form, result = facts.manifest.form, facts.result
    planned = matches_of(pairings, pairing)
    decided = settled or not due(planned, result, form.early_stop)
    played = [match for match in planned if result(match.match) is not None]
    given = played if decided else [match for match in planned if not match.decider]
    return Table(
        name=pairing.match,
        entrants=tuple(pairing.entrants),
        units=units_of(planned, result, form.majority, sides) if decided else None,
        wins=wins_of(planned, result),
        forfeits=forfeits_of(planned, result),
        seatings=tuple(match.entrants for match in given),
        by_hand=pairing.by_hand,
    )


def sides_of(facts: Facts) -> Sides:
    """Which seats of each game share a side; none where a point is a match of two.

    Where tables have more seats than two, places count at a short table of two as well.
    """

    @cache
    def sides(game: str, seats: int) -> Sequence[Sequence[int]]:
        if facts.manifest.table_seats == 2:
            return ()
        return game_from_wire(game_named(facts.manifest, game)).sides(seats)

    return sides


def due_matches(facts: Facts, pairings: pb.Pairings) -> tuple[PlannedMatch, ...]:
    """All matches of a round that are to be played now; none once it is decided."""
    early = facts.manifest.form.early_stop
    return tuple(
        match
        for pairing in pairings.pairings
        for match in due(matches_of(pairings, pairing), facts.result, early)
    )


def is_over(facts: Facts) -> bool:
    """Whether no round follows those whose standings are out.

    All rounds were played, or as many as the system needs if everybody comes who has not
    withdrawn; or a ruling ended it, or too few are left.
    """
    if facts.ended or facts.tables >= chain_rounds(facts.manifest):
        return True
    if len(facts.rounds) > facts.tables:
        return False  # the round under way follows; what comes after it hangs on its results
    coming = facts.tables + 1
    left = {entrant for entrant, member in enumerate(facts.field) if member.stays(coming)}
    if not left:
        return True
    if len(left) < 2 and not system_of(facts).traits.is_bracket:
        return True
    if system_of(facts).traits.goes_on:
        return False
    history = history_of(facts)
    present = tuple(entrant for entrant in history.order if entrant in left)
    ask = Ask(coming, present, bytes(32))
    return system_of(facts).draw(plan_in(facts), history, ask) is None


def question(facts: Facts, draw: Draw) -> tuple[Plan, History, Ask]:
    """What the system is asked for the round after all that were paired."""
    history, number = history_of(facts), len(facts.rounds) + 1
    linked = {entrant for entrant, link in enumerate(draw.links) if link is not None}
    by_hand = tuple(fixed for fixed in facts.by_hand.get(number, ()) if linked.issuperset(fixed))
    seed = pairing_seed(facts.tournament, draw.organiser_link, draw.links, number)
    present = tuple(entrant for entrant in history.order if entrant in linked)
    return plan_in(facts), history, Ask(number, present, seed, by_hand)


def next_round(facts: Facts, draw: Draw) -> pb.Pairings:
    """The pairings that follow from a draw. Every earlier round has its standings.

    Who has no link in it is absent, but for those who asked for a bye in time. If no two
    can be paired the round is one of byes alone.
    """
    manifest = facts.manifest
    plan, history, ask = question(facts, draw)
    number, by_hand, present = ask.number, ask.by_hand, ask.present
    linked = set(present)
    asked = {e: m.asked_byes[number] for e, m in enumerate(facts.field) if number in m.asked_byes}
    asked = {entrant: half for entrant, half in asked.items() if facts.field[entrant].stays(number)}
    drawn = system_of(facts).draw(plan, history, ask)
    met = encounters(history)
    point = point_of(manifest)
    pairings = pb.Pairings(tournament=facts.tournament, round=number)
    for board, seated in enumerate(drawn.tables if drawn else (), start=1):
        ends = sorted(seated)
        pairings.pairings.add(
            match=pairing_id(number, board),
            entrants=seated,
            by_hand=seated in by_hand,
            rematch=any((a, b) in met for i, a in enumerate(ends) for b in ends[i + 1 :]),
        )
    given = list(drawn.byes) if drawn else []
    if drawn is None and len(present) == 1:
        given.append(Bye(present[0], kinds.PAIRING_BYE, plan.bye))
    given += [Bye(e, kinds.REQUESTED_BYE, half * point // 2) for e, half in sorted(asked.items())]
    for bye in sorted(given, key=lambda bye: bye.entrant):
        pairings.given.add(entrant=bye.entrant, kind=_KINDS[bye.kind], units=bye.units)
    pairings.absent.extend(
        entrant
        for entrant, member in enumerate(facts.field)
        if entrant not in linked
        and entrant not in asked
        and member.first_round <= number
        and member.stays(number)
    )
    matches = matches_in_round(manifest, number)
    if matches:
        pairings.matches.extend(matches)
    else:
        pairings.game = game_of_round(manifest, number)
    return pairings


def rows_of(facts: Facts, *, settled: bool = False) -> list[pb.StandingsRow]:
    """The table of the results there are, or of the rounds alone whose standings are out."""
    manifest, history = facts.manifest, history_of(facts)
    if settled:
        rounds = history.rounds[: facts.tables]
        history = History(history.entrants, history.point, history.order, rounds)
    out = disqualified(facts)
    levels = system_of(facts).levels(plan_in(facts), history)
    return [
        pb.StandingsRow(
            entrant=row.entrant,
            rank=row.rank,
            wins=row.wins,
            matches=row.matches,
            byes=row.byes,
            units=row.units,
            tie_breaks=row.tie_breaks,
            division=_division(manifest, levels, row.entrant),
            disqualified=row.entrant in out,
        )
        for row in table(
            history, tuple(manifest.tie_breaks), levels, out, is_predetermined(manifest)
        )
    ]


def _division(
    manifest: pb.TournamentManifest, levels: Sequence[int] | None, entrant: Entrant
) -> int:
    """Of a league, whose levels count divisions from below, none being 0; 0 in other systems."""
    divisions = len(manifest.form.divisions)
    if not divisions or not levels or not levels[entrant]:
        return 0
    return divisions + 1 - levels[entrant]


def disqualified(facts: Facts) -> frozenset[Entrant]:
    """Who is last in every table."""
    return frozenset(entrant for entrant, m in enumerate(facts.field) if m.disqualified)


def system_of(facts: Facts) -> System:
    """The pairing system that the manifest names."""
    system = find_system(facts.manifest.system, facts.manifest.system_version)
    assert system is not None, "check_plan took it"
    return system


def plan_in(facts: Facts) -> Plan:
    """The manifest's plan, for the entrants there are."""
    field = facts.field
    order = seeded_order(facts.manifest, facts.tournament, field.names, field.entry_keys)
    first = tuple(e for e in order if field[e].first_round == 1 and field[e].stays(1))
    return plan_of(facts.manifest, field.names, first)
