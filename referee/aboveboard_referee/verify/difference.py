"""What one round's pairings have that another's do not, for a person to read."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb


def pairs_text(pairings: pb.Pairings, other: pb.Pairings, names: Sequence[str]) -> str:
    """One line; ``names`` are those of the entrants, of whom a pairing may name others."""
    name = lambda e: names[e] if e < len(names) else f"entrant {e}"  # noqa: E731
    theirs = [tuple(p.entrants) for p in other.pairings]
    parts = [
        " - ".join(map(name, p.entrants))
        for p in pairings.pairings
        if tuple(p.entrants) not in theirs
    ]
    if pairings.byes != other.byes:
        parts.append(f"bye {', '.join(map(name, pairings.byes)) or 'to nobody'}")
    if (pairings.round, pairings.game) != (other.round, other.game):
        parts.append(f"round {pairings.round} of {pairings.game[:40] or 'several games'}")
    if list(pairings.matches) != list(other.matches):
        parts.append(f"matches {_matches_text(pairings, other) or 'no more'}")
    return "; ".join(parts) or "the same pairs on other boards"


def _matches_text(pairings: pb.Pairings, other: pb.Pairings) -> str:
    """Those matches of each pairing in whose place the other has none, or another."""
    theirs = dict(enumerate(other.matches))
    return ", ".join(
        f"{match.suffix[:20]} of {match.game[:40]}{' with seats exchanged' * match.swapped}"
        for place, match in enumerate(pairings.matches)
        if theirs.get(place) != match
    )[:400]
