"""What is in a log rightly and still out of the ordinary, in a line each for people."""

from collections.abc import Callable, Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.match.deviation import step_text
from aboveboard_referee.match.result import SERVICE, reason_text
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT, LedgerState
from aboveboard_referee.verify.report import Notice

NOTICED = frozenset(
    {
        "entries-closed",
        "late-entry",
        "withdraw",
        "return",
        "bye-request",
        "key-rotate",
        "key-revoke",
        "referee-added",
        "ruling",
    }
)
"""The kinds of leaves that can say something out of the ordinary."""

TOLD_AT_ONCE = NOTICED | {"objection"}
"""Those that whoever runs the tournament is told as they come. ``verify`` weighs objections."""


def notice(kind: str, leaf: bytes, ledger: LedgerState) -> str:
    """What a leaf of one of these kinds says, which ``ledger`` has just taken; or nothing."""
    body = parse_signed(leaf).body
    names = ledger.field.names
    if kind == "ruling":
        ruling = decode(pb.Ruling, body)
        seated = ledger.matches[ruling.match].entrants if ruling.match else ()
        by = ledger.ruled_by[-1]
        return f"ruling {ruling_text(ruling, by, names.__getitem__, seated)}"
    if kind == "entries-closed":
        return f"begun by the arbiter {ledger.begun_by}" if ledger.begun_by else ""
    if kind == "late-entry":
        return f"{names[-1]} entered late, for round {decode(pb.LateEntry, body).round}"
    if kind == "withdraw":
        withdraw = decode(pb.Withdraw, body)
        return f"{names[withdraw.entrant]} withdrew from round {withdraw.round} on"
    if kind == "return":
        back = decode(pb.Return, body)
        return f"{names[back.entrant]} came back for round {back.round}"
    if kind == "bye-request":
        asked = decode(pb.ByeRequest, body)
        worth = "half a point" if asked.half_points else "no point"
        return f"{names[asked.entrant]} asked for a bye in round {asked.round}, worth {worth}"
    if kind == "key-rotate":
        rotate = decode(pb.KeyRotate, body)
        return f"{names[rotate.entrant]} took another key, {_fingerprint(rotate.new_key)}"
    if kind == "key-revoke":
        return f"the key of {names[decode(pb.KeyRevoke, body).entrant]} was revoked"
    if kind == "objection":
        return _objection(decode(pb.Objection, body, LEAF_LIMIT), ledger)
    key = decode(pb.RefereeAdded, body).referee.key
    return f"another referee may open matches, {_fingerprint(key)}"


def _objection(body: pb.Objection, ledger: LedgerState) -> str:
    name = ledger.field.names[ledger.matches[body.match].entrants[body.seat]]
    attempt = f", attempt {body.attempt}" if body.attempt > 1 else ""
    return (
        f"{name} objected to {body.match}{attempt}, event {body.sequence}, step "
        f"{step_text(body.step)}: expected {body.expected}; found {body.found}"
    )


def ruling_text(
    ruling: pb.Ruling, arbiter: str, name: Callable[[Entrant], str], seated: Sequence[Entrant]
) -> str:
    """A ruling after the word "ruling", wherever one is told: its number, by whom, what it did.

    ``arbiter`` is empty for the organiser's own. ``name`` is an entrant's, and ``seated`` are
    those of the match that it is about, by seat.
    """
    effect = _effect(ruling, name, seated)
    by = arbiter and f" by the arbiter {arbiter}"
    about = f"{ruling.match and f' on {ruling.match}'}{effect and f' ({effect})'}"
    return f"{ruling.number}{by}{about}: {ruling.text}"


def _effect(ruling: pb.Ruling, name: Callable[[Entrant], str], seated: Sequence[Entrant]) -> str:
    """What a ruling changes, in a few words; nothing for a text alone."""
    match ruling.WhichOneof("effect"):
        case "rescore":
            ranks = ruling.rescore.ranks
            places = [f"{half / 2:g}" for half in ruling.rescore.half_points] or map(str, ranks)
            gone = " and ".join(name(seated[seat]) for seat in ruling.rescore.forfeits)
            forfeit = f", forfeited by {gone}" if gone else ""
            return f"{'places ' if ranks else ''}{' : '.join(places)}{forfeit}"
        case "disqualified":
            return f"{name(ruling.disqualified.entrant)} is disqualified"
        case "by_hand":
            tables = [
                " - ".join(name(entrant) for entrant in pairing.entrants)
                for pairing in ruling.by_hand.pairings
            ]
            return f"round {ruling.by_hand.round} by hand: {', '.join(tables) or 'nobody'}"
        case "suspended":
            body = ruling.suspended
            failures = counted(body.failures, "failure")
            return f"{name(body.entrant)} is suspended after {failures} in a row"
        case "readmitted":
            return f"{name(ruling.readmitted.entrant)} is readmitted"
        case "ended":
            return "no further round"
        case effect:
            return effect or ""


def aborted(attempt: Attempt) -> Notice | None:
    """The notice of an attempt that the service ended, if it did."""
    if attempt.close is None or attempt.close.reason not in SERVICE:
        return None
    reason = reason_text(attempt.close.reason)
    text = f"attempt {attempt.attempt} at {attempt.match} was ended by the service: {reason}"
    return Notice(attempt.closed, "match-close", text)


def _fingerprint(raw: bytes) -> str:
    return PublicKey.parse(raw).fingerprint()
