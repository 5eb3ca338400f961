"""Making a ruling and bringing it to a tournament's public log."""

import re
import time
from collections.abc import Callable, Sequence

from aboveboard_client.archives.named import entrant_named
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.form import point_of
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_referee.tournament.standings.tie_breaks import shown

TRIES = 20
"""How often a ruling is signed anew when other leaves come between."""

Effect = Callable[[Ledger, pb.Ruling], None]
"""Fills in what a ruling changes, for a tournament as it is. Raises ``WrongUse``."""

_END = re.compile(r"expected ruling (\d{1,9}) for leaf (\d{1,9});")
_LIKE = {True: '"1:0" or "½:½"', False: '"1:3:2" or "1:2:2"'}
_HALVES = {"0": 0, "½": 1, "0.5": 1, "1/2": 1, "1": 2}


async def submit_ruling(
    link: LogLink, key: PrivateKey, match: str, text: str, effect: Effect | None = None
) -> list[str]:
    """Put a ruling into the log; what became of it, in lines for a person.

    It is signed for the place that the log has next, until no other leaf is there first.
    Where it changes something it states the table that follows, and the lines say whom that
    concerns. Raises ``WrongUse`` where it is not taken, and ``OutsideFailure``.
    """
    ledger = await _history(link)
    if match and match not in ledger.matches:
        raise WrongUse(f"there is no match {match} in the tournament so far")
    number, leaf = len(ledger.rulings) + 1, ledger.size
    for _ in range(TRIES):
        try:
            ruling = _ruling(ledger, number, leaf, match, text, effect)
            signed = sign(type_of("ruling"), encode(ruling), key).to_bytes()
            receipt = await link.submit(signed)
        except WrongUse as refused:
            # Leaves that no checkpoint covers yet cannot be read, but they count.
            end = _END.search(str(refused))
            if end is not None and int(end[2]) > leaf:
                number, leaf = int(end[1]), int(end[2])
            elif "the table that follows from the ruling" in str(refused):
                ledger = await _history(link)
            else:
                raise
        else:
            said = f"ruling {number} is leaf {receipt.index} of the log"
            return [said, *_consequences(ledger, ruling, signed)]
    raise OutsideFailure(f"other leaves came first {TRIES} times; try again")


async def _history(link: LogLink) -> Ledger:
    _, ledger, _ = await link.history()
    return ledger


def _ruling(
    ledger: Ledger, number: int, leaf: int, match: str, text: str, effect: Effect | None
) -> pb.Ruling:
    ruling = pb.Ruling(
        tournament=ledger.tournament,
        number=number,
        leaf=leaf,
        time_us=max(time.time_ns() // 1_000, ledger.time_us),
        match=match,
        text=text,
    )
    if effect is not None:
        effect(ledger, ruling)
        try:
            ruling.table.extend(table_after(ledger, ruling))
        except Illegal as illegal:
            raise WrongUse(str(illegal)) from illegal
    return ruling


def _consequences(ledger: Ledger, ruling: pb.Ruling, signed: bytes) -> list[str]:
    """What follows from a ruling that was taken, of a ledger as of before it."""
    names = ledger.field.names
    match ruling.WhichOneof("effect"):
        case "rescore" | "disqualified":
            return _changes(ledger, ruling, signed)
        case "by_hand":
            round_ = ruling.by_hand.round
            tables = [
                " - ".join(names[entrant] for entrant in pairing.entrants)
                for pairing in ruling.by_hand.pairings
            ]
            return [
                f"round {round_} will have {table}, if all of them are there" for table in tables
            ]
        case "readmitted":
            name = names[ruling.readmitted.entrant]
            return [f"{name} plays again from round {ledger.free_round} on"]
        case "paused":
            return ["no table is made and no round drawn until aboveboard resume"]
        case "ended":
            return [f"round {len(ledger.rounds)} is the last one"]
    return []


def _changes(ledger: Ledger, ruling: pb.Ruling, signed: bytes) -> list[str]:
    """The table before and after, of those whose line is another one now.

    Of a round that is under way the table is that of the results so far. Applies the ruling
    to the ledger, unless leaves stand before it that cannot be read yet.
    """
    if ruling.leaf != ledger.size:
        return []
    before = {row.entrant: row for row in ledger.rows()}
    ledger.apply(signed)
    point, names = point_of(ledger.manifest), ledger.field.names
    lines = []
    for row in ledger.rows():
        was = before[row.entrant]
        if (was.rank, was.units, was.disqualified) != (row.rank, row.units, row.disqualified):
            lines.append(
                f"  {names[row.entrant]}: {shown(was.units, point)} → {shown(row.units, point)}"
                f" points, rank {was.rank} → {row.rank}"
                f"{', disqualified' if row.disqualified else ''}"
            )
    under_way = len(ledger.rounds) > ledger.tables
    table = f"the table {'of' if under_way else 'after'} round {len(ledger.rounds)}"
    table += " so far" if under_way else ""
    return [f"{table}:", *lines] if lines else [f"{table} stays as it is"]


# --- What a ruling can change ------------------------------------------------------------


def rescore(result: str, forfeits: Sequence[str]) -> Effect:
    """Another result by seat: points such as ``1:0``, or places such as ``1:2:2:4``."""

    def effect(ledger: Ledger, ruling: pb.Ruling) -> None:
        if not ruling.match:
            raise WrongUse("--result is of a match; say which with --match")
        planned = ledger.matches[ruling.match]
        parts = [part.strip() for part in re.split(r"[:–]| - ", result)]
        two = len(planned.entrants) == 2
        like = f"{'points' if two else 'places'} by seat are like {_LIKE[two]}"
        if len(parts) == 1:
            raise WrongUse(f"{like}, not {result!r:.40}")
        if len(parts) != len(planned.entrants):
            raise WrongUse(
                f"{ruling.match} has {len(planned.entrants)} seats, and {result!r:.40} is of"
                f" {len(parts)}"
            )
        if two:
            if not set(parts) <= set(_HALVES):
                raise WrongUse(f"{like}, not {result!r:.40}")
            ruling.rescore.half_points.extend(_HALVES[part] for part in parts)
        elif all(re.fullmatch(r"[1-9]", part) for part in parts):
            ruling.rescore.ranks.extend(map(int, parts))
        else:
            raise WrongUse(f"{like}, not {result!r:.40}")
        for name in forfeits:
            entrant = entrant_named(ledger, name)
            if entrant not in planned.entrants:
                raise WrongUse(f"{name} has no seat in {ruling.match}")
            ruling.rescore.forfeits.append(planned.entrants.index(entrant))
        seats = sorted(set(ruling.rescore.forfeits))
        del ruling.rescore.forfeits[:]
        ruling.rescore.forfeits.extend(seats)

    return effect


def disqualify(name: str) -> Effect:
    """An entrant plays no further round and comes last."""

    def effect(ledger: Ledger, ruling: pb.Ruling) -> None:
        ruling.disqualified.entrant = entrant_named(ledger, name)

    return effect


def readmit(name: str) -> Effect:
    """An entrant whose bot is suspended plays again."""

    def effect(ledger: Ledger, ruling: pb.Ruling) -> None:
        ruling.readmitted.entrant = entrant_named(ledger, name)

    return effect


def pair_by_hand(tables: Sequence[str], round_: int | None) -> Effect:
    """Tables of a later round, each as names by seat with commas between them."""

    def effect(ledger: Ledger, ruling: pb.Ruling) -> None:
        ruling.by_hand.round = round_ or ledger.free_round
        for table in tables:
            seated = [entrant_named(ledger, name) for name in table.split(",")]
            ruling.by_hand.pairings.add(entrants=seated)

    return effect


def pause(_: Ledger, ruling: pb.Ruling) -> None:
    """No table is made and no round drawn until ``resume``."""
    ruling.paused.SetInParent()


def resume(_: Ledger, ruling: pb.Ruling) -> None:
    """The tournament goes on after a pause."""
    ruling.resumed.SetInParent()


def end(_: Ledger, ruling: pb.Ruling) -> None:
    """There is no round after the one under way."""
    ruling.ended.SetInParent()
