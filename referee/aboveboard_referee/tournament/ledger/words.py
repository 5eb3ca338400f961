"""The leaves that change nothing but are there for everybody to read."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import Signed, verify_sole
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.state import LedgerState, key_of

OBJECTIONS = 4
"""Most objections of one seat to one attempt."""


def take_objection(ledger: LedgerState, signed: Signed) -> None:
    body = decode(pb.Objection, signed.body, limit=4096)
    planned = ledger.matches.get(body.match)
    if body.tournament != ledger.tournament or planned is None:
        raise Illegal("an objection to a match of this tournament", body.match[:40])
    if body.seat >= len(planned.entrants):
        raise Illegal("a seat of the match", f"seat {body.seat}")
    if not 1 <= body.attempt <= ledger.attempts.newest(body.match) + 1:
        raise Illegal("an attempt that was begun", f"attempt {body.attempt}")
    verify_sole(signed, "objection", key_of(ledger.field[planned.entrants[body.seat]]))
    before = ledger.objected.setdefault((body.match, body.attempt, body.seat), [])
    if body in before:
        raise Illegal("an objection once", "the same again")
    if len(before) == OBJECTIONS:
        raise Illegal(f"{OBJECTIONS} objections of a seat at most", "one more")
    before.append(body)
    ledger.objections.append(body)
