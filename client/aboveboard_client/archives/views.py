"""What ``show`` has to show of a tournament: tables, and the same as plain values.

docs/show.md lists the columns and the keys; programs rely on them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_client.archives.reading import Reading, Result
from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.form import has_form, matches_each, point_of
from aboveboard_referee.tournament.matches import PlannedMatch, matches_of, per_pairing
from aboveboard_referee.tournament.standings.tie_breaks import scale
from aboveboard_referee.verify.archive import (
    points_text,
    standings_cells,
    standings_header,
    standings_heading,
)

Cell = str | int | float | None


@dataclass(frozen=True)
class View:
    """A table: its heading, columns and rows. ``values`` says the same for programs."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    right: frozenset[str]  # columns of numbers
    values: Mapping[str, Any]
    heading: Sequence[str] = ()  # the columns as people read them, where ``header`` says less


def standings_view(reading: Reading) -> View:
    """The final table, as the tournament's close has it."""
    manifest = reading.manifest
    close = reading.close()
    if close is None:
        raise WrongUse("the tournament has not ended; its rounds can be seen with --round")
    header = standings_header(manifest)
    games = [game.name for game in manifest.games]
    form = has_form(manifest)
    matches = matches_each(manifest) if form else per_pairing(manifest)
    each = f", {matches} matches a pairing" if matches > 1 else ""
    rounds = counted(len(reading.rounds), "round")
    return View(
        title=f"{manifest.title}: {rounds} of {', '.join(games)}{each}",
        header=header,
        rows=[standings_cells(manifest, reading.name(row.entrant), row) for row in close.standings],
        right=frozenset(header) - {"name"},
        heading=standings_heading(manifest),
        values={
            "title": manifest.title,
            "rounds": len(reading.rounds),
            "order": manifest.order,
            "system": manifest.system,
            "system_version": manifest.system_version,
            "games": games,
            "matches_a_pairing": matches,
            "tie_breaks": list(manifest.tie_breaks),
            "standings": [_standing(manifest, reading, row) for row in close.standings],
        },
    )


def _standing(
    manifest: pb.TournamentManifest, reading: Reading, row: pb.StandingsRow
) -> dict[str, Any]:
    if has_form(manifest):
        return _standing_of_form(manifest, reading, row)
    matches = per_pairing(manifest)
    values: dict[str, Any] = {
        "rank": row.rank,
        "name": reading.name(row.entrant),
        "points": _points(row.half_points, matches),
        "half_points": row.half_points,
        "wins": row.wins,
        "matches": row.matches,
        "byes": row.byes,
    }
    if "buchholz" in manifest.tie_breaks:
        values["buchholz"] = _points(row.buchholz, matches)
    if "direct" in manifest.tie_breaks:
        values["direct"] = _points(row.direct - 1, matches) if row.direct else None
    return values


def _standing_of_form(
    manifest: pb.TournamentManifest, reading: Reading, row: pb.StandingsRow
) -> dict[str, Any]:
    point = point_of(manifest)
    breaks = zip(manifest.tie_breaks, row.tie_breaks, strict=False)
    values: dict[str, Any] = {
        "rank": None if row.disqualified else row.rank,
        "name": reading.name(row.entrant),
        "points": row.units / point,
        "units": row.units,
        "units_a_point": point,
        "wins": row.wins,
        "matches": row.matches,
        "byes": row.byes,
        "tie_breaks": {name: value / scale(name, point) for name, value in breaks},
        "disqualified": row.disqualified,
    }
    if row.division:
        values["division"] = manifest.form.divisions[row.division - 1].name
    return values


def round_view(reading: Reading, number: int) -> View:
    """A round's matches with their results. Where a pairing has several, its score is first."""
    pairings = reading.pairings(number)
    many = bool(pairings.matches)
    rows: list[Sequence[Cell]] = []
    values: list[dict[str, Any]] = []
    for pairing in pairings.pairings:
        planned = matches_of(pairings, pairing)
        results = [reading.result(match.match) for match in planned]
        gained = _gained(pairing, planned, results)
        players = [reading.name(entrant) for entrant in pairing.entrants]
        if many:
            points = [points_text(half, len(planned)) for half in gained or ()]
            end = f"{counted(len(planned), 'match')}" if gained else "not all there"
            rows.append((pairing.match, "", _both(players), _both(points), "", end, None))
        rows += [_row(reading, *both) for both in zip(planned, results, strict=True)]
        values.append(
            {
                "pairing": pairing.match,
                "players": players,
                "points": [_points(half, len(planned)) for half in gained or ()],
                "matches": [_match(reading, *both) for both in zip(planned, results, strict=True)],
            }
        )
    byes = [reading.name(entrant) for entrant in pairings.byes]
    full = points_text(2 * per_pairing(reading.manifest), per_pairing(reading.manifest))
    rows.extend(("bye", "", name, full, "", "", None) for name in byes)
    absent = [reading.name(entrant) for entrant in pairings.absent]
    rows.extend(("absent", "", name, "", "", "", None) for name in absent)
    games = "every game from either first seat" if many else pairings.game
    return View(
        title=f"{reading.manifest.title}: round {number}, {games}",
        header=("match", "game", "players", "points", "score", "end", "attempt"),
        rows=rows,
        right=frozenset({"attempt"}),
        values={
            "title": reading.manifest.title,
            "round": number,
            "pairings": values,
            "byes": byes,
            "absent": absent,
        },
    )


def _gained(
    pairing: pb.Pairing, planned: Sequence[PlannedMatch], results: Sequence[Result | None]
) -> list[int] | None:
    """Half points of all matches by the pairing's seats, if all of them are there."""
    gained = dict.fromkeys(pairing.entrants, 0)
    for match, result in zip(planned, results, strict=True):
        if result is None:
            return None
        for entrant, seat in zip(match.entrants, result.close.seats, strict=False):
            gained[entrant] += seat.half_points
    return list(gained.values())


def _row(reading: Reading, match: PlannedMatch, result: Result | None) -> Sequence[Cell]:
    players = _both([reading.name(entrant) for entrant in match.entrants])
    if result is None:
        return (match.match, match.game, players, "", "", "not there", None)
    seats = result.close.seats
    return (
        match.match,
        match.game,
        players,
        _both([points_text(seat.half_points) for seat in seats]),
        _both([str(seat.score) for seat in seats]),
        reason_text(result.close.reason),
        result.attempt,
    )


def _match(reading: Reading, match: PlannedMatch, result: Result | None) -> dict[str, Any]:
    seats = [] if result is None else result.close.seats
    return {
        "match": match.match,
        "game": match.game,
        "players": [reading.name(entrant) for entrant in match.entrants],
        "points": [_points(seat.half_points, 1) for seat in seats],
        "score": [seat.score for seat in seats],
        "end": None if result is None else reason_text(result.close.reason),
        "attempt": None if result is None else result.attempt,
    }


def _both(parts: Sequence[str]) -> str:
    return " - ".join(parts)


def _points(half_points: int, matches: int) -> float:
    """As it is printed; exact where that is."""
    return float(points_text(half_points, matches))
