"""Rulings: an organiser's or arbiter's decisions, for everybody to read, and what they change.

A ruling that changes something states the table that follows from it, of the rounds whose
standings are out; who reads the log finds the table before it in the leaves before. What the
next round is drawn from is fixed by the table before it, or by the end of entries: from there
until it is paired nothing is ruled that could change it, since the organiser may know the
links of the draw by then.
"""

from collections.abc import Callable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.tournament.all_systems import traits_of
from aboveboard_referee.tournament.form import has_form, sizes_of
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.playing import check_to_come, last_round, why_not
from aboveboard_referee.tournament.ledger.state import LedgerState
from aboveboard_referee.tournament.ledger.suspensions import Undo, readmit, suspend
from aboveboard_referee.tournament.results import Result


def take_ruling(ledger: LedgerState, signed: Signed) -> None:
    by = ledger.verify_office(signed, "ruling")
    ruling = ledger.of_here(signed, pb.Ruling)
    if ruling.number != len(ledger.rulings) + 1 or ruling.leaf != ledger.size:
        raise Illegal(
            f"ruling {len(ledger.rulings) + 1} for leaf {ledger.size}",
            f"ruling {ruling.number} for leaf {ruling.leaf}",
        )
    if ruling.match and ruling.match not in ledger.matches:
        raise Illegal("a ruling about a match of this tournament", ruling.match[:40])
    ledger.not_before(ruling.time_us)
    undo = _apply(ledger, ruling)
    if list(ruling.table) != (_table(ledger) if ruling.WhichOneof("effect") else []):
        undo()
        raise Illegal("the table that follows from the ruling", "another")
    ledger.at(ruling.time_us)
    ledger.rulings.append(ruling)
    ledger.ruled_by.append(by)


def table_after(ledger: LedgerState, ruling: pb.Ruling) -> list[pb.StandingsRow]:
    """The table that a ruling has to state. Raises ``Illegal`` where it cannot be made."""
    undo = _apply(ledger, ruling)
    rows = _table(ledger) if ruling.WhichOneof("effect") else []
    undo()
    return rows


def _table(ledger: LedgerState) -> list[pb.StandingsRow]:
    return ledger.settled_rows() if ledger.tables else []


def _apply(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    """Let a ruling have its effect; what takes it back. Raises ``Illegal``."""
    effect = ruling.WhichOneof("effect")
    if effect is None:
        return lambda: None
    if not has_form(ledger.manifest):
        raise Illegal("a text alone in this system", "a ruling that changes something")
    if effect not in _ANY_TIME and _draw_is_being_made(ledger):
        raise Illegal(
            f"no change while the draw of round {ledger.round} is made; rule once it is paired",
            "a ruling that changes something",
        )
    return _EFFECTS[effect](ledger, ruling)


def _draw_is_being_made(ledger: LedgerState) -> bool:
    return ledger.closed and ledger.tables == len(ledger.rounds) and not ledger.over


def _rescore(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    if not ruling.match:
        raise Illegal("the match whose result it is", "no match")
    before = ledger.result(ruling.match)
    if before is None:
        raise Illegal(
            "another result of a match that has one", f"{ruling.match}, which is not played yet"
        )
    ruled = _ruled(ledger, ruling)
    if ruled == before:
        raise Illegal(f"another result than {ruling.match} has", "the same")
    earlier = ledger.rescored.get(ruling.match)
    ledger.rescore(ruling.match, ruled)

    def undo() -> None:
        ledger.rescore(ruling.match, earlier)

    return undo


def _ruled(ledger: LedgerState, ruling: pb.Ruling) -> Result:
    """The result that a ruling gives its match. Raises ``Illegal`` where it is none."""
    body, entrants = ruling.rescore, ledger.matches[ruling.match].entrants
    names, seats = [ledger.field[entrant].entry.name for entrant in entrants], len(entrants)
    forfeits = list(body.forfeits)
    if forfeits != sorted(set(forfeits)) or any(seat >= seats for seat in forfeits):
        raise Illegal("seats of the match, ascending", f"{forfeits}"[:60])
    if seats == 2:
        half_points = tuple(body.half_points)
        shown = " : ".join(f"{half / 2:g}" for half in half_points[:8])
        if len(half_points) != 2 or body.ranks:
            raise Illegal("points of two seats, and no places", f"points {shown or 'of none'}")
        if sum(half_points) > 2:
            raise Illegal("a point in all at most", shown)
        ranks = tuple(1 if half == max(half_points) else 2 for half in half_points)
    else:
        ranks = tuple(body.ranks)
        shown = " : ".join(map(str, ranks[:8]))
        if len(ranks) != seats or not all(1 <= rank <= seats for rank in ranks):
            raise Illegal(f"a place of each of {seats} seats, from 1 to {seats}", shown or "none")
        if body.half_points:
            raise Illegal("places alone", "points")
        first = ranks.count(1)
        half_points = tuple((2 if first == 1 else 1) if rank == 1 else 0 for rank in ranks)
    for seat in forfeits:
        if seats == 2 and half_points[seat]:
            raise Illegal(f"no points of {names[seat]}, who never appeared", shown)
        if ranks[seat] < max(ranks):
            raise Illegal(f"the last place of {names[seat]}, who never appeared", shown)
    return Result(half_points, ranks, frozenset(forfeits))


def _disqualify(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    entrant = ruling.disqualified.entrant
    if entrant >= len(ledger.field):
        raise Illegal("an entrant of this tournament", f"entrant {entrant}")
    member = ledger.field[entrant]
    if member.disqualified:
        raise Illegal(
            "somebody who is not disqualified yet", f"{member.entry.name}, who is disqualified"
        )
    earlier = member.left
    member.disqualified = True
    member.left = ledger.free_round if earlier is None else min(earlier, ledger.free_round)

    def undo() -> None:
        member.disqualified, member.left = False, earlier

    return undo


def _by_hand(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    round_, system = ruling.by_hand.round, ledger.manifest.system
    if not traits_of(system).is_open:
        raise Illegal("tables by hand in a swiss or ladder alone", f"one in the system {system}")
    last = last_round(ledger)
    if not ledger.free_round <= round_ <= last:
        check_to_come(ledger, "a table by hand", round_)
    seen: set[int] = set()
    for pairing in ruling.by_hand.pairings:
        _check_table(ledger, pairing, round_, seen)
        seen.update(pairing.entrants)
    earlier = ledger.by_hand.get(round_)
    ledger.by_hand[round_] = tuple(tuple(p.entrants) for p in ruling.by_hand.pairings)

    def undo() -> None:
        if earlier is None:
            del ledger.by_hand[round_]
        else:
            ledger.by_hand[round_] = earlier

    return undo


def _check_table(
    ledger: LedgerState, pairing: pb.Pairing, round_: int, elsewhere: set[int]
) -> None:
    """Refuse a table by hand that cannot be made of these entrants. Raises ``Illegal``."""
    for entrant in pairing.entrants:
        if entrant >= len(ledger.field):
            raise Illegal("entrants of this tournament", f"entrant {entrant}")
    members = [ledger.field[entrant] for entrant in pairing.entrants]
    names = [member.entry.name for member in members]
    if pairing.match or pairing.by_hand or pairing.rematch:
        raise Illegal("entrants alone", "more of a pairing")
    sizes = (2,) if ledger.manifest.table_seats == 2 else sizes_of(ledger.manifest)
    if len(names) not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise Illegal(f"{wanted} at a table", f"{len(names)}: {', '.join(names[:8]) or 'nobody'}")
    for place, (entrant, name) in enumerate(zip(pairing.entrants, names, strict=True)):
        if entrant in pairing.entrants[:place]:
            raise Illegal("everybody at one table once", f"{name} twice at one")
        if entrant in elsewhere:
            raise Illegal("everybody at one table once", f"{name} at two")
    for member in members:
        if who := why_not(member, round_):
            raise Illegal(f"somebody who plays in round {round_}", who)


def _pause(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    wanted = ruling.WhichOneof("effect") == "paused"
    if ledger.paused == wanted:
        if wanted:
            raise Illegal("a pause of a tournament that goes on", "one that is paused already")
        raise Illegal("an end of a pause", "a tournament that is not paused")
    ledger.paused = wanted

    def undo() -> None:
        ledger.paused = not wanted

    return undo


def _end(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    if not ledger.closed:
        raise Illegal("an end once entries are closed", "one before the start")
    if ledger.ended:
        raise Illegal(
            "one end of a tournament", f"a second one: round {last_round(ledger)} is the last"
        )
    ledger.ended = True

    def undo() -> None:
        ledger.ended = False

    return undo


_EFFECTS: dict[str, Callable[[LedgerState, pb.Ruling], Undo]] = {
    "rescore": _rescore,
    "disqualified": _disqualify,
    "by_hand": _by_hand,
    "paused": _pause,
    "resumed": _pause,
    "ended": _end,
    "suspended": suspend,
    "readmitted": readmit,
}

_ANY_TIME = ("paused", "resumed", "readmitted")
"""What can be ruled while a draw is made: nothing of the round that is drawn hangs on it."""
