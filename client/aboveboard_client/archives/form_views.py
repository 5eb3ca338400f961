"""What ``show`` has to show of a round of a tournament whose manifest states a form.

Which tables a round has, and what they came to, hangs on matches that others decide and on
rulings, so that the whole log is folded for it.
"""

from collections.abc import Sequence
from typing import Any

from aboveboard_client.archives.views import Cell, View
from aboveboard_client.errors import WrongUse
from aboveboard_referee.counted import counted
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.form import is_remarkable, point_of
from aboveboard_referee.tournament.form_rounds import history_of, sides_of
from aboveboard_referee.tournament.history import ABSENT_BYE, LATE_BYE, TABLE_POINT, Bye, Table
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.matches import PlannedMatch, matches_of
from aboveboard_referee.tournament.results import WIN, units_of
from aboveboard_referee.tournament.standings.tie_breaks import shown

KINDS = {
    "pairing": "left over",
    "requested": "asked for",
    "late": "not there yet",
    "seed": "nobody to meet",
    "absent": "not there",
}
"""Why somebody sits a round out, for people."""


def form_round_view(ledger: Ledger, number: int) -> View:
    """A round's tables with what they gave, their matches, and who sat it out."""
    if not 1 <= number <= len(ledger.rounds):
        raise WrongUse(f"there is no round {number}; there are {len(ledger.rounds)}")
    pairings, drawn = ledger.rounds[number - 1], history_of(ledger.facts).rounds[number - 1]
    names, title = ledger.field.names, ledger.manifest.title
    rows: list[Sequence[Cell]] = []
    values: list[dict[str, Any]] = []
    for pairing, table in zip(pairings.pairings, drawn.tables, strict=True):
        planned = _begun(ledger, matches_of(pairings, pairing))
        remarked = is_remarkable(ledger.manifest, pairing)
        rows += _rows(ledger, table, planned, rematch=remarked)
        values.append(_values(ledger, table, planned, rematch=pairing.rematch))
    rows += [_bye_row(ledger, bye) for bye in drawn.byes]
    games = pairings.game or ", ".join(dict.fromkeys(match.game for match in pairings.matches))
    return View(
        title=f"{title}: round {number}, {games}",
        header=("match", "game", "players", "points", "score", "end", "attempt", "remarks"),
        rows=rows,
        right=frozenset({"attempt"}),
        values={
            "title": title,
            "round": number,
            "pairings": values,
            "byes": [names[b.entrant] for b in drawn.byes if b.kind not in (ABSENT_BYE, LATE_BYE)],
            "absent": [names[b.entrant] for b in drawn.byes if b.kind == ABSENT_BYE],
            "sitting_out": [
                {
                    "name": names[bye.entrant],
                    "kind": bye.kind,
                    "points": bye.units / point_of(ledger.manifest),
                }
                for bye in drawn.byes
            ],
        },
    )


def _begun(ledger: Ledger, planned: Sequence[PlannedMatch]) -> Sequence[PlannedMatch]:
    """Those of a table's matches that were begun, or its first one where none was."""
    begun = [match for match in planned if ledger.attempts.newest(match.match)]
    return begun or planned[:1]


def _rows(
    ledger: Ledger, table: Table, planned: Sequence[PlannedMatch], *, rematch: bool
) -> list[Sequence[Cell]]:
    """A table's line; one for each match besides where it has several."""
    names, point = ledger.field.names, point_of(ledger.manifest)
    marks = [
        *(["by hand"] if table.by_hand else []),
        *(["rematch"] if rematch else []),
        *(f"{names[entrant]} never came" for entrant in sorted(table.forfeits)),
    ]
    points = [shown(units, point) for units in table.units or ()]
    if len(planned) == 1:
        (match,) = planned
        marks += ["ruled"] if match.match in ledger.rescored else []
        return [_match_row(ledger, match, points, marks)]
    end = f"{counted(len(planned), 'match')}" if table.decided else "not all there"
    players = [names[entrant] for entrant in table.entrants]
    rows: list[Sequence[Cell]] = [
        (table.name, "", _all(players), _all(points), "", end, None, ", ".join(marks))
    ]
    for match in planned:
        one, gained = _gained(ledger, match)
        ruled = ["ruled"] if match.match in ledger.rescored else []
        rows.append(_match_row(ledger, match, [shown(units, one) for units in gained], ruled))
    return rows


def _match_row(
    ledger: Ledger, match: PlannedMatch, points: Sequence[str], marks: Sequence[str]
) -> Sequence[Cell]:
    players = _all([ledger.field.names[entrant] for entrant in match.entrants])
    close = ledger.attempts.newest_close(match.match)
    if close is None:
        return (match.match, match.game, players, "", "", "not there", None, ", ".join(marks))
    return (
        match.match,
        match.game,
        players,
        _all(points),
        _all([str(seat.score) for seat in close.seats]),
        reason_text(close.reason),
        ledger.attempts.newest(match.match),
        ", ".join(marks),
    )


def _bye_row(ledger: Ledger, bye: Bye) -> Sequence[Cell]:
    what = "absent" if bye.kind == ABSENT_BYE else "bye"
    points = shown(bye.units, point_of(ledger.manifest))
    return (what, "", ledger.field.names[bye.entrant], points, "", KINDS[bye.kind], None, "")


def _values(
    ledger: Ledger, table: Table, planned: Sequence[PlannedMatch], *, rematch: bool
) -> dict[str, Any]:
    names, point = ledger.field.names, point_of(ledger.manifest)
    return {
        "pairing": table.name,
        "players": [names[entrant] for entrant in table.entrants],
        "points": [units / point for units in table.units or ()],
        "by_hand": table.by_hand,
        "rematch": rematch,
        "never_came": [names[entrant] for entrant in sorted(table.forfeits)],
        "matches": [_match_values(ledger, match) for match in planned],
    }


def _match_values(ledger: Ledger, match: PlannedMatch) -> dict[str, Any]:
    result, close = ledger.result(match.match), ledger.attempts.newest_close(match.match)
    one, gained = _gained(ledger, match)
    return {
        "match": match.match,
        "game": match.game,
        "players": [ledger.field.names[entrant] for entrant in match.entrants],
        "points": [units / one for units in gained],
        "places": list(result.ranks) if result else [],
        "score": [seat.score for seat in close.seats] if close else [],
        "end": reason_text(close.reason) if close else None,
        "attempt": ledger.attempts.newest(match.match) if close else None,
        "ruled": match.match in ledger.rescored,
    }


def _gained(ledger: Ledger, match: PlannedMatch) -> tuple[int, Sequence[int]]:
    """The units of a point of a single match, and what it gave by seat; nothing yet is ()."""
    one = WIN if ledger.manifest.table_seats == 2 else TABLE_POINT
    if ledger.result(match.match) is None:
        return one, ()
    return one, units_of((match,), ledger.result, majority=False, sides=sides_of(ledger.facts))


def _all(parts: Sequence[str]) -> str:
    return " - ".join(parts)
