"""The names in an archive, and the file in it that is for people.

docs/format.md, "The archive". Whoever writes one and whoever verifies one agree here.
"""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb

MANIFEST = "manifest.signed"
ENTRIES = "entries.records"
STANDINGS = "standings.csv"
CLOSE = "close.signed"
MATCHES = "matches/"


def round_file(number: int) -> str:
    """Where the pairings of a round are."""
    return f"rounds/{number:03}.signed"


def match_file(match: str, attempt: int) -> str:
    """Where the transcript of an attempt at a match is."""
    return f"{MATCHES}{match}.{attempt}.records"


def standings_csv(names: Sequence[str], rows: Sequence[pb.StandingsRow]) -> bytes:
    """The table for spreadsheets: recomputed byte for byte, so it needs no signature.

    ASCII, lines end with a line feed, points with one decimal. Names of entrants
    contain nothing that would need quoting.
    """
    lines = ["rank,name,points,wins,matches,byes"]
    lines.extend(
        f"{row.rank},{names[row.entrant]},{points_text(row.half_points)},"
        f"{row.wins},{row.matches},{row.byes}"
        for row in rows
    )
    return ("\n".join(lines) + "\n").encode("ascii")


def points_text(half_points: int) -> str:
    """Half points as points, e.g. 7 as ``3.5``."""
    return f"{half_points // 2}.{half_points % 2 * 5}"
