"""Who is in a tournament with a form, and which matches a table has (sections 6 and 29)."""

from dataclasses import dataclass, field

from tests.oracle.draw import order_hash
from tests.oracle.envelope import Envelope, unseal
from tests.oracle.wire import Values, decode


@dataclass
class Member:
    """One entrant, as of the newest leaf."""

    entry: Values
    owner: bytes
    first: int
    left: int | None = None
    away: list[tuple[int, int]] = field(default_factory=list)
    asked: dict[int, int] = field(default_factory=dict)
    revoked: int | None = None  # the first round that was not drawn by then
    disqualified: bool = False
    late_points: bool = True
    failures: int = 0
    suspended: int | None = None

    def stays(self, round_: int) -> bool:
        """Whether it has not left by this round."""
        gone = any(since is not None and since <= round_ for since in (self.left, self.suspended))
        between = any(start <= round_ < end for start, end in self.away)
        revoked = self.revoked is not None and self.revoked <= round_
        return not (gone or between or revoked)


def member(envelope: Envelope, others: list[Member], first: int) -> Member:
    """The entrant of an Entry, whose first round may be a later one."""
    entry = decode("Entry", envelope.body)
    owner = b""
    if entry["certificate"]:
        owner = decode("KeyCertificate", unseal(entry["certificate"]).body)["owner"]
    known = bool(owner) and owner in [other.owner for other in others]
    return Member(entry, owner, first, late_points=not known)


def division(form: Values, name: str) -> int:
    """From 1; who is named in none is in the last one, and without divisions it is 0."""
    for number, each in enumerate(form["divisions"], start=1):
        if name.lower() in [entrant.lower() for entrant in each["entrants"]]:
            return number
    return len(form["divisions"])


def initial_order(form: Values, tournament: bytes, members: list[Member]) -> list[int]:
    """By division, then by ``seeding``, then by the lot of section 20."""
    seeding = [name.lower() for name in form["seeding"]]

    def place(number: int) -> tuple[int, int, bytes, int]:
        entry = members[number].entry
        name = entry["name"].lower()
        seed = seeding.index(name) if name in seeding else len(seeding)
        lot = order_hash(tournament, entry["key"])
        return division(form, name), seed, lot, number

    return sorted(range(len(members)), key=place)


# --- Matches of a table -------------------------------------------------------------------------


def matches_each(manifest: Values) -> int:
    """M: the matches of a table but deciders."""
    if manifest["order"] == "each":
        return len(manifest["games"]) * (2 if manifest["table_seats"] == 2 else 1)
    return manifest["form"]["games"] or 1


def point(manifest: Values) -> int:
    """U: the units of a point."""
    if manifest["table_seats"] > 2:
        return 120 * matches_each(manifest)
    return 2 if manifest["form"]["majority"] else 2 * matches_each(manifest)


def round_game(manifest: Values, round_: int) -> str:
    games = manifest["games"]
    return "" if manifest["order"] == "each" else games[(round_ - 1) % len(games)]["name"]


def listed_matches(manifest: Values, round_: int) -> list[Values]:
    """``matches`` of the round's Pairings."""
    names, form = [game["name"] for game in manifest["games"]], manifest["form"]
    found: list[tuple[str, str, int, bool]] = []
    if manifest["order"] == "rotate":
        names = [round_game(manifest, round_)]
        found = [(f"{i}", names[0], i - 1, False) for i in range(1, matches_each(manifest) + 1)]
    elif manifest["table_seats"] == 2:
        for i, name in enumerate(names, start=1):
            found += [(f"{i}a", name, 0, False), (f"{i}b", name, 1, False)]
    else:
        found = [(f"{i}", name, i - 1, False) for i, name in enumerate(names, start=1)]
    if len(found) == 1 and not form["deciders"]:
        return []
    for j in range(1, form["deciders"] + 1):
        rotation = (matches_each(manifest) + j - 1) % 2
        found.append((f"d{j}", names[(j - 1) % len(names)], rotation, True))
    keys = ("suffix", "game", "rotation", "decider")
    return [dict(zip(keys, each, strict=True)) | {"swapped": False} for each in found]
