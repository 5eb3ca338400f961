"""What ``show`` has to show of a tournament whose manifest states a form.

Which tables a round has, and what they came to, hangs on matches that others decide and on
rulings, so that the whole log is folded for it.
"""

from collections.abc import Sequence
from typing import Any

from aboveboard_client.archives.reading import Reading
from aboveboard_client.archives.views import Cell, View
from aboveboard_client.errors import WrongUse
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.form import is_predetermined, point_of
from aboveboard_referee.tournament.form_rounds import (
    disqualified,
    history_of,
    plan_in,
    system_of,
)
from aboveboard_referee.tournament.history import Entrant, Table
from aboveboard_referee.tournament.ledger import Ledger
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.tournament.standings.explain import contributions
from aboveboard_referee.tournament.standings.tie_breaks import shown

_KINDS = {
    "pairing": "the odd one out",
    "requested": "asked for",
    "late": "not there yet",
    "seed": "nobody to meet",
    "absent": "absent",
}


def form_round_view(reading: Reading, ledger: Ledger, number: int) -> View:
    """A round's tables with what they gave, and their matches where they have several."""
    if not 1 <= number <= len(ledger.rounds):
        raise WrongUse(f"there is no round {number}; there are {len(ledger.rounds)}")
    pairings, drawn = ledger.rounds[number - 1], history_of(ledger.facts).rounds[number - 1]
    point = point_of(ledger.manifest)
    rows: list[Sequence[Cell]] = []
    values: list[dict[str, Any]] = []
    for pairing, table in zip(pairings.pairings, drawn.tables, strict=True):
        planned = _given(ledger, pairing.match)
        marks = [
            *(["by hand"] if pairing.by_hand else []),
            *(["rematch"] if pairing.rematch else []),
            *(f"{reading.name(entrant)} never came" for entrant in sorted(table.forfeits)),
        ]
        names = [reading.name(entrant) for entrant in table.entrants]
        points = [shown(units, point) for units in table.units or ()]
        if len(planned) > 1:
            end = "decided" if table.decided else "not decided"
            rows.append(
                (table.name, "", _all(names), _all(points), "", end, None, _all(marks, ", "))
            )
        for match in planned:
            alone = len(planned) == 1
            shows = _all(points) if alone else _points(ledger, match)
            rows.append(_row(reading, match, shows, _all(marks, ", ") if alone else ""))
        values.append(_values(reading, ledger, table, planned, marks))
    byes = [
        {
            "name": reading.name(bye.entrant),
            "kind": bye.kind,
            "points": bye.units / point,
        }
        for bye in drawn.byes
        if bye.entrant < len(reading.names)
    ]
    rows += [
        (
            "bye" if bye.kind != "absent" else "absent",
            "",
            reading.name(bye.entrant),
            shown(bye.units, point),
            "",
            _KINDS[bye.kind],
            None,
            "",
        )
        for bye in drawn.byes
    ]
    games = pairings.game or ", ".join(dict.fromkeys(match.game for match in pairings.matches))
    return View(
        title=f"{ledger.manifest.title}: round {number}, {games}",
        header=("match", "game", "players", "points", "score", "end", "attempt", "remarks"),
        rows=rows,
        right=frozenset({"attempt"}),
        values={
            "title": ledger.manifest.title,
            "round": number,
            "tables": values,
            "byes": byes,
        },
    )


def explained_view(ledger: Ledger, player: str) -> View:
    """Where an entrant's points and tie-breaks come from, round by round."""
    facts = ledger.facts
    entrant, history = entrant_named(ledger, player), history_of(facts)
    lines = contributions(
        history,
        tuple(ledger.manifest.tie_breaks),
        entrant,
        system_of(facts).levels(plan_in(facts), history),
        disqualified(facts),
        is_predetermined(ledger.manifest),
        ledger.field.names,
    )
    header = ("tie_break", "round", "counts", "what")
    rows = [
        (
            line.tie_break,
            line.round or None,
            "total" if line.total else _yes(line.counted),
            line.text,
        )
        for line in lines
    ]
    name = ledger.field.names[entrant]
    return View(
        title=f"{ledger.manifest.title}: where the line of {name} comes from",
        header=header,
        rows=rows,
        right=frozenset({"round"}),
        values={
            "title": ledger.manifest.title,
            "player": name,
            "lines": [
                {
                    "tie_break": line.tie_break,
                    "round": line.round or None,
                    "value": line.value,
                    "counted": line.counted,
                    "total": line.total,
                    "text": line.text,
                }
                for line in lines
            ],
        },
    )


def entrant_named(ledger: Ledger, player: str) -> Entrant:
    """The entrant of this name, whose case does not count. Raises ``WrongUse``."""
    for entrant, name in enumerate(ledger.field.names):
        if name.lower() == player.lower():
            return entrant
    raise WrongUse(f"nobody called {player[:40]!r} plays in {ledger.manifest.title}")


def _given(ledger: Ledger, pairing: str) -> list[PlannedMatch]:
    """The matches of a table that were begun, or its first one where none was."""
    planned = [
        match
        for name, match in ledger.matches.items()
        if name == pairing or name.startswith(f"{pairing}-")
    ]
    begun = [match for match in planned if ledger.attempts.newest(match.match)]
    return begun or planned[:1]


def _row(reading: Reading, match: PlannedMatch, points: str, remarks: str) -> Sequence[Cell]:
    players = _all([reading.name(entrant) for entrant in match.entrants])
    result = reading.result(match.match)
    if result is None:
        return (match.match, match.game, players, points, "", "not there", None, remarks)
    return (
        match.match,
        match.game,
        players,
        points,
        _all([str(seat.score) for seat in result.close.seats]),
        reason_text(result.close.reason),
        result.attempt,
        remarks,
    )


def _points(ledger: Ledger, match: PlannedMatch) -> str:
    """A match's own result by seat: points of two, places of more."""
    result = ledger.result(match.match)
    if result is None:
        return ""
    if len(match.entrants) == 2:
        return _all([shown(half, 2) for half in result.half_points])
    return _all([f"{rank}." for rank in result.ranks])


def _values(
    reading: Reading,
    ledger: Ledger,
    table: Table,
    planned: Sequence[PlannedMatch],
    marks: Sequence[str],
) -> dict[str, Any]:
    point = point_of(ledger.manifest)
    matches = []
    for match in planned:
        result, closed = ledger.result(match.match), reading.result(match.match)
        matches.append(
            {
                "match": match.match,
                "game": match.game,
                "players": [reading.name(entrant) for entrant in match.entrants],
                "half_points": list(result.half_points) if result else [],
                "places": list(result.ranks) if result else [],
                "score": [seat.score for seat in closed.close.seats] if closed else [],
                "end": reason_text(closed.close.reason) if closed else None,
                "attempt": closed.attempt if closed else None,
                "ruled": match.match in ledger.rescored,
            }
        )
    return {
        "table": table.name,
        "players": [reading.name(entrant) for entrant in table.entrants],
        "points": [units / point for units in table.units or ()],
        "remarks": list(marks),
        "matches": matches,
    }


def _all(parts: Sequence[str], between: str = " - ") -> str:
    return between.join(parts)


def _yes(counted: bool) -> str:
    return "yes" if counted else "cut"
