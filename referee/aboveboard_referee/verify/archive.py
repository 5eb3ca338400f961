"""The names in an archive, and the file in it that is for people.

docs/archive.md. Whoever writes one and whoever verifies one agree here.
"""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.matches import per_pairing

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
        "points",
        "wins",
        "matches",
        "byes",
        *(name for name in manifest.tie_breaks if name != "wins"),
    )


def standings_cells(
    manifest: pb.TournamentManifest, name: str, row: pb.StandingsRow
) -> tuple[str, ...]:
    """A row under ``standings_header``. An empty ``direct`` is one that did not apply."""
    matches = per_pairing(manifest)
    cells = {
        "rank": str(row.rank),
        "name": name,
        "points": points_text(row.half_points, matches),
        "wins": str(row.wins),
        "matches": str(row.matches),
        "byes": str(row.byes),
        "buchholz": points_text(row.buchholz, matches),
        "direct": points_text(row.direct - 1, matches) if row.direct else "",
    }
    return tuple(cells[column] for column in standings_header(manifest))


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
