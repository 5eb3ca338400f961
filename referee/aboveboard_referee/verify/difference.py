"""What one round's pairings have that another's do not, for a person to read."""

from collections.abc import Callable, Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb


def pairs_text(pairings: pb.Pairings, other: pb.Pairings, names: Sequence[str]) -> str:
    """One line; ``names`` are those of the entrants, of whom a pairing may name others."""

    def name(entrant: int) -> str:
        return names[entrant] if entrant < len(names) else f"entrant {entrant}"

    theirs = [tuple(p.entrants) for p in other.pairings]
    parts = [
        " - ".join(map(name, p.entrants))
        for p in pairings.pairings
        if tuple(p.entrants) not in theirs
    ]
    if pairings.byes != other.byes:
        parts.append(f"bye {', '.join(map(name, pairings.byes)) or 'to nobody'}")
    if pairings.given != other.given:
        parts.append(f"bye {_byes_text(pairings, other, name) or 'to nobody else'}")
    if pairings.absent != other.absent:
        parts.append(f"absent {', '.join(map(name, pairings.absent))[:400] or 'nobody'}")
    if (pairings.round, pairings.game) != (other.round, other.game):
        parts.append(f"round {pairings.round} of {pairings.game[:40] or 'several games'}")
    if list(pairings.matches) != list(other.matches):
        parts.append(f"matches {_matches_text(pairings, other) or 'no more'}")
    return "; ".join(parts) or "the same pairs on other boards"


def _byes_text(pairings: pb.Pairings, other: pb.Pairings, name: Callable[[int], str]) -> str:
    """The byes that the other has not, or has otherwise."""
    kinds = {kind: text.removeprefix("BYE_KIND_").lower() for text, kind in pb.ByeKind.items()}
    return ", ".join(
        f"{name(bye.entrant)} ({kinds.get(bye.kind, bye.kind)}, {bye.units} units)"
        for bye in pairings.given
        if bye not in list(other.given)
    )[:400]


def _matches_text(pairings: pb.Pairings, other: pb.Pairings) -> str:
    """Those matches of each pairing in whose place the other has none, or another."""
    theirs = dict(enumerate(other.matches))
    return ", ".join(
        f"{match.suffix[:20]} of {match.game[:40]}{_seats_text(match)}"
        for place, match in enumerate(pairings.matches)
        if theirs.get(place) != match
    )[:400]


def _seats_text(match: pb.PairingMatch) -> str:
    return " with seats exchanged" if match.swapped or match.rotation else ""
