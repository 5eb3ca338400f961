"""Rulings: an organiser's decisions, for everybody to read, and what they change.

A ruling that changes something states the table that follows from it, of the rounds whose
standings are out; who reads the log finds the table before it in the leaves before. What the
next round is drawn from is fixed by the table before it, or by the end of entries: from there
until it is paired nothing is ruled that could change it, since the organiser may know the
links of the draw by then.
"""

from collections.abc import Callable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.tournament.form import OPEN_SYSTEMS, has_form, sizes_of
from aboveboard_referee.tournament.illegal import Illegal
from aboveboard_referee.tournament.ledger_state import LedgerState
from aboveboard_referee.tournament.results import Result

Undo = Callable[[], None]


def take_ruling(ledger: LedgerState, signed: Signed) -> None:
    ruling = ledger.by_organiser(signed, "ruling", pb.Ruling)
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
        raise Illegal("a text alone in this system", "a ruling with an effect")
    if effect not in ("paused", "resumed") and _draw_is_being_made(ledger):
        raise Illegal(
            f"no change while the draw of round {ledger.round} is made; rule once it is paired",
            "a ruling with an effect",
        )
    return _EFFECTS[effect](ledger, ruling)


def _draw_is_being_made(ledger: LedgerState) -> bool:
    return ledger.closed and ledger.tables == len(ledger.rounds) and not ledger.over


def _rescore(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    before = ledger.result(ruling.match) if ruling.match else None
    if before is None:
        raise Illegal("another result of a match that has one", ruling.match[:40] or "no match")
    body, seats = ruling.rescore, len(ledger.matches[ruling.match].entrants)
    forfeits = list(body.forfeits)
    if forfeits != sorted(set(forfeits)) or any(seat >= seats for seat in forfeits):
        raise Illegal("seats of the match, ascending", f"{forfeits}"[:60])
    if seats == 2:
        half_points = tuple(body.half_points)
        if len(half_points) != 2 or max(half_points) > 2 or sum(half_points) > 2 or body.ranks:
            raise Illegal("half points of two seats, 2 in all at most", f"{half_points}"[:60])
        ranks = tuple(1 if half == max(half_points) else 2 for half in half_points)
    else:
        ranks = tuple(body.ranks)
        if len(ranks) != seats or not all(1 <= rank <= seats for rank in ranks):
            raise Illegal(f"a rank of each of {seats} seats", f"{ranks}"[:60])
        if body.half_points:
            raise Illegal("ranks alone", "half points")
        first = ranks.count(1)
        half_points = tuple((2 if first == 1 else 1) if rank == 1 else 0 for rank in ranks)
    ruled = Result(half_points, ranks, frozenset(forfeits))
    if ruled == before:
        raise Illegal("another result than the match has", "the same")
    earlier = ledger.rescored.get(ruling.match)
    ledger.rescored[ruling.match] = ruled

    def undo() -> None:
        if earlier is None:
            del ledger.rescored[ruling.match]
        else:
            ledger.rescored[ruling.match] = earlier

    return undo


def _disqualify(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    entrant = ruling.disqualified.entrant
    if entrant >= len(ledger.field):
        raise Illegal("an entrant of this tournament", f"entrant {entrant}")
    member = ledger.field[entrant]
    if member.disqualified:
        raise Illegal("somebody who plays", f"{member.entry.name}, who is disqualified")
    earlier = member.left
    member.disqualified = True
    member.left = ledger.free_round if earlier is None else min(earlier, ledger.free_round)

    def undo() -> None:
        member.disqualified, member.left = False, earlier

    return undo


def _by_hand(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    round_, manifest = ruling.by_hand.round, ledger.manifest
    if manifest.system not in OPEN_SYSTEMS:
        raise Illegal("pairings by hand where rounds are paired anew", manifest.system)
    last = manifest.rounds or round_
    if not ledger.free_round <= round_ <= last:
        raise Illegal(f"a round from {ledger.free_round} on that is played", f"round {round_}")
    seen: set[int] = set()
    for pairing in ruling.by_hand.pairings:
        where = f"{' - '.join(map(str, pairing.entrants))}"[:60]
        if pairing.match or pairing.by_hand or pairing.rematch:
            raise Illegal("entrants alone", where)
        sizes = (2,) if manifest.table_seats == 2 else sizes_of(manifest)
        if len(pairing.entrants) not in sizes:
            raise Illegal(f"tables of {', '.join(map(str, sizes))}", where)
        for entrant in pairing.entrants:
            if entrant >= len(ledger.field):
                raise Illegal("entrants of this tournament", f"entrant {entrant}")
            name = ledger.field[entrant].entry.name
            if entrant in seen:
                raise Illegal("everybody at one table", f"{name} at two")
            if not ledger.field[entrant].plays(round_):
                raise Illegal(f"those who play in round {round_}", name)
            seen.add(entrant)
    earlier = ledger.by_hand.get(round_)
    ledger.by_hand[round_] = tuple(tuple(p.entrants) for p in ruling.by_hand.pairings)

    def undo() -> None:
        if earlier is None:
            del ledger.by_hand[round_]
        else:
            ledger.by_hand[round_] = earlier

    return undo


def _pause(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    wanted = ruling.WhichOneof("effect") == "paused"
    if ledger.paused == wanted:
        raise Illegal("a pause or its end", "what is so already")
    ledger.paused = wanted

    def undo() -> None:
        ledger.paused = not wanted

    return undo


def _end(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    if ledger.ended or not ledger.closed:
        raise Illegal("the end of a tournament that goes on", "what is so already")
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
}
