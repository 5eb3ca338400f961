"""The names in an archive, and the file in it that is for people.

docs/archive.md. Whoever writes one and whoever verifies one agree here.
"""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.form import has_form, point_of
from aboveboard_referee.tournament.matches import per_pairing
from aboveboard_referee.tournament.standings.tie_breaks import scale, shown

LEAVES = "log/leaves.records"
"""Every leaf of the public log in its order, as transcripts keep their records."""

CHECKPOINT = "log/checkpoint"
"""The log's checkpoint over all leaves, with the witnesses' lines below it."""

CHECKPOINTS = "log/checkpoints.records"
"""Checkpoints that were shown to anybody, by size."""

LOG = "log/"
"""Where the log's own files are: the close, which is in the log, cannot list them."""

LOG_FILES = (LEAVES, CHECKPOINT, CHECKPOINTS)

STANDINGS = "standings.csv"
MATCHES = "matches/"


def match_file(match: str, attempt: int) -> str:
    """Where the transcript of an attempt at a match is."""
    return f"{MATCHES}{match}.{attempt}.records"


def standings_csv(
    manifest: pb.TournamentManifest, names: Sequence[str], rows: Sequence[pb.StandingsRow]
) -> bytes:
    """The table for spreadsheets: recomputed byte for byte, so it needs no signature.

    ASCII, lines end with a line feed. Names of entrants contain nothing that would need
    quoting.
    """
    lines = [",".join(standings_header(manifest))]
    lines.extend(",".join(standings_cells(manifest, names[row.entrant], row)) for row in rows)
    return ("\n".join(lines) + "\n").encode("ascii")


def standings_header(manifest: pb.TournamentManifest) -> tuple[str, ...]:
    """The table's columns: at the end what else than wins breaks ties, in its order."""
    return (
        "rank",
        "name",
        *(("division",) if manifest.form.divisions else ()),
        "points",
        "wins",
        "matches",
        "byes",
        *(name for name in manifest.tie_breaks if name != "wins"),
    )


SAT_OUT = "sat-out"
"""What people read over ``byes`` where absences are among them."""


def standings_heading(manifest: pb.TournamentManifest) -> tuple[str, ...]:
    """The same columns for people: what a form counts as ``byes`` are all rounds sat out."""
    header = standings_header(manifest)
    if not has_form(manifest):
        return header
    return tuple(SAT_OUT if column == "byes" else column for column in header)


def standings_cells(
    manifest: pb.TournamentManifest, name: str, row: pb.StandingsRow
) -> tuple[str, ...]:
    """A row under ``standings_header``. An empty ``direct`` is one that did not apply.

    Who is disqualified has no rank.
    """
    cells = {
        "rank": "" if row.disqualified else str(row.rank),
        "name": name,
        "points": points_of_row(manifest, row),
        "wins": str(row.wins),
        "matches": str(row.matches),
        "byes": str(row.byes),
        **_tie_breaks(manifest, row),
    }
    divisions = manifest.form.divisions
    if divisions:
        cells["division"] = _plain(divisions[row.division - 1].name) if row.division else ""
    return tuple(cells[column] for column in standings_header(manifest))


def points_of_row(manifest: pb.TournamentManifest, row: pb.StandingsRow) -> str:
    """An entrant's points as text."""
    if has_form(manifest):
        return shown(row.units, point_of(manifest))
    return points_text(row.half_points, per_pairing(manifest))


def units_text(manifest: pb.TournamentManifest, units: int) -> str:
    """What a table or a bye gave, as points. Only with a form."""
    return shown(units, point_of(manifest))


def _tie_breaks(manifest: pb.TournamentManifest, row: pb.StandingsRow) -> dict[str, str]:
    if has_form(manifest):
        point = point_of(manifest)
        named = zip(manifest.tie_breaks, row.tie_breaks, strict=False)
        return {name: shown(value, scale(name, point)) for name, value in named if name != "wins"}
    matches = per_pairing(manifest)
    return {
        "buchholz": points_text(row.buchholz, matches),
        "direct": points_text(row.direct - 1, matches) if row.direct else "",
    }


def _plain(text: str) -> str:
    """A division's name without what would need quoting in a file of ASCII cells."""
    return "".join(c if c.isascii() and c.isprintable() and c not in ',"' else "-" for c in text)


def points_text(half_points: int, per_pairing: int = 1) -> str:
    """Half points of matches as points, e.g. 7 as ``3.5``.

    As many decimals as matches a pairing, 3 at the most: exact for one match and two, of
    more rounded to the nearest, upwards from the middle. Two scores that differ never
    read alike.
    """
    decimals = min(per_pairing, 3)
    # points = half_points / (2 · per_pairing); half a unit of the last decimal is added.
    rounded = (half_points * 10**decimals + per_pairing) // (2 * per_pairing)
    whole, part = divmod(rounded, 10**decimals)
    return f"{whole}.{part:0{decimals}}"
